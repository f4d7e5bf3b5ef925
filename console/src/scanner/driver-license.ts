/*
 * Reads the barcode of a North American driver's license or ID card (AAMVA DL/ID Card Design Standard, annex D): a header with the
 * issuer, then elements of three letters and a value, each to the end of its line. The text itself is never kept.
 */

/** What the card says; days are YYYY-MM-DD. */
export interface DriverLicense {
  /** The issuer's six digits. */
  readonly issuer: string;
  readonly number: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthday: string;
  /** Null: none on the card. */
  readonly expiry: string | null;
  readonly sex: 'male' | 'female' | null;
  readonly address: {
    readonly street1: string | null;
    readonly street2: string | null;
    readonly city: string | null;
    readonly state: string | null;
    /** Five digits in the US. */
    readonly postalCode: string | null;
  };
}

/** Why a card could not be read. */
export type LicenseFault = 'no-line-ends' | 'incomplete';

const header = /(?:ANSI ?|AAMVA)(\d{6})(\d{2})/;
/** The header's list of parts, each with its offset and length; the first part begins on the same line, or on the next. */
const parts = /^\d{2,4}(?:[A-Z]{2}\d{8})+/;
const element = /^(D[A-D][A-Z])(.*)$/;
/** A scanner types the standard's separators in different ways. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the standard separates with control characters
const lineEnds = /[\n\r\u001c-\u001e]+/;

/** The license in a scanned text, or why there is none. */
export function readLicense(text: string): DriverLicense | LicenseFault {
  const [found, issuer = '', version = ''] = header.exec(text) ?? [];
  if (found === undefined) return 'incomplete';
  const elements = elementsOf(text.slice(text.indexOf(found) + found.length));
  if (elements.size < 3) return 'no-line-ends';
  const of = (...names: string[]): string | null =>
    names.map((name) => elements.get(name) ?? '').find((value) => value !== '') ?? null;
  const [fullLast, fullFirst] = (of('DAA') ?? '').split(',');
  const lastName = of('DCS', 'DAB') ?? fullLast;
  const firstName = of('DAC') ?? of('DCT')?.split(/[ ,]/)[0] ?? fullFirst;
  const birthday = dayOf(of('DBB'), version);
  const number = of('DAQ', 'DBJ');
  if (!lastName || !firstName || birthday === null || number === null) return 'incomplete';
  return {
    issuer,
    number: number.slice(0, 25),
    firstName: inNameCase(firstName),
    lastName: inNameCase(lastName),
    birthday,
    expiry: dayOf(of('DBA'), version),
    sex: ({ '1': 'male', '2': 'female', M: 'male', F: 'female' } as const)[of('DBC') ?? ''] ?? null,
    address: {
      street1: of('DAG', 'DAL'),
      street2: of('DAH', 'DAM'),
      city: of('DAI', 'DAN'),
      state: of('DAJ', 'DAO'),
      postalCode: postalCodeOf(of('DAK', 'DAP')),
    },
  };
}

/** The elements by their name; the first of a name counts. */
function elementsOf(text: string): ReadonlyMap<string, string> {
  const elements = new Map<string, string>();
  for (const line of text.split(lineEnds)) {
    // The first line goes on with the first element, after the list of parts and the kind of part.
    const rest = line
      .trim()
      .replace(parts, '')
      .replace(/^(?:DL|ID|EN)(?=D[A-D][A-Z])/, '');
    const [, name, value = ''] = element.exec(rest) ?? [];
    if (name !== undefined && !elements.has(name)) elements.set(name, value.trim());
  }
  return elements;
}

/**
 * MMDDCCYY in the US, CCYYMMDD in Canada and in the first version. Years of the two centuries begin with 19 or 20, which is no
 * month: so the text itself says which one it is.
 */
function dayOf(text: string | null, version: string): string | null {
  if (text === null || !/^\d{8}$/.test(text)) return null;
  const isYearFirst = version === '01' || /^(?:19|2[01])/.test(text);
  const iso = isYearFirst
    ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
    : `${text.slice(4)}-${text.slice(0, 2)}-${text.slice(2, 4)}`;
  const day = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso) && iso >= '1900' ? iso : null;
}

/** Nine digits, filled with zeros where only five are known; Canadian ones have letters. */
function postalCodeOf(text: string | null): string | null {
  if (text === null) return null;
  return /^\d{5}/.test(text) ? text.slice(0, 5) : text.slice(0, 20);
}

/** Cards have capitals only: "MARY-ANN O'NEIL" is "Mary-Ann O'Neil". A name in mixed letters stays. */
function inNameCase(name: string): string {
  const trimmed = name.trim().slice(0, 100);
  if (trimmed !== trimmed.toUpperCase()) return trimmed;
  return trimmed
    .toLowerCase()
    .replace(/(^|[\s'’-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}
