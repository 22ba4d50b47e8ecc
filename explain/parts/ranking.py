"""All schemes in one table that can be sorted, each number measured at the present knobs."""

from types import ModuleType
from typing import Any

import pandas as pd
import streamlit as st

from explain import models, stage
from explain.parts.everyone import measured
from explain.parts.opening import Page
from explain.words import number, text
from posenc import catalogue, cost, measure
from posenc.decay import FAR
from posenc.experiments import GROWTH, growth_effect
from posenc.setting import Setting


def ranking(page: Page, key: str) -> None:
    """The table, its columns explained, and the whole of it to take away."""
    if stage.request():
        return
    stage.heading(page.say(f"{key}.title"), key)
    stage.prose(page.say(key))
    with st.spinner(page.say("measuring")):
        found = measured(page, row)
    columns = {name: page.say(f"column.{name}") for name in page.say("columns").split()}
    rows = [described(name) | (found[name] or {}) for name in catalogue.SCHEMES]
    table = pd.DataFrame(rows).reindex(columns=list(columns)).rename(columns=columns)
    facts = {"shift": measure.SHIFT, "far": number(FAR), "more": GROWTH}
    helps = {
        columns[name]: st.column_config.Column(help=page.say(f"column.{name}.help", **facts), pinned=name == "scheme") for name in columns
    }
    st.dataframe(table, hide_index=True, height="content", column_config=helps, placeholder="", alt=page.say(f"{key}.caption"))
    st.caption(page.say(f"{key}.caption"))
    st.download_button(
        text("page", "download"), table.to_csv(index=False), f"{page.name}.csv", "text/csv", on_click="ignore", key=f"{page.name}-csv"
    )


def row(scheme: ModuleType, setting: Setting) -> dict[str, Any]:
    """What is measured of a scheme. ValueError where it refuses the setting."""
    return measure.properties(scheme, setting) | {
        "parameters": cost.parameters(scheme, setting),
        "operations": cost.operations(scheme, setting),
        "growth": growth_effect(scheme, setting),
    }


def described(name: str) -> dict[str, Any]:
    """What is known of a scheme without measuring."""
    return {
        "scheme": text(name, "title"),
        "family": text("frame", f"family.{catalogue.family(name)}"),
        "year": catalogue.load(name).REFERENCES[0].year,
        "models": ", ".join(models.using(name)),
    }
