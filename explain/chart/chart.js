// One Plotly chart in a node that stays: Plotly.react changes what differs.

let library; // Plotly is fetched once for all charts of the page

function plotly(script) {
  library ??= new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = script;
    element.onload = () => resolve(window.Plotly);
    element.onerror = () => {
      library = undefined; // the next update tries again
      reject(new Error(`could not load ${script}`));
    };
    document.head.append(element);
  });
  return library;
}

// The page's own colours, read anew at every drawing because the reader may switch the theme.
function themed(layout, node) {
  const style = getComputedStyle(node);
  const ink = style.getPropertyValue("--st-text-color").trim() || style.color;
  const line = style.getPropertyValue("--st-border-color-light").trim() || "rgba(128,128,128,0.3)";
  const paper = style.getPropertyValue("--st-background-color").trim() || "transparent";
  const font = style.getPropertyValue("--st-font").trim() || "sans-serif";
  const axes = Object.keys(layout).filter((key) => /^[xy]axis\d*$/.test(key));
  const coloured = { ...layout, font: { ...layout.font, color: ink, family: font } };
  coloured.paper_bgcolor = coloured.plot_bgcolor = "rgba(0,0,0,0)";
  coloured.hoverlabel = { ...layout.hoverlabel, bgcolor: paper, bordercolor: ink, font: { color: ink, family: font } };
  for (const key of axes) {
    coloured[key] = { ...layout[key], gridcolor: line, zerolinecolor: line, linecolor: line, tickcolor: line };
  }
  return coloured;
}

const CONFIG = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d", "sendChartToCloud"] };

export default function ({ data, parentElement }) {
  const node = parentElement.querySelector(".chart");
  const figure = JSON.parse(data.figure);
  node.style.minHeight = `${figure.layout.height}px`; // the page must not jump when the library arrives
  node.setAttribute("role", "figure"); // not img: its buttons can be reached
  node.setAttribute("aria-label", data.alt);
  plotly(data.script)
    .then((Plotly) => Plotly.react(node, figure.data, themed(figure.layout, node), CONFIG))
    .then(() => { node.dataset.painted = Number(node.dataset.painted ?? 0) + 1; })
    .catch((error) => { node.textContent = error.message; });
}
