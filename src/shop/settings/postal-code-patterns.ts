import { fiveDigitZip } from '../../kernel/zip-code.ts';

/** Every pattern that matches a ZIP code, for lookups by key. Patterns use five-digit codes. */
export function postalCodePatterns(postalCode: string): string[] {
  const code = fiveDigitZip(postalCode) ?? postalCode.trim().toUpperCase();
  if (!/^[0-9A-Z]{1,10}$/.test(code)) return [];
  return [code, ...Array.from(code, (_, index) => `${code.slice(0, index + 1)}*`)];
}
