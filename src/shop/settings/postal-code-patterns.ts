/**
 * Every pattern that matches a ZIP code, for lookups by key. "94607-1234" counts as "94607": patterns use
 * five-digit codes.
 */
export function postalCodePatterns(postalCode: string): string[] {
  const code = postalCode
    .trim()
    .toUpperCase()
    .replace(/^(\d{5})-\d{4}$/, '$1');
  if (!/^[0-9A-Z]{1,10}$/.test(code)) return [];
  return [code, ...Array.from(code, (_, index) => `${code.slice(0, index + 1)}*`)];
}
