/* Numbers as people type them, kept as text. */

const decimal = /^-?(\d+(\.\d*)?|\.\d+)$/;
const grouped = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/;

/** `3.5`, `-2`, `.5`; also `3.`, which is still being typed. */
export function isDecimalText(text: string): boolean {
  return decimal.test(text);
}

/** `1,234.5` → `1234.5`. Other commas stay: `12,50` may mean 12.50. */
export function withoutGroups(text: string): string {
  return grouped.test(text) ? text.replaceAll(',', '') : text;
}
