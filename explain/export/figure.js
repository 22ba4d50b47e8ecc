// A figure as a web page of its own: matrices on the app's own board, everything else by Plotly.

const node = document.getElementById("figure");
const sent = document.getElementById("sent");
const present = document.body.classList.contains("present");

function drawChart() {
  const { data, layout, name } = JSON.parse(sent.textContent);
  const config = {
    displaylogo: false,
    responsive: true,
    displayModeBar: present ? false : "hover",
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d", "sendChartToCloud"],
    toImageButtonOptions: { filename: name, format: "png", scale: 2 },
  };
  node.setAttribute("role", "figure"); // not img: its buttons can be reached
  return Plotly.newPlot(node, data, layout, config);
}

function drawMatrices() {
  const bytes = Uint8Array.from(atob(sent.textContent), (sign) => sign.charCodeAt(0));
  const board = document.createElement("div");
  board.className = "board";
  node.append(board);
  window.drawBoard({ data: bytes, parentElement: node, setStateValue() {}, setTriggerValue() {} });
  if (!present) return undefined;
  addEventListener("resize", fit);
  return fit();
}

// A slide has no scroll bar: narrower, then smaller, until it fits; never so narrow that fewer matrices stand beside each other.
// The board follows a change of its width a frame later. A slide that changes its size meanwhile starts anew.
let fits = 0;

async function fit() {
  const mine = ++fits;
  const settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const columns = () => node.querySelector(".board").style.getPropertyValue("--columns");
  let tried = {};
  for (const zoom of [1.5, 1.25, 1, 0.85, 0.7, 0.6, 0.5]) {
    let most;
    for (let width = 100; width >= 30; width -= 5) {
      Object.assign(node.style, { zoom, width: `${width}%` });
      await settled();
      if (mine !== fits) return;
      most ??= columns();
      if (columns() !== most) break;
      tried = { zoom, width: `${width}%` };
      if (document.documentElement.scrollHeight <= innerHeight) return;
    }
  }
  Object.assign(node.style, tried);
}

const draw = sent.type === "application/json" ? drawChart : drawMatrices;
Promise.resolve()
  .then(draw)
  .then(() => { node.dataset.painted = 1; })
  .catch((error) => { node.textContent = error.message; });
