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
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
    toImageButtonOptions: { filename: name, format: "png", scale: 2 },
  };
  node.setAttribute("role", "img");
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
// The board follows a change of its width a frame later.
async function fit() {
  const settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const columns = () => node.querySelector(".board").style.getPropertyValue("--columns");
  for (const zoom of [1.5, 1.3, 1.15, 1, 0.9, 0.8, 0.7]) {
    let most;
    for (let width = 100; width >= 30; width -= 5) {
      Object.assign(node.style, { zoom, width: `${width}%` });
      await settled();
      most ??= columns();
      if (columns() !== most) break;
      if (document.documentElement.scrollHeight <= innerHeight) return;
    }
  }
}

const draw = sent.type === "application/json" ? drawChart : drawMatrices;
Promise.resolve()
  .then(draw)
  .then(() => { node.dataset.painted = 1; })
  .catch((error) => { node.textContent = error.message; });
