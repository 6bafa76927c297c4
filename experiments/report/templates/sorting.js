// Tables of class "sortable": a button in each header sorts by its column.
function cellValue(row, column) {
  const cell = row.cells[column];
  const text = (cell.querySelector(".value") || cell).textContent.trim();
  const value = Number(text.replace(/[\u202f\s<[]/g, "").replace(",", "").replace("−", "-"));
  return text !== "" && !Number.isNaN(value) ? value : text;
}

function compareCells(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === typeof b) return a.localeCompare(b);
  return typeof a === "number" ? 1 : -1;
}

function sortTable(table, header) {
  const column = header.cellIndex;
  // Where there are several bodies, each is a system's rows: they stay together, sorted by the first.
  const groups = table.tBodies.length > 1;
  const parts = groups ? [...table.tBodies] : [...table.tBodies[0].rows];
  const keyed = parts.map((part) => [cellValue(groups ? part.rows[0] : part, column), part]);
  const numeric = keyed.some(([value]) => typeof value === "number");
  // Figures begin with the greatest, names with A.
  const next = { ascending: "descending", descending: "ascending" }[header.getAttribute("aria-sort")];
  const direction = next || (numeric ? "descending" : "ascending");
  for (const other of header.parentNode.cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  keyed.sort((a, b) => sign * compareCells(a[0], b[0]));
  (groups ? table : table.tBodies[0]).append(...keyed.map(([, part]) => part));
}

for (const table of document.querySelectorAll("table.sortable")) {
  for (const header of table.tHead.rows[0].cells) {
    const button = el("button", { type: "button" });
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sortTable(table, header));
  }
}
