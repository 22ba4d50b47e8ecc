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

// The page's own colours. Streamlit calls us when the reader switches the theme; to read them in between styles the page anew.
function lookOf(node) {
  const style = getComputedStyle(node);
  return {
    ink: style.getPropertyValue("--st-text-color").trim() || style.color,
    line: style.getPropertyValue("--st-border-color-light").trim() || "rgba(128,128,128,0.3)",
    paper: style.getPropertyValue("--st-background-color").trim() || "transparent",
    family: style.getPropertyValue("--st-font").trim() || "sans-serif",
  };
}

function themed(layout, { ink, line, paper, family }) {
  const axes = Object.keys(layout).filter((key) => /^[xy]axis\d*$/.test(key));
  const coloured = { ...layout, font: { ...layout.font, color: ink, family } };
  coloured.paper_bgcolor = coloured.plot_bgcolor = "rgba(0,0,0,0)";
  coloured.hoverlabel = { ...layout.hoverlabel, bgcolor: paper, bordercolor: ink, font: { color: ink, family } };
  coloured.annotations = layout.annotations?.map((label) => ({ ...label, bgcolor: paper })); // a curve may run through it
  for (const key of axes) {
    coloured[key] = { ...layout[key], gridcolor: line, zerolinecolor: line, linecolor: line, tickcolor: line };
  }
  return coloured;
}

// No bar of buttons: they speak English, take six stops of the Tab key, and what they do the mouse and the menu below do too.
const CONFIG = { displayModeBar: false };

// Boards come first: a chart takes longer to draw than all of them. Charts wait until the browser has painted, and then are drawn
// one after the other, those on the screen before the others, so that a key pressed meanwhile is not kept waiting. What Streamlit
// does while it runs the page does have to wait.
const waiting = new Map();
let drawing = false;

const soon = (task) => (window.scheduler?.postTask ? scheduler.postTask(task, { priority: "user-blocking" }) : setTimeout(task));

function enqueue(node, draw) {
  waiting.set(node, draw); // newer data take the place of older
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => soon(next));
}

async function next() {
  const nodes = [...waiting.keys()].filter((node) => node.isConnected);
  const node = nodes.find(onScreen) ?? nodes[0];
  if (!node) {
    waiting.clear();
    drawing = false;
    return;
  }
  const draw = waiting.get(node);
  waiting.delete(node);
  await draw().finally(() => soon(next)); // whatever becomes of one, the others are drawn
}

function onScreen(node) {
  const { top, bottom } = node.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

// Plotly's own listener hears the window alone, and measures while the side bar still slides.
const widths = new WeakMap();
const narrowed = new WeakSet(); // or widened: drawn for another width than they have
const sizes = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const before = widths.get(target);
    widths.set(target, contentRect.width);
    if (before === undefined || before === contentRect.width || !contentRect.width) continue;
    narrowed.add(target);
    if (!waiting.has(target)) enqueue(target, () => fit(target));
  }
});

async function fit(node) {
  // Plotly's own "resize" would first wait for more of them, and the other charts with it.
  if (narrowed.delete(node) && node._fullLayout && node.clientWidth) await window.Plotly.relayout(node, { autosize: true });
}

const shown = new WeakMap(); // the message and the look that each chart shows, or will when its turn has come

function show(node, message, script, look) {
  const before = shown.get(node);
  if (before?.message === message && JSON.stringify(before.look) === JSON.stringify(look)) return;
  shown.set(node, { message, look });
  const { figure, alt } = JSON.parse(message);
  node.style.height = `${figure.layout.height}px`; // the page must not jump when the chart arrives
  node.setAttribute("role", "figure"); // not img: its buttons can be reached
  node.setAttribute("aria-label", alt);
  enqueue(node, () =>
    plotly(script)
      .then((Plotly) => Plotly.react(node, figure.data, themed(figure.layout, look), CONFIG))
      .then(() => fit(node))
      .then(() => { node.dataset.painted = Number(node.dataset.painted ?? 0) + 1; })
      .catch((error) => { node.textContent = error.message; }),
  );
}

export default function ({ data, parentElement }) {
  const node = parentElement.querySelector(".chart");
  const look = lookOf(node);
  const follow = ({ detail }) => show(node, new TextDecoder().decode(detail), data.script, look);
  // The look may be new even where the figure is late.
  const late = shown.has(node) && window.figuresAreLate?.();
  show(node, late ? shown.get(node).message : data.message, data.script, look);
  sizes.observe(node);
  document.addEventListener(`figure:${data.key}`, follow); // what a slider that moves asks for: explain/live
  return () => {
    sizes.unobserve(node);
    document.removeEventListener(`figure:${data.key}`, follow);
  };
}
