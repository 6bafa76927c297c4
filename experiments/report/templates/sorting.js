// Tables of class "sortable": a button in each header sorts by its column.
function cellValue(row, column) {
  const text = row.cells[column].textContent.trim();
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
  const numeric = [...table.tBodies[0].rows].some((row) => typeof cellValue(row, column) === "number");
  // Figures begin with the greatest, names with A.
  const next = { ascending: "descending", descending: "ascending" }[header.getAttribute("aria-sort")];
  const direction = next || (numeric ? "descending" : "ascending");
  for (const other of header.parentNode.cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  const rows = [...table.tBodies[0].rows].map((row) => [cellValue(row, column), row]);
  rows.sort((a, b) => sign * compareCells(a[0], b[0]));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

for (const table of document.querySelectorAll("table.sortable")) {
  for (const header of table.tHead.rows[0].cells) {
    const button = el("button", { type: "button" });
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sortTable(table, header));
  }
}
