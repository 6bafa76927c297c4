// One item: its sentence, what people gave, and every system's ranking.

// Of many systems only the first rankings are unfolded, and those that were chosen since.
const FEW = 4;
const unfolded = new Set(SYSTEMS.slice(0, SYSTEMS.length > FEW ? 2 : FEW).map((system) => system.letter));

function sentence(item) {
  const long = item.before.length + item.after.length > 1500;
  return el("p", { class: "sentence", dir: "auto", ...(long ? { tabindex: 0, role: "region", "aria-label": "Sentence" } : {}) },
    piece("span", item.before), piece("mark", item.word), piece("span", item.after));
}

/** A part of the sentence that cannot turn the others round, yet tells the sentence's direction. */
function piece(tag, text) {
  return el(tag, { class: "piece" }, text);
}

function goldTable(item) {
  if (!item.gold.length) return el("p", { class: "note" }, "Nobody gave an answer to this item.");
  const head = el("tr", {}, el("th", { scope: "col" }, "human answer"), el("th", { scope: "col" }, "given by"),
    ...SYSTEMS.map((system) => el("th", { scope: "col", class: `s-${system.letter}` }, el("abbr", { title: `place in the ranking of ${system.name}` }, system.letter))));
  const rows = item.gold.map(([answer, weight], i) => el("tr", {}, el("th", { scope: "row" }, bdi(answer)), el("td", {}, number(weight)),
    ...SYSTEMS.map((system) => {
      const place = item.rankings[system.number] ? item.rankings[system.number].gold[i] : 0;
      return place ? el("td", { class: `s-${system.letter}` }, String(place)) : el("td", { class: `s-${system.letter}` }, el("span", { title: "no candidate" }, "–"));
    })));
  return el("div", { class: "gold scroll", role: "region", tabindex: 0, "aria-label": "Human answers" },
    el("table", {}, el("caption", {}, "Human answers, and their place in each system's ranking"),
      el("thead", {}, head), el("tbody", {}, ...rows)));
}

function originText(origins) {
  const names = (Array.isArray(origins) ? origins : [origins]).map((one) => DATA.origins[one]);
  return names.join(", ");
}

function boundaryRow(ends, columns) {
  const text = ends.map(([task, n]) => `${task} ends: ${n} answer${n === 1 ? "" : "s"}`).join(", ");
  return el("tr", { class: "boundary" }, el("td", { colspan: columns }, text));
}

function rankingTable(item, system) {
  const ranking = item.rankings[system.number];
  const title = [el("b", { class: "letter", "aria-hidden": "true" }, system.letter), ` ${system.name}`];
  if (!ranking) return el("div", { class: `s-${system.letter}` }, el("p", {}, ...title, ": no ranking of this item"));
  const figures = MEASURES.map((measure, m) => `${measure} ${percent(item.values[system.number][m])}`).join(", ");
  const about = `${figures}; ${ranking.total} candidate${ranking.total === 1 ? "" : "s"}`;
  const scores = numbers(ranking.scores);
  const parts = ranking.parts.map((column, i) => [system.parts[i] || `part ${i + 1}`, numbers(column)]);
  const head = ["", "candidate", "score", "origin", ...parts.map(([name]) => name)];
  const kind = (i) => (i === 1 || i === 3 ? "text" : i > 3 ? "part" : null);
  const body = el("tbody");
  const ends = (place) => [["best", ranking.best], ["oot", ranking.oot]].filter(([, n]) => n === place && n < ranking.total);
  if (ends(0).length) body.append(boundaryRow(ends(0), head.length));
  ranking.order.forEach((candidate, i) => {
    const right = candidate < item.right.length;
    const mark = right ? el("span", { class: "given" }, "\u00a0✓\u00a0", el("span", { class: "unseen" }, "given by "), number(item.right[candidate])) : null;
    body.append(el("tr", right ? { class: "right" } : {}, el("td", {}, String(i + 1)),
      el("th", { scope: "row" }, bdi(item.candidates[candidate]), mark), el("td", {}, number(scores[i])),
      el("td", { class: "text origin" }, bdi(originText(item.origins[candidate]))),
      ...parts.map(([, column]) => el("td", { class: "part" }, number(column[i])))));
    if (ends(i + 1).length) body.append(boundaryRow(ends(i + 1), head.length));
  });
  const label = `Ranking of ${system.name}`;
  const rest = ranking.total - ranking.order.length;
  const first = ranking.order.slice(0, 3).map((candidate) => item.candidates[candidate]).join(", ");
  const fold = el("details", { class: `s-${system.letter}`, open: unfolded.has(system.letter) ? "" : null },
    el("summary", {}, ...title, el("span", { class: "note" }, ": ", bdi(first))),
    el("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": label },
      el("table", {}, el("caption", {}, el("span", { class: "note" }, about)),
        el("thead", {}, el("tr", {}, ...head.map((name, i) => el(name ? "th" : "td", { scope: name ? "col" : null, class: kind(i) }, name)))), body)),
    rest > 0 ? el("p", { class: "note" }, `${rest} more candidates are not listed.`) : null);
  fold.addEventListener("toggle", () => unfolded[fold.open ? "add" : "delete"](system.letter));
  return fold;
}

function showItem(item) {
  const link = el("a", { href: `#item=${encodeURIComponent(item.id)}`, title: "link to this item" }, "#");
  byId("item").replaceChildren(
    el("h3", {}, bdi(item.target), ", item ", bdi(item.id), " ", link),
    sentence(item),
    counted(item) ? "" : el("p", { class: "note" }, "This item is not scored: too few people answered it."),
    goldTable(item),
    el("div", { class: "rankings" }, ...SYSTEMS.map((system) => rankingTable(item, system))));
}
