"""The little style that Streamlit has no setting for."""

STYLE = """<style>
/* Knobs without effect on a page keep their value and their place in the URL, unseen. */
.st-key-unused { display: none; }
/* A page without knobs needs no place for them; on a phone the same place holds the navigation. */
@media (min-width: 769px) {
  body:has(.st-key-no-knobs) [data-testid="stSidebar"], body:has(.st-key-no-knobs) [data-testid="stExpandSidebarButton"] { display: none; }
}
.st-key-no-knobs { display: none; }
/* Prose stays narrow enough to read; figures take the whole width. */
[data-testid="stMarkdownContainer"] > p, [data-testid="stMarkdownContainer"] > ul, [data-testid="stMarkdownContainer"] > ol { max-width: 46rem; }
[data-testid="stMainBlockContainer"] { padding-top: 4.5rem; padding-bottom: 4rem; max-width: 90rem; }
@media (min-width: 1000px) { [data-testid="stMainBlockContainer"] { padding-inline: 2.5rem; } }
/* A formula wider than a phone scrolls inside itself. */
.katex-display { overflow-x: auto; overflow-y: hidden; padding-block: 0.25rem; text-align: left; }
.katex-display > .katex { text-align: left; }
[data-testid="stImage"] img { image-rendering: pixelated; border-radius: 0.25rem; }
@media (max-width: 640px) { h1 { font-size: 1.9rem !important; } h2 { font-size: 1.45rem !important; } .katex-display { font-size: 0.85em; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
</style>"""
