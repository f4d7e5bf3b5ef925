/**
 * The first five digits of a ZIP code, by which places are matched: "94607", "94607-1234", "94607 1234" and "946071234" are all
 * "94607". Null: the text is no ZIP code.
 */
export function fiveDigitZip(text: string): string | null {
  return /^\s*(\d{5})(?:[\s\p{Pd}]*\d{4})?[\s\p{Pd}]*$/u.exec(text)?.[1] ?? null;
}
