"use strict";
// Everything that comes from data is set as text; nothing is ever parsed as markup.
const DATA = JSON.parse(document.getElementById("data").textContent);
const SYSTEMS = DATA.systems.map(([letter, name, parts], number) => ({ letter, name, parts, number }));
const MEASURES = DATA.measures;

// Fields are described where they are made (browser.py).
function ranking([best, oot, ...rest], all) {
  const [order, scores, total, gold, parts] = rest.length > 1 ? rest : all[rest[0]].slice(2);
  return { order, scores, total, best, oot, gold, parts };
}

const ITEMS = DATA.items.map((row, number) => ({
  number, id: row[0], target: DATA.targets[row[1]], before: row[2], word: row[3], after: row[4],
  gold: pairs(row[5]), candidates: row[6], right: row[7], origins: row[8],
  rankings: row[9].map((one) => one && ranking(one, row[9])),
  values: row[10],
}));
const BY_ID = new Map(ITEMS.map((item) => [item.id, item]));

function pairs(flat) {
  const found = [];
  for (let i = 0; i < flat.length; i += 2) found.push([flat[i], flat[i + 1]]);
  return found;
}

/** The numbers of a column that is written as text; null for none. */
function numbers(text) {
  return text.split(" ").map((one) => (one === "" ? null : Number(one)));
}

/** Hide what belongs to systems that are not chosen: everything of a system has its class. */
function chooseSystems() {
  const off = [...document.querySelectorAll("#choose input:not(:checked)")].map((box) => `.s-${box.value}`);
  byId("unchosen").textContent = off.length ? `${off.join(", ")} { display: none; }` : "";
}

if (byId("choose")) {
  byId("choose").hidden = false;
  byId("choose").addEventListener("change", chooseSystems);
}

/** What a link leads to is unfolded. */
function unfold() {
  const part = byId(decodeURIComponent(location.hash.slice(1)))?.closest("details");
  if (part) part.open = true;
}

addEventListener("hashchange", unfold);

function byId(id) {
  return document.getElementById(id);
}

/** An element with attributes and children; strings become text. */
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Text whose direction is its own, so that it cannot turn its neighbours round. */
function bdi(text) {
  return el("bdi", {}, text);
}

/** Whether the item is counted by coverage measures: it has figures. */
function counted(item) {
  return item.values.some((values) => values[0] !== null);
}

/** Whether one of a system's first n candidates is right. */
function hit(item, system, n) {
  const ranking = item.rankings[system];
  if (!ranking) return false;
  for (const candidate of ranking.order.slice(0, n)) if (candidate < item.right.length) return true;
  return false;
}

function percent(thousandths) {
  return thousandths === null ? "–" : (thousandths / 10).toFixed(1);
}

function number(value) {
  return value === null || value === undefined ? "–" : String(value).replace("-", "−");
}

function options(select, choices) {
  select.replaceChildren(...choices.map(([value, label]) => el("option", { value }, label)));
}

/** A link to an item, with a bit of its sentence. */
function itemLink(item) {
  const before = item.before.length > 40 ? `…${item.before.slice(-40)}` : item.before;
  return el("a", { href: `#item=${encodeURIComponent(item.id)}` },
    bdi(`${item.target} ${item.id}`), " ", bdi(`${before}${item.word}${item.after.slice(0, 40)}`));
}
