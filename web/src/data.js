// The data blocks of the page, and tables read from CSV.

/// The JSON block `name`, or null when the page has none.
export function block(name) {
  const element = document.getElementById(`data-${name}`);
  return element ? JSON.parse(element.textContent) : null;
}

/// Fields of a line of CSV; names with commas or quotes stand in quotes.
function fields(line) {
  if (!line.includes('"')) return line.split(",");
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .map((match) => match[1])
    .slice(0, -1)
    .map((field) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field));
}

/// Shafts of motors are known by their turns per minute.
function inRpm(column) {
  column.unit = "rpm";
  column.values.forEach((v, k) => (column.values[k] = (30 / Math.PI) * v));
}

/// Named columns with units: table.find("P.dp") is {name, unit, values}, or undefined.
/// The lines of a file that ends with a line feed.
function rowsOf(text) {
  const lines = text.split("\n");
  while (lines.length && lines[lines.length - 1] === "") lines.pop();
  return lines;
}

export class Table {
  constructor(columns) {
    this.columns = columns;
    this.byName = new Map(columns.map((column) => [column.name, column]));
    this.rows = columns.length ? columns[0].values.length : 0;
  }

  /// `peaks`: rows at the instants of peaks, which come between those of `text`.
  static fromCsv(text, peaks = "") {
    const lines = rowsOf(text);
    if (!lines.length) return new Table([]);
    const more = rowsOf(peaks);
    if (more.length > 1 && more[0] === lines[0])
      lines.splice(1, lines.length - 1, ...[...lines.slice(1), ...more.slice(1)].sort((a, b) => parseFloat(a) - parseFloat(b)));
    const columns = fields(lines[0] ?? "").map((field) => {
      const match = /^(.*?)(?: \[([^\]]*)\])?$/s.exec(field);
      return { name: match[1], unit: match[2] ?? "", values: new Float64Array(lines.length - 1) };
    });
    for (let row = 1; row < lines.length; ++row) {
      const cells = lines[row].split(",");
      for (let k = 0; k < columns.length; ++k) columns[k].values[row - 1] = cells[k];
    }
    for (const column of columns) if (column.name.endsWith(".shaft") && column.unit === "rad/s") inRpm(column);
    return new Table(columns);
  }

  /// Give the columns their words, from manifest.json: item (of a curve) and quantity (of an axis).
  describe(columns = []) {
    for (const { name, item, quantity } of columns) Object.assign(this.find(name) ?? {}, { item, quantity });
    return this;
  }

  find(name) {
    return this.byName.get(name);
  }

  /// The time, when this is a table over time.
  get time() {
    const column = this.columns[0];
    return column && column.name === "t" ? column : undefined;
  }
}

/// Floats, little endian, from base64.
export function floats(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length >> 2 }, (_, i) => view.getFloat32(4 * i, true));
}

/// Largest magnitude and its place.
export function peakOf(values) {
  let at = 0;
  for (let i = 1; i < values.length; ++i) if (Math.abs(values[i]) > Math.abs(values[at])) at = i;
  return { value: values.length ? Math.abs(values[at]) : NaN, at };
}
