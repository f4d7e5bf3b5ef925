/*
 * Tells the text of an ID card while it is typed: the barcode of a driver's license, or the magnetic stripe of one. What it says is
 * read in `driver-license.ts`, loaded with the first one.
 */

/** A card that was scanned with Caps Lock on, as it would be without: the case of every letter is the other one. */
export function withoutCapsLock(text: string): string {
  if (!/^@\s*(?:ansi|aamva)|^%[a-z]{2}/.test(text)) return text;
  return text.replace(/\p{L}/gu, (letter) => {
    const upper = letter.toUpperCase();
    return letter === upper ? letter.toLowerCase() : upper;
  });
}

/** Whether a scanned text is one of a card, so far as it was typed. */
export function isLicenseText(text: string): boolean {
  return /^@\s*(?:ANSI|AAMVA)/i.test(text) || isStripeText(text);
}

/**
 * Whether a text is that of a magnetic stripe: the first track of a license begins with `%` and the state, that of another card with
 * `%B` and digits; the second track begins with `;` and digits.
 */
export function isStripeText(text: string): boolean {
  return /^%[A-Z]{2}[^^]{0,60}\^|^%[A-Z]\d{6}|^;\d{6}|^%E\?|^;E\?/i.test(text);
}

/** Whether a text may become one: its line ends do not end the scan, and it may pause. */
export function mayBeLicense(text: string): boolean {
  if (isLicenseText(text)) return true;
  const typed = text.replace(/\s/g, '').toUpperCase();
  if (text.startsWith('@')) return '@ANSI'.startsWith(typed) || '@AAMVA'.startsWith(typed);
  return /^%$|^%[A-Z]$|^%[A-Z]{2}[A-Z .,'$-]{0,60}$|^%[A-Z]\d{0,6}$|^;\d{0,6}$/i.test(text);
}

/** Whether every element that is read from a card is there: a silence then ends it, and a slow scanner is not waited for. */
export function isWholeLicense(text: string): boolean {
  const plain = withoutCapsLock(text);
  if (isStripeText(plain)) return /;\d{6,}=\d{12,}[^?]*\?/.test(plain);
  return /\n$/.test(plain) && ['DAQ', 'DBB', 'DBA', 'DAK'].every((name) => plain.includes(name));
}

/** Elements in capitals; in small letters (Caps Lock was on) those that no word begins with. The middle of a track. */
const rest =
  /^(?:DL|ID)?(?:[DZ][A-Z]{2}[A-Z0-9]|D(?:AC|CT|AG|AJ|CG|CF|CK|DE|DF|DG|AU|CU|CS|AQ)\S|d(?:ac|ct|ag|aj|cg|cf|ck|de|df|dg|au|cu|cs|aq)[a-z0-9])|^[^ ]*\^|^\d*=\d+|^[#!]/;
/** For so long after a card was seen, lines that look like parts of one are taken for the rest of it. */
const restMs = 10_000;
let seenAtMs = Number.NEGATIVE_INFINITY;

/** Remembers that a card is being read: its rest may come in pieces. */
export function noteCard(nowMs = performance.now()): void {
  seenAtMs = nowMs;
}

/**
 * Whether a text is a part of a card: with the header, a stripe's sentinel or one of the elements that no goods are named like;
 * shortly after a card also with any element. Such a text is neither searched for nor sent.
 */
export function isCardText(text: string, nowMs = performance.now()): boolean {
  const plain = text.trim();
  if (/^[@%;]/.test(plain) || /(?:ANSI|AAMVA) ?\d{4}/i.test(plain) || isPartOfCard(plain)) {
    noteCard(nowMs);
    return true;
  }
  return nowMs - seenAtMs <= restMs && rest.test(plain);
}

function isPartOfCard(text: string): boolean {
  return (
    // The header's list of parts; number, dates and postal code with their names.
    /\d{4,}(?:DL|ID)\d{8}|\bDAQ[A-Z]?\d{5}|\bDB[ABD]\d{6,8}\b|\bDAK\d{5}|\bDCS[A-Z'’-]{2}/i.test(text) ||
    // A track from the middle: name and address between carets, or number, expiry and birthday.
    /\^[A-Z' .-]+[$,][A-Z' .$,-]*\^?|\d{6,}=\d{8}/i.test(text)
  );
}
