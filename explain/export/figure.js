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

// A slide has no scroll bar: smaller until it fits, as far as it can still be read. The board follows a frame later.
async function fit() {
  const settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (const zoom of [1.5, 1.2, 1]) {
    node.style.zoom = zoom;
    for (let width = 100; width >= 40; width -= 6) {
      node.style.width = `${width}%`;
      await settled();
      if (document.documentElement.scrollHeight <= innerHeight) return;
    }
  }
}

const draw = sent.type === "application/json" ? drawChart : drawMatrices;
Promise.resolve()
  .then(draw)
  .then(() => { node.dataset.painted = 1; })
  .catch((error) => { node.textContent = error.message; });
