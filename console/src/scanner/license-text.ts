/* Tells the text of a driver's license while it is typed. What it says is read in `driver-license.ts`, loaded with the first one. */

/** Whether a scanned text is one of a license, so far as it was typed. */
export function isLicenseText(text: string): boolean {
  return /^@\s*(?:ANSI|AAMVA)/.test(text);
}

/** Whether a text may become one: its line ends do not end the scan. */
export function mayBeLicense(text: string): boolean {
  if (!text.startsWith('@')) return false;
  const typed = text.replace(/\s/g, '');
  return '@ANSI'.startsWith(typed) || '@AAMVA'.startsWith(typed) || isLicenseText(text);
}
