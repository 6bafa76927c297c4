// Two systems: the scatter plot (drawn on the server, its bubbles set here) and the flipped items.
const GRID = 20;
const LARGEST_BUBBLE = 15;

const pair = {
  first: byId("pair-first"), second: byId("pair-second"), measure: byId("pair-measure"), n: byId("pair-n"),
  kind: "first", cell: null,
};

function cellOf(thousandths) {
  return Math.min(GRID, Math.max(0, Math.floor((thousandths / 1000) * GRID + 0.5)));
}

function pairItems() {
  const [a, b, m] = [Number(pair.first.value), Number(pair.second.value), pair.measure.selectedIndex];
  const found = new Map();
  for (const item of ITEMS) {
    const [x, y] = [item.values[a][m], item.values[b][m]];
    if (x === null || y === null) continue;
    const key = `${cellOf(x)},${cellOf(y)}`;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(item);
  }
  return found;
}

function drawScatter() {
  const cells = pairItems();
  const largest = Math.max(1, ...[...cells.values()].map((items) => items.length));
  const names = [pair.first, pair.second].map((select) => select.selectedOptions[0].textContent);
  for (const dot of byId("scatter").querySelectorAll("[data-cell]")) {
    const items = cells.get(dot.dataset.cell) || [];
    const radius = items.length ? Math.max(1.5, LARGEST_BUBBLE * Math.sqrt(items.length / largest)) : 0;
    dot.setAttribute("r", radius.toFixed(1));
    dot.classList.toggle("chosen", pair.cell === dot.dataset.cell);
    dot.replaceChildren();
    if (items.length) {
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      const [x, y] = dot.dataset.cell.split(",").map((part) => (Number(part) / GRID).toFixed(2));
      title.textContent = `${names[0]} ${x}, ${names[1]} ${y}: ${items.length} items`;
      dot.append(title);
    }
  }
  const titles = byId("scatter").querySelectorAll(".axes .title");
  // An axis has room for so much; the letter stands first, and the whole names above.
  names.forEach((name, i) => {
    titles[i].textContent = `${pair.measure.value}, ${name.length > 36 ? `${name.slice(0, 35)}…` : name}`;
  });
  const all = [...cells].flatMap(([key, items]) => items.map(() => key.split(",").map(Number)));
  const above = all.filter(([x, y]) => y > x).length;
  const below = all.filter(([x, y]) => x > y).length;
  byId("scatter").querySelector("svg").setAttribute("aria-label",
    `${pair.measure.value} of ${all.length} items under ${names[0]} and ${names[1]}: ` +
    `${below} clearly better under the first, ${above} under the second`);
}

function flipGroups() {
  const [a, b, n] = [pair.first, pair.second, pair.n].map((select) => Number(select.value));
  const groups = { first: [], second: [], both: [], neither: [] };
  for (const item of ITEMS.filter(counted)) {
    const [one, other] = [hit(item, a, n), hit(item, b, n)];
    groups[one && other ? "both" : one ? "first" : other ? "second" : "neither"].push(item);
  }
  return groups;
}

function drawFlips() {
  const groups = flipGroups();
  const names = [pair.first, pair.second].map((select) => SYSTEMS[Number(select.value)]);
  const labels = {
    first: `only ${names[0].letter} ${names[0].name}`, second: `only ${names[1].letter} ${names[1].name}`,
    both: "both", neither: "neither",
  };
  byId("flip-n").textContent = pair.n.value;
  byId("flips").replaceChildren(...Object.entries(labels).map(([kind, label]) => {
    const pressed = pair.cell === null && kind === pair.kind;
    const button = el("button", { type: "button", "aria-pressed": String(pressed), "data-kind": kind },
      el("b", {}, String(groups[kind].length)), label);
    button.addEventListener("click", () => {
      pair.kind = kind;
      pair.cell = null;
      drawPair();
      byId("flips").querySelector(`[data-kind="${kind}"]`).focus();
    });
    return button;
  }));
  const items = pair.cell === null ? groups[pair.kind] : pairItems().get(pair.cell) || [];
  const about = pair.cell === null ? labels[pair.kind] : "in the chosen bubble";
  byId("flip-about").textContent = `${items.length} items, ${about}`;
  byId("flip-items").replaceChildren(...items.slice(0, 300).map((item) => el("li", {}, itemLink(item))));
}

function drawPair() {
  drawScatter();
  drawFlips();
  const chosen = [pair.first, pair.second].map((select) => SYSTEMS[Number(select.value)].name);
  for (const row of document.querySelectorAll("#tests tbody tr")) {
    row.hidden = !(chosen.includes(row.dataset.first) && chosen.includes(row.dataset.second));
  }
  correct([...document.querySelectorAll("#tests tbody tr")].filter((row) => !row.hidden));
}

// Holm's correction over the comparisons in view, as lexsub.evaluation.significance has it.
function correct(rows) {
  if (!rows.length) return;
  let floor = 0;
  const rising = [...rows].sort((a, b) => a.dataset.p - b.dataset.p);
  rising.filter((row) => Number.isFinite(Number(row.dataset.p))).forEach((row, place) => {
    floor = Math.max(floor, Math.min(1, (rows.length - place) * row.dataset.p));
    const cells = row.cells;
    cells[cells.length - 2].textContent = floor < 0.001 ? "< 0.001" : floor.toFixed(3);
    cells[cells.length - 1].textContent = floor < DATA.alpha ? "yes" : "no";
  });
  const number = `the ${rows.length} comparisons in view`;
  byId("tests-shown").textContent = `; p, Holm: over ${number}`;
  const about = byId("tests-about");
  about.textContent = about.textContent.replace(/over (all \d+ comparisons of the table|the \d+ comparisons in view)/, `over ${number}`);
}

if (pair.first) {
  const choices = SYSTEMS.map((system) => [system.number, `${system.letter} ${system.name}`]);
  options(pair.first, choices);
  options(pair.second, choices);
  pair.second.value = "1";
  for (const select of [pair.first, pair.second, pair.measure, pair.n]) {
    select.addEventListener("change", () => {
      pair.cell = null;
      drawPair();
    });
  }
  byId("pair").addEventListener("submit", (event) => event.preventDefault());
  byId("scatter").addEventListener("click", (event) => {
    const dot = event.target.closest("[data-cell]");
    if (dot) {
      pair.cell = dot.dataset.cell;
      drawPair();
    }
  });
  drawPair();
}
