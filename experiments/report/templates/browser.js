// The list of items, its pages, the keyboard, and the address.
const PAGE = 50;
const view = { items: ITEMS, page: 0, item: null, filters: { ...FILTERS } };

function hitMarks(item, n) {
  if (!counted(item)) return el("span", { class: "hits" }, "not scored");
  const marks = SYSTEMS.map((system) => (hit(item, system.number, n)
    ? el("b", {}, `${system.letter}✓ `) : el("s", { "aria-hidden": "true" }, `${system.letter}· `)));
  return el("span", { class: "hits", title: "systems with a right candidate" }, ...marks);
}

function listRow(item) {
  const some = item.before.length > 24 ? `…${item.before.slice(-24)}` : item.before;
  return el("li", {}, el("a", {
    href: address(view.filters, item), "data-id": item.id, "aria-current": item === view.item ? "true" : null,
  }, el("span", { class: "line" }, el("span", {}, bdi(item.target), " ", bdi(item.id)), hitMarks(item, Number(view.filters.n))),
  el("span", { class: "some" }, bdi(some + item.word + item.after.slice(0, 60)))));
}

function drawList() {
  const pages = Math.max(1, Math.ceil(view.items.length / PAGE));
  view.page = Math.min(Math.max(0, view.page), pages - 1);
  const start = view.page * PAGE;
  byId("list").replaceChildren(...view.items.slice(start, start + PAGE).map(listRow));
  byId("found").textContent = `${view.items.length} of ${ITEMS.length} items`;
  byId("page").textContent = `page ${view.page + 1} of ${pages}`;
  byId("before").disabled = view.page === 0;
  byId("next").disabled = view.page === pages - 1;
}

function find() {
  view.items = sorted(ITEMS.filter((item) => matches(item, view.filters)), view.filters.sort);
}

function filter() {
  view.filters = readFilters();
  find();
  view.page = 0;
  if (view.items.includes(view.item)) drawList();
  else if (view.items.length) choose(view.items[0]);
  else {
    view.item = null;
    drawList();
    byId("item").replaceChildren(el("p", { class: "note" }, "No item is as the filters ask."));
  }
  history.replaceState(null, "", address(view.filters, view.item));
}

function turn(step) {
  view.page += step;
  drawList();
  byId("list").scrollTop = 0;
}

function choose(item, { focus = false } = {}) {
  view.item = item;
  const place = view.items.indexOf(item);
  if (place >= 0) view.page = Math.floor(place / PAGE);
  drawList();
  showItem(item);
  const current = byId("list").querySelector("[aria-current]");
  if (current) byId("list").scrollTop = current.offsetTop - byId("list").offsetTop - 80;
  if (focus) byId("item").focus({ preventScroll: true });
}

function step(by) {
  if (!view.items.length) return;
  const place = view.items.indexOf(view.item);
  const next = place < 0 ? 0 : Math.min(view.items.length - 1, Math.max(0, place + by));
  choose(view.items[next], { focus: true });
  history.replaceState(null, "", address(view.filters, view.item));
}

/** Do as the page's address says; where it names an item or filters, go there. */
function follow({ first = false } = {}) {
  const state = parseAddress(location.hash);
  if (!state) return;
  if (state.filters || first) {
    showFilters(state.filters || FILTERS);
    view.filters = readFilters();
    find();
    view.page = 0;
  }
  const item = state.item === null ? null : BY_ID.get(state.item);
  if (item) {
    choose(item, { focus: true });
    byId("item").scrollIntoView({ block: "start" });
  } else {
    drawList();
    if (state.item !== null) byId("found").textContent = `There is no item ${state.item}.`;
    byId("browser").scrollIntoView({ block: "start" });
  }
  history.replaceState(null, "", address(view.filters, view.item));
}

const KEYS = {
  "/": () => control("q").focus(), j: () => step(1), k: () => step(-1), n: () => turn(1), p: () => turn(-1),
  x: () => byId("f-clear").click(),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && event.target === control("q")) control("q").blur();
  if (event.target.closest("input, select, textarea") || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
}

if (byId("filters")) {
  byId("filters").addEventListener("input", filter);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("f-clear").addEventListener("click", () => {
    showFilters(FILTERS);
    filter();
  });
  byId("before").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", () => follow());
  drawList();
  if (ITEMS.length) choose(ITEMS[0]);
  follow({ first: true });
}
