// Figures follow a slider while it moves. Streamlit runs a page again when a slider is let go of; until then, and while that run is on its
// way, what the page would draw is asked for over plain HTTP, by the page's own address with the slider's new value in it.
//
// Boards and charts listen for the event "figure:<key>" and don't know where it comes from. What a run of the page sends later is the same,
// byte for byte, and is not drawn again. A run that began before the slider's last move is late: its figures are left out.

const LATE = 3000; // ms after which a run counts as it comes, whatever the sliders say

const state = { address: "", values: {}, look: "", moved: new Map(), at: -Infinity, wanted: false, asking: false };

export default function ({ data }) {
  Object.assign(state, data); // address, values, look: what the run knew whose figures come now
  for (const [knob, value] of state.moved) if (state.values[knob] === value) state.moved.delete(knob);
  // A slider that was moved and moved back again is where the run has it.
  const elsewhere = ([knob, value]) => state.values[knob] !== value;
  window.figuresAreLate = () => [...state.moved].some(elsewhere) && performance.now() - state.at < LATE;
  const observer = new MutationObserver((changes) => changes.forEach(({ target }) => follow(target)));
  observer.observe(document.body, { subtree: true, attributeFilter: ["value"] }); // a drag changes the attribute and tells nobody
  const typed = ({ target }) => follow(target); // an arrow key is told before anything else has happened
  document.addEventListener("input", typed, true);
  return () => {
    observer.disconnect();
    document.removeEventListener("input", typed, true);
  };
}

function follow(input) {
  if (input.type !== "range") return;
  const knob = knobOf(input);
  const value = Number(input.value);
  if (!(knob in state.values) || (state.moved.get(knob) ?? state.values[knob]) === value) return;
  if (performance.now() - state.at >= LATE) state.moved.clear(); // runs have told of those since, or never will
  state.moved.set(knob, value);
  state.at = performance.now();
  state.wanted = true;
  ask();
}

function knobOf(input) {
  const holder = input.closest("[class*=st-key-]");
  return [...(holder?.classList ?? [])].find((name) => name.startsWith("st-key-"))?.slice("st-key-".length);
}

// One question at a time: while it is answered, the slider moves on, and the next one asks for where it is then.
function ask() {
  if (state.asking || !state.wanted) return;
  state.wanted = false;
  state.asking = true;
  const query = new URLSearchParams(location.search);
  for (const [name, value] of [...state.moved, ...new URLSearchParams(state.look)]) query.set(name, value);
  reader ??= startReader();
  reader.postMessage(`${location.origin}${state.address}?${query}`);
}

// A thread of its own puts an answer together: here every piece of it would have to wait for its turn between Streamlit's messages.
let reader;

function startReader() {
  const worker = new Worker(URL.createObjectURL(new Blob([`(${read})()`], { type: "text/javascript" })));
  worker.onmessage = ({ data: figure }) => {
    if (figure) {
      document.dispatchEvent(new CustomEvent(`figure:${figure.key}`, { detail: figure.bytes }));
      return;
    }
    state.asking = false; // answered, or not to be answered: the run of the page has the last word anyway
    ask();
  };
  return worker;
}

function read() {
  onmessage = async ({ data: address }) => {
    await answer(address).catch(() => {});
    postMessage(null);
  };

  async function answer(address) {
    const response = await fetch(address);
    if (!response.ok) return;
    const body = response.body.getReader();
    let [parts, have, wanted] = [[], 0, 4]; // put together once enough has come for a figure
    for (let part; !(part = await body.read()).done; ) {
      parts.push(part.value);
      have += part.value.length;
      if (have < wanted) continue;
      let left = joined(parts, have);
      let figure;
      while ((figure = first(left)).key) {
        postMessage({ key: figure.key, bytes: figure.bytes }, [figure.bytes.buffer]);
        left = left.subarray(figure.end);
      }
      [parts, have, wanted] = [[left], left.length, figure.end];
    }
  }

  function joined(parts, length) {
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  // A figure: length of its key, the key, length of its bytes, the bytes. Lengths are uint32, little-endian.
  // Where not all of it is there, only where it ends, as far as that is known.
  function first(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 4) return { end: 4 };
    const start = 4 + view.getUint32(0, true) + 4;
    if (bytes.length < start) return { end: start };
    const end = start + view.getUint32(start - 4, true);
    if (bytes.length < end) return { end };
    return { key: new TextDecoder().decode(bytes.subarray(4, start - 4)), bytes: bytes.slice(start, end), end };
  }
}
