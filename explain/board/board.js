// The matrix board: paints the matrices Python sent and reads out one shared cell. No mathematics here.
//
// A cell is one value per axis key, so panels that share an axis share its crosshair line. Cells are remembered as real
// indices ({i: 12, j: 3}), not as drawn positions: when the matrix grows or is drawn at another stride, the same pair stays.
//   kept   the cell a click, tap or Enter chose, or Python set
//   now    where pointer or arrow keys are; null while nobody points, then the kept cell is shown
// Streamlit calls the default export again on every data or theme change; the node survives, so state hangs on it.

const boards = new WeakMap();

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const host = parentElement.querySelector(".board");
  if (!boards.has(host)) boards.set(host, createBoard(host));
  const board = boards.get(host);
  board.send = (cell) => {
    // Streamlit drops a state equal to the last one, which Python may have moved away from since: then say "again".
    if (sameCell(cell, board.sent)) setTriggerValue("again", true);
    else setStateValue("cell", cell);
    board.sent = cell;
  };
  if (!board.head || !window.figuresAreLate?.()) receive(board, data);
  setTheme(board);
  const key = `figure:${keyOf(host)}`;
  const follow = ({ detail }) => receive(board, detail);
  document.addEventListener(key, follow); // what a slider that moves asks for: explain/live
  board.observer.observe(host);
  return () => {
    board.observer.disconnect();
    document.removeEventListener(key, follow);
  };
}

// The key that Streamlit's element around the board has.
function keyOf(host) {
  const holder = host.getRootNode().host?.closest("[class*=st-key-]");
  return [...(holder?.classList ?? [])].find((name) => name.startsWith("st-key-"))?.slice("st-key-".length);
}

// ---------------------------------------------------------------- message

function receive(board, bytes) {
  if (board.bytes && sameBytes(bytes, board.bytes)) return;
  board.bytes = bytes.slice(); // Streamlit's bytes start at an odd address; floats need a multiple of 4
  const { head, floats } = unpack(board.bytes);
  board.head = head;
  board.floats = floats;
  takeCell(board);
  buildPanels(board);
  buildLegend(board);
  buildReadout(board);
  layout(board);
  paint(board);
  showCell(board);
}

function sameBytes(one, other) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

function unpack(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { head, floats: new Float32Array(bytes.buffer, 4 + length) };
}

// A cell from Python wins only when Python changed it; otherwise new data would undo the reader's choice.
function takeCell(board) {
  const { cell, axes } = board.head;
  if (!cell) return;
  const real = Object.fromEntries(Object.entries(cell).map(([key, place]) => [key, axes[key].index[place]]));
  if (sameCell(real, board.fromPython)) return;
  board.fromPython = real;
  board.kept = { ...board.kept, ...real };
}

const sameCell = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// ---------------------------------------------------------------- nodes

function element(tag, className, parent, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text; // never innerHTML: labels are what readers typed
  parent?.append(node);
  return node;
}

// A token in its own direction, so that Arabic or Hebrew doesn't reorder what stands around it.
function token(text, parent, className) {
  const node = element("bdi", className, parent, text);
  node.dir = "auto";
  return node;
}

function createBoard(host) {
  host.setAttribute("role", "group");
  const board = { host, panels: new Map(), kept: {}, now: null, painted: 0, width: 0 };
  board.grid = element("div", "grid", host);
  board.readout = element("div", "readout", host);
  board.legend = element("div", "legend", host);
  board.help = element("div", "unseen", host);
  board.help.id = "help";
  board.live = element("div", "unseen live", host);
  board.live.setAttribute("aria-live", "polite");
  board.observer = new ResizeObserver(() => {
    if (host.clientWidth === board.width) return;
    board.width = host.clientWidth;
    layout(board);
    showCell(board);
  });
  return board;
}

// Panels are matched by id and reused: focus stays where it is while data, titles or even absence change.
function buildPanels(board) {
  const { head, host, panels, grid } = board;
  host.setAttribute("aria-label", head.name);
  setText(board.help, head.keys_help);
  const wanted = new Set(head.panels.map((panel) => panel.id));
  for (const [id, panel] of panels) {
    if (!wanted.has(id)) {
      panel.root.remove();
      panels.delete(id);
    }
  }
  head.panels.forEach((spec, place) => {
    if (!panels.has(spec.id)) panels.set(spec.id, createPanel(board, spec.id));
    const panel = panels.get(spec.id);
    describePanel(board, panel, spec);
    if (grid.children[place] !== panel.root) grid.insertBefore(panel.root, grid.children[place] ?? null);
  });
}

function createPanel(board, id) {
  const root = element("div", "panel");
  root.dataset.panel = id;
  const title = element("div", "title", root);
  element("span", "marker", title);
  const panel = { id, root, name: element("span", "name", title), number: element("span", "number", title) };
  panel.rowTitle = element("div", "axis rows", root);
  const body = (panel.body = element("div", "body", root));
  panel.rowTicks = element("div", "ticks rows", body);
  panel.plot = element("div", "plot", body);
  panel.colTicks = element("div", "ticks cols", body);
  panel.colTitle = element("div", "axis cols", body);
  panel.canvas = element("canvas", "", panel.plot);
  for (const mark of ["line row", "line col", "ring kept", "ring now"]) element("div", mark, panel.plot);
  panel.note = element("div", "note", panel.plot);
  panel.rowChip = element("span", "chip");
  panel.colChip = element("span", "chip");
  for (const decoration of [panel.rowTicks, panel.colTicks, panel.canvas, panel.number]) {
    decoration.setAttribute("aria-hidden", "true");
  }
  listen(board, panel);
  return panel;
}

function describePanel(board, panel, spec) {
  const rows = board.head.axes[spec.rows];
  const cols = board.head.axes[spec.cols];
  const absent = spec.at === null;
  panel.spec = spec;
  panel.root.dataset.tone = spec.tone;
  panel.root.classList.toggle("absent", absent);
  setText(panel.name, spec.title);
  setText(panel.rowTitle, rows.title);
  setText(panel.colTitle, cols.title);
  setText(panel.note, absent ? spec.note : "");
  panel.body.style.setProperty("--nr", rows.index.length);
  panel.body.style.setProperty("--nc", cols.index.length);
  describePlot(panel.plot, absent, `${spec.title}: ${rows.title} ${rows.index.length}, ${cols.title} ${cols.index.length}`);
}

// "application": arrow keys go to us, not to a screen reader's own cursor; the live region says what they reach.
function describePlot(plot, absent, label) {
  const attributes = { tabindex: "0", role: "application", "aria-label": label, "aria-describedby": "help" };
  for (const [key, text] of Object.entries(attributes)) {
    if (absent) plot.removeAttribute(key);
    else if (plot.getAttribute(key) !== text) plot.setAttribute(key, text);
  }
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// ---------------------------------------------------------------- pointer and keys

function listen(board, panel) {
  const { plot } = panel;
  plot.addEventListener("pointermove", (event) => pointAt(board, panel, event));
  plot.addEventListener("pointerleave", () => point(board, null));
  plot.addEventListener("click", (event) => {
    pointAt(board, panel, event);
    keep(board);
  });
  plot.addEventListener("keydown", (event) => onKey(board, panel, event));
  plot.addEventListener("blur", () => point(board, null));
  whilePointed(plot, (on) => lightNumbers(board, panel.id, on));
}

function whilePointed(node, light) {
  for (const event of ["pointerenter", "focus"]) node.addEventListener(event, () => light(true));
  for (const event of ["pointerleave", "blur"]) node.addEventListener(event, () => light(false));
}

function pointAt(board, panel, event) {
  if (panel.spec.at === null) return;
  const box = panel.plot.getBoundingClientRect();
  moveTo(board, panel, {
    row: Math.floor(((event.clientY - box.top) / box.height) * size(board, panel.spec.rows)),
    col: Math.floor(((event.clientX - box.left) / box.width) * size(board, panel.spec.cols)),
  });
}

function onKey(board, panel, event) {
  if (panel.spec.at === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = event.shiftKey ? 10 : 1;
  const row = place(board, panel.spec.rows);
  const col = place(board, panel.spec.cols);
  const moves = {
    ArrowUp: { row: row - step, col },
    ArrowDown: { row: row + step, col },
    ArrowLeft: { row, col: col - step },
    ArrowRight: { row, col: col + step },
    PageUp: { row: row - 10, col },
    PageDown: { row: row + 10, col },
    Home: { row, col: 0 },
    End: { row, col: Infinity },
  };
  if (moves[event.key]) moveTo(board, panel, moves[event.key]);
  else if (event.key === "Enter" || event.key === " ") keep(board);
  else if (event.key === "Escape") point(board, null);
  else return;
  event.preventDefault();
}

function moveTo(board, { spec }, { row, col }) {
  point(board, {
    ...shownCell(board),
    [spec.rows]: realAt(board, spec.rows, row),
    [spec.cols]: realAt(board, spec.cols, col),
  });
}

function point(board, cell) {
  if (sameCell(cell, board.now)) return;
  board.now = cell;
  cancelAnimationFrame(board.frame); // pointers report faster than screens draw
  board.frame = requestAnimationFrame(() => showCell(board));
}

function keep(board) {
  const cell = shownCell(board);
  if (sameCell(cell, board.kept)) return; // Python knows it
  board.kept = cell;
  showCell(board);
  board.send(cell);
}

// A panel and its numbers in the readout point at each other.
function lightNumbers(board, id, on) {
  for (const number of board.readout.querySelectorAll(`.value[data-of="${id}"]`)) number.classList.toggle("lit", on);
}

function lightPanel(board, id, on) {
  board.panels.get(id)?.root.classList.toggle("lit", on);
}

// ---------------------------------------------------------------- the cell

const size = (board, key) => board.head.axes[key].index.length;

function realAt(board, key, position) {
  const { index } = board.head.axes[key];
  return index[Math.max(0, Math.min(index.length - 1, position))];
}

// The drawn position of the shown cell on one axis: the same real index if it is drawn, else the closest one.
function place(board, key, cell = board.now ?? board.kept) {
  const { index } = board.head.axes[key];
  const real = cell[key] ?? index[0];
  const exact = index.indexOf(real);
  if (exact >= 0) return exact;
  return index.reduce((best, at, position) => (Math.abs(at - real) < Math.abs(index[best] - real) ? position : best), 0);
}

function shownCell(board) {
  return Object.fromEntries(Object.keys(board.head.axes).map((key) => [key, realAt(board, key, place(board, key))]));
}

function valueAt(board, spec) {
  if (spec.at === null) return null;
  return board.floats[spec.at + place(board, spec.rows) * size(board, spec.cols) + place(board, spec.cols)];
}

function showCell(board) {
  const cell = shownCell(board);
  board.host.dataset.cell = Object.entries(cell).map(([key, real]) => `${key}=${real}`).join(",");
  for (const panel of board.panels.values()) showInPanel(board, panel);
  for (const fill of board.fills) fill();
  speak(board);
}

function showInPanel(board, panel) {
  const { spec, body } = panel;
  const [row, col] = [place(board, spec.rows), place(board, spec.cols)];
  const [keptRow, keptCol] = [place(board, spec.rows, board.kept), place(board, spec.cols, board.kept)];
  body.style.setProperty("--r", row);
  body.style.setProperty("--c", col);
  body.style.setProperty("--kr", keptRow);
  body.style.setProperty("--kc", keptCol);
  body.classList.toggle("away", row !== keptRow || col !== keptCol);
  setText(panel.number, valueText(board, spec));
  markTick(board, panel.rowTicks, panel.rowChip, spec.rows, row, panel.box?.height, () => 14);
  markTick(board, panel.colTicks, panel.colChip, spec.cols, col, panel.box?.width, (chip) => textWidth(board, chip) + 14);
}

// The crosshair's own tick: the label that stands there, or a chip with the index where ticks were thinned out.
// A chip hides the ticks it would touch, those closer than `roomOf` its text in px.
function markTick(board, ticks, chip, key, position, pixels, roomOf) {
  const all = [...ticks.children].filter((tick) => tick !== chip);
  const own = all.some((tick) => Number(tick.dataset.at) === position);
  const cell = pixels / size(board, key);
  const label = minus(String(realAt(board, key, position)));
  const room = roomOf(label);
  for (const tick of all) {
    const away = Math.abs(Number(tick.dataset.at) - position);
    tick.classList.toggle("on", away === 0);
    tick.classList.toggle("under", !own && away * cell < room);
  }
  setText(chip, label);
  if (own) chip.remove();
  else if (chip.parentNode !== ticks) ticks.append(chip);
}

// ---------------------------------------------------------------- readout

const PLACEHOLDER = /\{([^{}]+)\}/;

function buildReadout(board) {
  const signature = JSON.stringify([board.head.readout, board.head.panels.map(({ id, tone }) => [id, tone])]);
  if (signature === board.readoutSignature) return;
  board.readoutSignature = signature;
  board.fills = [];
  board.readout.replaceChildren();
  for (const template of board.head.readout) {
    const line = element("div", "sentence", board.readout);
    template.split(PLACEHOLDER).forEach((part, order) => {
      if (order % 2) insertPlaceholder(board, line, part);
      else if (part) line.append(part);
    });
  }
}

function insertPlaceholder(board, line, word) {
  const isPanel = board.panels.has(word);
  const node = isPanel ? element("span", "value", line) : token("", line, "token");
  board.fills.push(() => setText(node, wordText(board, word)));
  if (!isPanel) return;
  node.dataset.of = word;
  node.dataset.tone = board.panels.get(word).spec.tone;
  node.tabIndex = -1; // reachable by click and script; the tab order holds one stop per panel
  whilePointed(node, (on) => lightPanel(board, word, on));
}

function wordText(board, word) {
  const panel = board.panels.get(word);
  if (panel) return valueText(board, panel.spec);
  const [key, label] = word.split(".");
  const axis = board.head.axes[key];
  return label ? called(axis.labels[place(board, key)]) : minus(String(axis.index[place(board, key)]));
}

function valueText(board, spec) {
  const value = valueAt(board, spec);
  if (value === null) return "–";
  if (Number.isNaN(value)) return board.head.masked.label;
  return spec.whole ? minus(String(value)) : numberText(value);
}

const minus = (text) => text.replaceAll("-", "−");
const called = (label) => label.replace(/^-(?=\d)/, "−"); // a word keeps its hyphens

const SUPERSCRIPT = { "-": "⁻", "+": "", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

// Four decimals; outside of what four decimals of a float32 can say, powers of ten.
function numberText(value) {
  const size = Math.abs(value);
  if (size === 0) return "0.0000";
  if (size >= 1e-4 && size < 1e6) return minus(value.toFixed(size < 1000 ? 4 : 1));
  const [digits, power] = value.toExponential(3).split("e");
  return `${minus(digits)}×10${[...power].map((sign) => SUPERSCRIPT[sign]).join("")}`;
}

function shortText(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e5) return minus(value.toExponential(1));
  return minus(String(Number(value.toPrecision(3))));
}

// Waits until the pointer rests, else a listener would hear every cell on the way. The first cell is not news.
function speak(board) {
  const text = board.head.spoken
    .split(PLACEHOLDER)
    .map((part, order) => (order % 2 ? wordText(board, part) : part))
    .join("");
  const first = board.spoken === undefined;
  if (text === board.spoken) return;
  board.spoken = text;
  if (first) return;
  clearTimeout(board.speaking);
  board.speaking = setTimeout(() => setText(board.live, text), 250);
}

// ---------------------------------------------------------------- legend

function buildLegend(board) {
  const { head, legend } = board;
  const used = [...new Set(head.panels.filter(({ at }) => at !== null).map(({ scale }) => scale))];
  const scales = used.map((key) => head.scales[key]);
  const signature = JSON.stringify([scales, head.masked]);
  if (signature === board.legendSignature) return;
  board.legendSignature = signature;
  legend.replaceChildren();
  for (const scale of scales) buildColourBar(scale, legend);
  if (head.masked.any) {
    const swatch = element("div", "masked", legend);
    element("span", "swatch", swatch);
    element("span", "", swatch, head.masked.label);
  }
}

function buildColourBar({ title, low, high, stops }, legend) {
  const bar = element("div", "bar", legend);
  element("div", "bar-title", bar, title);
  const stripe = element("div", "stripe", bar);
  stripe.style.background = `linear-gradient(to right, ${stops.map(([at, colour]) => `${colour} ${at * 100}%`).join(", ")})`;
  const numbers = element("div", "numbers", bar);
  for (const value of [low, (low + high) / 2, high]) element("span", "", numbers, shortText(value));
}

// ---------------------------------------------------------------- colours

const SHADES = 1024;
const tables = new Map();

// Colours of a scale as little-endian RGBA words, interpolated linearly in RGB as Plotly does.
function colourTable({ stops }) {
  const name = JSON.stringify(stops);
  if (!tables.has(name)) {
    tables.set(name, Uint32Array.from({ length: SHADES }, (_, shade) => colourAt(stops, shade / (SHADES - 1))));
  }
  return tables.get(name);
}

function colourAt(stops, at) {
  const upper = Math.max(1, stops.findIndex(([place]) => place >= at));
  const [[from, low], [to, high]] = [stops[upper - 1], stops[upper]];
  const share = to > from ? (at - from) / (to - from) : 1;
  const [start, end] = [parseInt(low.slice(1), 16), parseInt(high.slice(1), 16)];
  const channel = (shift) => {
    const [a, b] = [(start >> shift) & 255, (end >> shift) & 255];
    return Math.round(a + share * (b - a));
  };
  return ((255 << 24) | (channel(0) << 16) | (channel(8) << 8) | channel(16)) >>> 0;
}

// One canvas pixel per cell; CSS enlarges it without smoothing, so it is sharp at any size and pixel ratio.
// Masked cells stay transparent and show the stripes behind, which follow the theme without repainting.
function paint(board) {
  const start = performance.now();
  for (const { spec, canvas } of board.panels.values()) {
    if (spec.at !== null) paintPanel(board, spec, canvas);
  }
  board.host.dataset.paintMs = (performance.now() - start).toFixed(2);
  board.host.dataset.painted = ++board.painted;
}

function paintPanel(board, spec, canvas) {
  const [rows, cols] = [size(board, spec.rows), size(board, spec.cols)];
  if (canvas.width !== cols) canvas.width = cols;
  if (canvas.height !== rows) canvas.height = rows;
  const { low, high } = board.head.scales[spec.scale];
  const table = colourTable(board.head.scales[spec.scale]);
  const perValue = high > low ? (SHADES - 1) / (high - low) : 0;
  const origin = high > low ? 0 : (SHADES - 1) / 2; // a range without width: the middle colour
  const image = new ImageData(cols, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const values = board.floats.subarray(spec.at, spec.at + pixels.length);
  for (let at = 0; at < pixels.length; at++) {
    const value = values[at];
    if (value !== value) continue; // NaN
    const shade = origin + (value - low) * perValue + 0.5;
    pixels[at] = table[shade < 0 ? 0 : shade >= SHADES ? SHADES - 1 : shade | 0];
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
}

// Tones come as one shade per theme; Streamlit says which theme by its background only.
function setTheme(board) {
  const { host, head } = board;
  const theme = isDark(getComputedStyle(host).getPropertyValue("--st-background-color")) ? "dark" : "light";
  host.dataset.theme = theme;
  for (const [tone, shades] of Object.entries(head.tones)) host.style.setProperty(`--tone-${tone}`, shades[theme]);
}

const darkness = new Map();

function isDark(colour) {
  if (!darkness.has(colour)) darkness.set(colour, measuredDark(colour));
  return darkness.get(colour);
}

function measuredDark(colour) {
  const probe = new OffscreenCanvas(1, 1).getContext("2d");
  probe.fillStyle = colour.trim() || "#ffffff";
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
}

// ---------------------------------------------------------------- layout

const GAP = 20;
const TALLEST = 420;
const NARROWEST = 120;

function layout(board) {
  const { host, head } = board;
  board.width ||= host.clientWidth; // once: to ask for it lays out the page, and the observer tells when it changes
  if (!board.width) return; // in a hidden tab: the observer calls again
  const columns = columnCount(board.width, Math.min(head.columns, head.panels.length || 1));
  const narrow = board.width < 480;
  const gap = narrow ? 12 : GAP;
  host.classList.toggle("narrow", narrow);
  host.style.setProperty("--columns", columns);
  host.style.setProperty("--gap", `${gap}px`);
  const column = (board.width - gap * (columns - 1)) / columns;
  board.labelled = rowLabelsFit(board, column);
  const gutter = gutterWidth(board);
  host.style.setProperty("--gutter", `${gutter}px`);
  const boxes = plotSizes(board, Math.floor(column - gutter));
  const rooms = [...board.panels.values()].map((panel) => {
    const box = boxes.get(panel.id);
    panel.root.style.order = columns === head.columns ? head.wide.indexOf(panel.id) : "";
    panel.root.style.setProperty("--width", `${box.width}px`);
    panel.root.style.setProperty("--height", `${box.height}px`);
    panel.box = box;
    buildTicks(panel.rowTicks, rowTicks(board, panel.spec.rows, box.height), "top");
    const cols = colTicks(board, panel.spec.cols, box.width);
    buildTicks(panel.colTicks, cols, "left");
    return cols.room;
  });
  host.style.setProperty("--col-room", `${Math.max(0, ...rooms)}px`);
}

function columnCount(width, wanted) {
  if (width >= 240 * wanted) return wanted;
  return Math.min(wanted, width >= 320 ? 2 : 1);
}

// Cells of a square matrix are square. Panels with the same rows are equally high, so a row runs level across them.
function plotSizes(board, room) {
  const shape = ({ spec }) => [size(board, spec.rows), size(board, spec.cols)];
  const panels = [...board.panels.values()];
  const heights = new Map();
  for (const panel of panels) {
    const [rows, cols] = shape(panel);
    const square = panels.some((other) => other.spec.rows === panel.spec.rows && shape(other)[0] === shape(other)[1]);
    const wanted = square ? room : Math.max(28, (room * rows) / cols, heights.get(panel.spec.rows) ?? 0);
    heights.set(panel.spec.rows, Math.min(TALLEST, Math.round(wanted)));
  }
  return new Map(panels.map((panel) => {
    const [rows, cols] = shape(panel);
    const height = heights.get(panel.spec.rows);
    const width = rows === cols ? height : Math.min(room, Math.max(NARROWEST, cols * 40));
    return [panel.id, { width: Math.min(room, width), height }];
  }));
}

const isNarrow = (board) => board.host.classList.contains("narrow");
const rowLabelLimit = (board) => (isNarrow(board) ? 36 : 72); // the same limits stand in board.css
const colLabelLimit = (board) => (isNarrow(board) ? 46 : 72);

const line = (board) => (isNarrow(board) ? 11 : 12); // px a label needs across its direction

const widest = (board, texts) => Math.max(0, ...texts.map((text) => textWidth(board, text)));

// Decided once for the whole board, with the room labels would leave: either every row is labelled or rows are numbered.
function rowLabelsFit(board, column) {
  const keys = [...new Set([...board.panels.values()].map(({ spec }) => spec.rows))];
  const gutter = 8 + Math.min(rowLabelLimit(board), widest(board, keys.flatMap((key) => board.head.axes[key].labels)));
  const height = Math.min(TALLEST, column - gutter);
  return keys.every((key) => height / size(board, key) >= line(board));
}

function gutterWidth(board) {
  const texts = [...board.panels.values()].flatMap(({ spec }) => {
    const { labels, index } = board.head.axes[spec.rows];
    return board.labelled ? labels : index.map(String);
  });
  return 8 + Math.ceil(Math.min(rowLabelLimit(board), Math.max(8, widest(board, texts))));
}

function rowTicks(board, key, height) {
  const axis = board.head.axes[key];
  const cell = height / axis.index.length;
  return { ticks: board.labelled ? everyLabel(axis) : thinned(axis, cell, 2 * line(board)) };
}

// All labels if they fit, lying or else standing; numbers never stand, they are thinned out instead.
function colTicks(board, key, width) {
  const axis = board.head.axes[key];
  const cell = width / axis.index.length;
  const longest = widest(board, axis.labels);
  if (longest + 6 <= cell) return { ticks: everyLabel(axis), room: 16 };
  const numbers = axis.labels.every((label, at) => minus(label) === minus(String(axis.index[at])));
  if (board.labelled && cell >= line(board) && !numbers) {
    return { ticks: everyLabel(axis), standing: true, room: Math.ceil(Math.min(longest, colLabelLimit(board)) + 6) };
  }
  return { ticks: thinned(axis, cell, widest(board, axis.index.map(String)) + 14), room: 16 };
}

const everyLabel = (axis) => axis.labels.map((label, at) => ({ at, text: called(label), of: axis.index.length }));

// Real positions at round steps, the smallest step whose ticks stay `room` apart.
function thinned(axis, cell, room) {
  const { index } = axis;
  const tick = (at) => ({ at, text: minus(String(index[at])), of: index.length });
  for (const step of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000]) {
    const places = index.map((_, at) => at).filter((at) => index[at] % step === 0);
    if (places.length < 2) break;
    if (places.every((at, order) => order === 0 || (at - places[order - 1]) * cell >= room)) return places.map(tick);
  }
  const last = index.length - 1; // no round step is drawn often enough: the ends say the range
  return last > 0 && last * cell >= room ? [tick(0), tick(last)] : [tick(0)];
}

function buildTicks(box, { ticks, standing = false }, side) {
  const signature = JSON.stringify([ticks, standing]);
  if (signature === box.dataset.signature) return;
  box.dataset.signature = signature;
  box.classList.toggle("standing", standing);
  box.replaceChildren();
  for (const { at, text, of } of ticks) {
    const tick = token(text, box, "tick");
    tick.dataset.at = at;
    tick.style[side] = `${((at + 0.5) / of) * 100}%`;
  }
}

let ruler;
const widths = new Map(); // measuring takes long, and the same words come with each figure

function textWidth(board, text) {
  const font = `${isNarrow(board) ? 10 : 11}px ${getFamily(board)}`;
  const name = `${font} ${text}`;
  if (!widths.has(name)) {
    if (widths.size > 10000) widths.clear();
    ruler ??= new OffscreenCanvas(1, 1).getContext("2d");
    ruler.font = font;
    widths.set(name, ruler.measureText(text).width);
  }
  return widths.get(name);
}

function getFamily(board) {
  board.family ??= getComputedStyle(board.host).fontFamily;
  return board.family;
}
