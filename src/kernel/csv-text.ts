/** A spreadsheet treats text that begins like this as a formula. */
const formulaStart = /^[=+\-@\t\r]/;
/** A negative amount is none. */
const plainNumber = /^-?\d+(\.\d+)?$/;

/** The rows as CSV (RFC 4180), with the field names first; null is an empty cell. */
export function csvText<Row extends Readonly<Record<string, string | number | boolean | null>>>(
  header: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  return [header, ...rows.map((row) => header.map((name) => row[name] ?? null))]
    .map((cells) => `${cells.map(cellText).join(',')}\r\n`)
    .join('');
}

function cellText(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = formulaStart.test(value) && !plainNumber.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
