/* The codes a barcode scanner sends, and how two codes compare. */

const packageTag = /^[0-9A-Z]{24}$/i;

/** Whether the text is a product or package barcode: 12 digits or more, or a 24-character package tag. */
export function isScanCode(text: string): boolean {
  return /^\d{12,}$/.test(text) || isPackageTag(text);
}

/** A package label as printed by the state's track-and-trace system: 24 letters and digits. */
export function isPackageTag(text: string): boolean {
  return packageTag.test(text) && /\d/.test(text);
}

/** Whether the check digit of a UPC-A, EAN-13 or GTIN-14 is valid (GS1 General Specifications, 7.9). */
export function hasCheckDigit(digits: string): boolean {
  if (!/^\d{12,14}$/.test(digits)) return false;
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 ? 3 : 1), 0);
  return sum % 10 === 0;
}

/**
 * The digits common to all forms of a product code. A UPC-A is sent with 12 digits, or as an EAN-13 or GTIN-14 with leading
 * zeros.
 */
export function significantDigits(code: string): string {
  return code.replace(/^0+/, '');
}

/** Whether two codes are the same product code. */
export function sameProductCode(one: string, other: string): boolean {
  return one === other || significantDigits(one) === significantDigits(other);
}
