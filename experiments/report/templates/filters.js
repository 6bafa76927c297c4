// What the item browser shows, and how it stands in the page's address.
const FILTERS = { q: "", t: "", pos: "", hit: "", miss: "", n: "10", dis: "", sort: "" };

function control(key) {
  return byId(`f-${key}`);
}

function readFilters() {
  const state = {};
  for (const key of Object.keys(FILTERS)) {
    state[key] = key === "dis" ? (control(key).checked ? "1" : "") : control(key).value;
  }
  return state;
}

function showFilters(state) {
  for (const key of Object.keys(FILTERS)) {
    if (key === "dis") control(key).checked = state[key] === "1";
    else control(key).value = state[key];
    // An address may ask for what there is not.
    if (control(key).tagName === "SELECT" && control(key).selectedIndex < 0) control(key).value = FILTERS[key];
  }
}

/** The state in an address, or null where the address is none of ours (a section's). */
function parseAddress(hash) {
  if (!hash.includes("=")) return null;
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const filters = Object.keys(FILTERS).some((key) => given.has(key))
    ? Object.fromEntries(Object.entries(FILTERS).map(([key, usual]) => [key, given.get(key) ?? usual]))
    : null;
  return { filters, item: given.get("item") };
}

function address(filters, item) {
  const parts = new URLSearchParams();
  if (item) parts.set("item", item.id);
  for (const [key, value] of Object.entries(filters)) if (value !== FILTERS[key]) parts.set(key, value);
  const text = parts.toString();
  return text ? `#${text}` : "#items";
}

const HAY = ITEMS.map((item) => [
  item.id, item.target, item.before + item.word + item.after, ...item.gold.map(([answer]) => answer),
  ...item.candidates,
].join("\n").toLowerCase());

function posOf(item) {
  return item.target.slice(item.target.lastIndexOf(".") + 1);
}

function answeredBy(item, which, n, wanted) {
  if (which === "") return true;
  if (which === "all") return SYSTEMS.every((system) => hit(item, system.number, n) === wanted);
  return hit(item, Number(which), n) === wanted;
}

function disagree(item, n) {
  const hits = SYSTEMS.filter((system) => hit(item, system.number, n)).length;
  return hits > 0 && hits < SYSTEMS.length;
}

function matches(item, state) {
  const n = Number(state.n);
  if (state.pos && posOf(item) !== state.pos) return false;
  if (state.t && item.target !== state.t && !item.target.toLowerCase().startsWith(state.t.toLowerCase())) return false;
  if ((state.hit || state.miss || state.dis) && !counted(item)) return false;
  if (!answeredBy(item, state.hit, n, true) || !answeredBy(item, state.miss, n, false)) return false;
  if (state.dis && !disagree(item, n)) return false;
  const hay = HAY[item.number];
  return state.q.toLowerCase().split(/\s+/).every((word) => hay.includes(word));
}

function known(item) {
  return item.values.map((values) => values[0]).filter((value) => value !== null);
}

function meanValue(item) {
  const values = known(item);
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : -1;
}

const SORTS = [
  ["", "order of the data", () => 0],
  ["target", "target", null],
  ["hard", `hardest (mean ${MEASURES[0]})`, (item) => (known(item).length ? -meanValue(item) : -2000)],
  ["easy", `easiest (mean ${MEASURES[0]})`, meanValue],
  ["spread", `difference of the systems (${MEASURES[0]})`,
    (item) => (known(item).length ? Math.max(...known(item)) - Math.min(...known(item)) : -1)],
  ["answers", "number of gold answers", (item) => item.gold.length],
];

function sorted(items, sort) {
  const [, , key] = SORTS.find(([name]) => name === sort) || SORTS[0];
  if (key === null) return [...items].sort((a, b) => a.target.localeCompare(b.target) || a.number - b.number);
  const keys = new Map(items.map((item) => [item, key(item)]));
  return [...items].sort((a, b) => keys.get(b) - keys.get(a) || a.number - b.number);
}

if (byId("filters")) {
  const choices = [["", "–"], ["all", "all systems"],
    ...SYSTEMS.map((system) => [system.number, `${system.letter} ${system.name}`])];
  options(control("hit"), choices);
  options(control("miss"), choices);
  options(control("sort"), SORTS.map(([value, label]) => [value, label]));
  byId("targets").replaceChildren(...DATA.targets.map((value) => el("option", { value })));
}
