"use strict";

// The page: a text, its words as buttons, and a dialog of substitutes for one of them. What comes
// from the text or the server is set as text only.

const $ = (id) => document.getElementById(id);
const NAMES = { n: "noun", v: "verb", a: "adjective", r: "adverb" };
const LONGEST = 20000; // characters shown as words; the rest stays in the field above
const EXAMPLE =
  "The wine was too strong to drink. She gave a bright answer and left early, " +
  "because the long road home ran through a dark forest.";
const LANGUAGE = $("text").lang;
const BLOCK = 1000; // characters that are asked about at a time, beforehand; a paragraph ends them
const KNOWN = 500; // blocks of which the answer is remembered

if (!Intl.Segmenter) {
  $("status").textContent = "This browser is too old for the page: it cannot tell words apart.";
  throw new Error("Intl.Segmenter is missing");
}

const sentences = new Intl.Segmenter(LANGUAGE, { granularity: "sentence" });
const words = new Intl.Segmenter(LANGUAGE, { granularity: "word" });
const before = []; // texts before each word that was put in
let written = ""; // the text on view
let shown = []; // its words: { node, sentence, start, end }
let current = 0; // the one that Tab reaches
let last = 0; // the last one of those to be replaced: give up is two
let asking = null; // what is being asked
let offered = []; // the substitutes on view
let looked = null; // the one of them that stands in its word's place meanwhile
let waiting = 0; // the timer behind what is written and not on view yet
let blocks = []; // the text in pieces: { text, words }
let marking = null; // the request of which words have good substitutes
let later = 0;
const known = new Map(); // text of a block: the spans of its words that have good substitutes

function make(name, content = "", classes = "") {
  const node = document.createElement(name);
  node.textContent = content;
  if (classes) node.className = classes;
  return node;
}

// The text as words ----------------------------------------------------------

function render() {
  closed();
  const whole = (written = $("text").value);
  const nodes = [];
  let paragraph = true;
  shown = [];
  blocks = [];
  for (const { segment, index } of sentences.segment(whole.slice(0, LONGEST))) {
    const node = make("span");
    const text = segment.trimEnd();
    const sentence = { node, text, behind: segment.slice(text.length), start: index };
    const first = shown.length;
    for (const piece of words.segment(segment)) node.append(pieceNode(piece, sentence));
    sentence.nodes = [...node.childNodes];
    if (paragraph || blocks.at(-1).text.length + segment.length > BLOCK) {
      blocks.push({ text: "", start: index, words: [] });
    }
    blocks.at(-1).text += segment;
    blocks.at(-1).words.push(...shown.slice(first));
    paragraph = sentence.behind.includes("\n");
    nodes.push(node);
  }
  $("words").replaceChildren(...nodes);
  say(whole.length > LONGEST ? `The first ${LONGEST} characters are shown as words.` : "");
  current = Math.min(current, Math.max(shown.length - 1, 0));
  if (shown.length) shown[current].node.tabIndex = 0;
  clearTimeout(waiting);
  waiting = 0;
  clearTimeout(later);
  if (marking) marking.abort();
  later = setTimeout(mark, 500);
}

// Mark the words that have good substitutes, block by block. What fails here is not said: a word
// that is not marked can be asked about all the same.
async function mark() {
  const mine = (marking = new AbortController());
  for (const { text, start, words } of blocks) {
    if (!text.trim()) continue;
    if (!known.has(text)) {
      const found = await good(text, mine.signal).catch(() => null);
      if (found === null || mine.signal.aborted) return;
      if (known.size >= KNOWN) known.clear();
      known.set(text, found);
    }
    for (const word of words) {
      const place = word.sentence.start - start;
      if (!known.get(text).some((span) => span.start <= place + word.start && place + word.end <= span.end)) continue;
      word.node.classList.add("good");
      word.node.title = "It has good substitutes.";
      $("good").hidden = false;
    }
  }
}

// The spans of a text's words whose best substitute is more probably right than wrong.
async function good(text, signal) {
  const answer = await fetch("text", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text, n: 1 }),
    signal,
  });
  if (answer.status === 422) return []; // too long without a stop
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const places = [0]; // of characters, of which some are two units of a JavaScript string
  for (const character of text) places.push(places.at(-1) + character.length);
  const found = (await answer.json()).words.filter((word) => word.suggestions.length && !word.unsure);
  return found.map(({ start, end }) => ({ start: places[start], end: places[end] }));
}

function pieceNode({ segment, index, isWordLike }, sentence) {
  if (!isWordLike) return document.createTextNode(segment);
  const node = make("button", segment, "word");
  const place = shown.length;
  node.type = "button";
  node.tabIndex = -1;
  node.setAttribute("aria-haspopup", "dialog");
  node.setAttribute("aria-expanded", "false");
  node.addEventListener("click", () => open(place));
  shown.push({ node, sentence, start: index, end: index + segment.length });
  return node;
}

function reach(place) {
  if (!shown.length) return;
  shown[current].node.tabIndex = -1;
  current = Math.min(Math.max(place, 0), shown.length - 1);
  shown[current].node.tabIndex = 0;
  shown[current].node.focus();
}

function say(message) {
  $("status").textContent = message;
}

function moved(key) {
  if (key === "ArrowRight") return current + 1;
  if (key === "ArrowLeft") return current - 1;
  if (key === "Home") return 0;
  if (key === "End") return shown.length - 1;
  if (key === "ArrowDown") return nearest(1);
  if (key === "ArrowUp") return nearest(-1);
  return null;
}

// The word above or below, the one nearest in the next line that has any.
function nearest(direction) {
  const here = shown[current].node.getBoundingClientRect();
  const middle = (one) => one.left + one.width / 2;
  let best = current;
  let line = null;
  for (let i = current + direction; i >= 0 && i < shown.length; i += direction) {
    const box = shown[i].node.getBoundingClientRect();
    if (Math.abs(box.top - here.top) < 4) continue;
    if (line !== null && Math.abs(box.top - line.top) > 4) break;
    if (line === null || Math.abs(middle(box) - middle(here)) < Math.abs(middle(line) - middle(here))) {
      best = i;
      line = box;
    }
  }
  return best;
}

// The dialog -----------------------------------------------------------------

function open(place) {
  closed(); // the browser may not have told yet that Escape did it
  if (waiting) place = renewed(place);
  if (place < 0) return;
  reach(place);
  say("");
  document.body.classList.add("open");
  $("choices").showModal();
  extend(place);
}

// Put what is written on view, and return where a word has gone; -1 where it was changed itself.
function renewed(place) {
  const { node, sentence, start, end } = shown[place];
  const old = written;
  render();
  const [head] = shared(old, written);
  const at = sentence.start + start;
  const now = sentence.start + end > head ? at + written.length - old.length : at;
  return shown.findIndex(
    (word) => word.sentence.start + word.start === now && word.node.textContent === node.textContent,
  );
}

// How many characters two texts have in common at either end.
function shared(one, two) {
  const most = Math.min(one.length, two.length);
  let head = 0;
  while (head < most && one[head] === two[head]) head++;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === two.at(-1 - tail)) tail++;
  return [head, tail];
}

// Ask for the words from the current one to another.
function extend(to) {
  last = to;
  for (const { node } of shown.slice(current, last + 1)) node.setAttribute("aria-expanded", "true");
  $("choices-title").textContent = `Instead of “${chosen()}”`;
  const next = shown[last + 1];
  $("more").hidden = !next || next.sentence !== shown[current].sentence;
  if (!$("more").hidden) $("more").textContent = `Together with “${next.node.textContent}”`;
  $("choices-title").focus();
  ask("");
}

function chosen() {
  const { sentence, start } = shown[current];
  return sentence.text.slice(start, shown[last].end);
}

async function ask(pos) {
  if (asking) asking.abort();
  const mine = (asking = new AbortController());
  const { sentence, start } = shown[current];
  const { end } = shown[last];
  clear("Looking …");
  stand();
  try {
    const answer = await fetch("suggest", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      // Offsets are counted in characters, of which some are two units of a JavaScript string.
      body: JSON.stringify({
        text: sentence.text,
        start: [...sentence.text.slice(0, start)].length,
        end: [...sentence.text.slice(0, end)].length,
        pos,
        explain: true,
      }),
      signal: mine.signal,
    });
    const found = await answer.json();
    if (mine !== asking) return;
    if (answer.ok) list(found);
    else fail(found.error);
  } catch (error) {
    if (mine === asking && error.name !== "AbortError") fail("The server does not answer.");
  }
  if (mine === asking) stand();
}

function clear(message) {
  $("about").textContent = message;
  $("failed").hidden = true;
  $("list").replaceChildren();
  unpreview();
  offered = [];
}

function fail(message) {
  clear("");
  $("failed").hidden = false;
  $("failed").textContent = message;
}

function list(found) {
  const [lemma, pos] = [found.lexelt.slice(0, -2), found.lexelt.slice(-1)];
  const best = found.suggestions;
  $("pos").value = pos;
  const taken = `Taken for the ${NAMES[pos] ?? "word"} “${lemma}”`;
  const several = `${best.length} of ${found.candidates} words, the best first; choose one to put it in.`;
  clear(`${taken}: ${best.length ? several : `no other word is known${found.note && ` (${found.note})`}.`}${found.unsure ? " Nothing fits well." : ""}`);
  const scores = best.map((one) => one.score).filter((score) => score !== null);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const share = (one) => (high > low ? 0.08 + 0.92 * (one.score - low) / (high - low) : 1);
  offered = best;
  $("list").append(...best.map((one) => {
    const item = make("li");
    item.append(choice(one, one.chance ?? share(one)));
    return item;
  }));
  const first = $("list").querySelector("button");
  if (first && document.activeElement === $("choices-title")) first.focus();
}

function choice(one, share) {
  const button = make("button", "", "choice");
  button.type = "button";
  const score = make("span", "", "score");
  score.append(make("span", one.chance === null ? ", score " : ", chance ", "unseen"), figure(one));
  const bar = make("span", "", "bar");
  const filled = make("span");
  filled.style.width = `${Math.round(100 * share)}%`;
  bar.setAttribute("aria-hidden", "true");
  bar.append(filled);
  const reasons = make("span", "", "reasons");
  // Words of the sentence stand in stars there.
  const said = one.reasons.join("; ").split(/\*([^*]+)\*/);
  reasons.append(make("span", ", ", "unseen"), ...said.map((text, i) => (i % 2 ? make("em", text) : text)));
  button.append(make("span", one.form, "form"), bar, score, reasons);
  button.addEventListener("focus", () => preview(one));
  button.addEventListener("pointerenter", () => preview(one));
  button.addEventListener("pointerleave", previewFocused);
  button.addEventListener("click", () => take(one));
  return button;
}

// How likely people would give it, where the model knows that; else what it is ordered by.
function figure(one) {
  if (one.chance !== null) return `${Math.round(100 * one.chance)} %`;
  return one.score === null ? "–" : one.score.toPrecision(3).replace("-", "−");
}

// The box of the current word, or of what stands in its place.
function box() {
  const { node, sentence } = shown[current];
  return (sentence.node.querySelector("mark") ?? node).getBoundingClientRect();
}

// How far down a substitute can come: a long one goes to the next line.
function lowest() {
  const before = looked;
  const bottoms = offered.map((one) => {
    preview(one);
    return box().bottom;
  });
  if (before) preview(before);
  else unpreview();
  return Math.max(box().bottom, ...bottoms);
}

// Below its word, and so never over the text; where there is too little room the page is moved up.
function stand() {
  const dialog = $("choices");
  const low = lowest();
  const word = box();
  dialog.style.maxHeight = "";
  if (matchMedia("(max-width: 40rem)").matches) {
    scrollBy(0, word.top - Math.min(word.top, 120));
    return;
  }
  const wanted = Math.min(320, dialog.offsetHeight); // more of them where there is room
  const before = scrollY;
  scrollBy(0, Math.max(0, Math.min(wanted - (innerHeight - low - 16), word.top - 16)));
  const bottom = low - (scrollY - before);
  dialog.style.maxHeight = `${Math.min(480, innerHeight - bottom - 16)}px`;
  dialog.style.top = `${bottom + 8}px`;
  dialog.style.left = `${Math.max(8, Math.min(word.left, innerWidth - dialog.offsetWidth - 16))}px`;
}

// The sentence with a substitute in it, what changed marked.
function preview(one) {
  looked = one;
  const { sentence } = shown[current];
  const [old, text] = [sentence.text, one.sentence];
  let [head, tail] = shared(old, text);
  // Whole words: "strong" and "string" differ in more than a letter.
  const letter = /[\p{L}\p{M}\p{N}'’-]/u;
  while (head > 0 && letter.test(text[head - 1])) head--;
  while (tail > 0 && letter.test(text[text.length - tail])) tail--;
  sentence.node.replaceChildren(
    text.slice(0, head), make("mark", text.slice(head, text.length - tail)),
    text.slice(text.length - tail) + sentence.behind);
}

// The pointer has gone: what the keyboard stands on is looked at again.
function previewFocused() {
  const focused = document.activeElement;
  if ($("list").contains(focused)) focused.dispatchEvent(new Event("focus"));
  else unpreview();
}

// Only where a substitute is looked at: a word that is put in anew under the pointer loses its click.
function unpreview() {
  if (!looked) return;
  looked = null;
  const { sentence } = shown[current];
  sentence.node.replaceChildren(...sentence.nodes);
}

function take(one) {
  const { sentence } = shown[current];
  const { end } = shown[last];
  const value = $("text").value;
  const place = sentence.start + one.sentence.length - (sentence.text.length - end) - one.form.length;
  const old = chosen();
  before.push(value);
  $("undo").disabled = false;
  shut();
  $("text").value = value.slice(0, sentence.start) + one.sentence + value.slice(sentence.start + sentence.text.length);
  render();
  reach(Math.max(shown.findIndex((word) => word.sentence.start + word.end > place), 0));
  say(`“${old}” is now “${one.form}”.`);
}

// At once: the browser tells of a closed dialog a little later, when the next word can be chosen already.
function shut() {
  $("choices").close();
  closed();
}

function closed() {
  if ($("choices").open || !document.body.classList.contains("open")) return;
  asking = null;
  document.body.classList.remove("open");
  unpreview();
  for (const { node } of shown.slice(current, last + 1)) node.setAttribute("aria-expanded", "false");
  shown[current].node.focus();
}

// Events -----------------------------------------------------------------------

$("text").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(render, 150);
});
$("example").hidden = LANGUAGE !== "en";
$("example").addEventListener("click", () => {
  before.push($("text").value);
  $("undo").disabled = false;
  $("text").value = EXAMPLE;
  current = 0;
  render();
  say("An example is put in.");
});
$("undo").addEventListener("click", () => {
  $("text").value = before.pop();
  render();
  say("Undone.");
  if (!before.length) {
    $("undo").disabled = true;
    $("text").focus();
  }
});
$("words").addEventListener("keydown", (event) => {
  const place = event.ctrlKey || event.metaKey || event.altKey ? null : moved(event.key);
  if (place === null || !shown.length) return;
  event.preventDefault();
  reach(place);
});
$("list").addEventListener("keydown", (event) => {
  const buttons = [...$("list").querySelectorAll("button")];
  const here = buttons.indexOf(document.activeElement);
  const place = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (place === undefined) return;
  event.preventDefault();
  buttons[Math.min(Math.max(place, 0), buttons.length - 1)].focus();
});
$("pos").addEventListener("change", () => ask($("pos").value));
$("more").addEventListener("click", () => extend(last + 1));
$("close").addEventListener("click", shut);
$("choices").addEventListener("close", closed); // by Escape
$("choices").addEventListener("click", (event) => {
  const box = $("choices").getBoundingClientRect();
  const outside = event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
  if (event.target === $("choices") && outside) shut();
});
addEventListener("resize", () => {
  if ($("choices").open) stand();
});
render();
