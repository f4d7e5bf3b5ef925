import { isStripeText, withoutCapsLock } from './license-text.ts';

/*
 * Reads the barcode of a North American driver's license or ID card (AAMVA DL/ID Card Design Standard, annex D): a header with the
 * issuer, then elements of three letters and a value, each to the end of its line; and its
 * magnetic stripe. The text itself is never kept.
 */

/** What the card says; days are YYYY-MM-DD. */
export interface DriverLicense {
  /** The issuer's six digits. */
  readonly issuer: string;
  readonly number: string;
  readonly firstName: string;
  /** Empty for a person with one name. */
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
export function readLicense(scanned: string): DriverLicense | LicenseFault {
  const text = withoutCapsLock(scanned);
  if (isStripeText(text)) return readStripe(text);
  const [found, issuer = '', version = ''] = header.exec(text) ?? [];
  if (found === undefined) return 'incomplete';
  const elements = elementsOf(text.slice(text.indexOf(found) + found.length));
  if (elements.size < 3) return 'no-line-ends';
  const of = (...names: string[]): string | null =>
    names.map((name) => elements.get(name) ?? '').find((value) => value !== '') ?? null;
  const [fullLast, fullFirst] = (of('DAA') ?? '').split(',');
  const name = nameOf(of('DAC') ?? of('DCT')?.split(/[ ,]/)[0] ?? fullFirst, of('DCS', 'DAB') ?? fullLast);
  const birthday = dayOf(of('DBB'), version);
  const number = of('DAQ', 'DBJ');
  if (name === null || birthday === null || number === null) return 'incomplete';
  return {
    issuer,
    number: number.slice(0, 25),
    ...name,
    birthday,
    expiry: dayOf(of('DBA'), version),
    sex: sexes[of('DBC') ?? ''] ?? null,
    address: {
      street1: of('DAG', 'DAL'),
      street2: of('DAH', 'DAM'),
      city: of('DAI', 'DAN'),
      state: of('DAJ', 'DAO'),
      postalCode: postalCodeOf(of('DAK', 'DAP')),
    },
  };
}

const sexes: Readonly<Record<string, 'male' | 'female'>> = {
  '1': 'male',
  '2': 'female',
  M: 'male',
  F: 'female',
};

/**
 * The magnetic stripe of a license (annex F). First track: state, city, name, address, each to a caret; a city of 13 characters and a
 * name of 35 have none. Second track: issuer, number, expiry YYMM, birthday. Third track, if there is one: postal code and sex.
 */
function readStripe(text: string): DriverLicense | LicenseFault {
  const tracks = text.replace(/[\r\n]/g, '');
  const [, state, rest] = /^%([A-Z]{2})([^?]*)\?/.exec(tracks) ?? [];
  const [second, issuer, digits, expires, born] =
    /;(\d{6})(\d{0,19})=(\d{4})(\d{8})[^?]*\?/.exec(tracks) ?? [];
  if (state === undefined || rest === undefined || second === undefined) return 'incomplete';
  const [city, afterCity] = fieldOf(rest, 13);
  const [person, afterPerson] = fieldOf(afterCity, 35);
  const [street1 = '', street2 = ''] = fieldOf(afterPerson, 77)[0].split('$');
  const [last, first] = person.split(/[$,]/);
  const name = nameOf(first, last);
  const birthday = dayOf(born!, '01');
  if (name === null || birthday === null || digits === '') return 'incomplete';
  const third = tracks.slice(tracks.indexOf(second) + second.length);
  return {
    issuer: issuer!,
    number: digits!,
    ...name,
    birthday,
    expiry: expiryOf(expires!, birthday),
    sex: sexes[third.charAt(30)] ?? null,
    address: {
      street1: street1.trim() || null,
      street2: street2.trim() || null,
      city: city.trim() || null,
      state,
      postalCode: postalCodeOf(/^.{3}(\d{5})/.exec(third)?.[1] ?? null),
    },
  };
}

/** The next field of a track, of at most so many characters, and what follows it. */
function fieldOf(track: string, length: number): [string, string] {
  const end = track.indexOf('^');
  if (end >= 0 && end <= length) return [track.slice(0, end), track.slice(end + 1)];
  return [track.slice(0, length), track.slice(length)];
}

/** YYMM to the last day of the month; month 88: of the month of birth, 99: on the day of birth, 77: none. */
function expiryOf(expires: string, birthday: string): string | null {
  const year = `20${expires.slice(0, 2)}`;
  const month = expires.slice(2);
  if (month === '99') return dayOf(`${year}${birthday.slice(5).replace('-', '')}`, '01');
  const last = month === '88' ? birthday.slice(5, 7) : month;
  if (!/^(?:0[1-9]|1[0-2])$/.test(last)) return null;
  return new Date(Date.UTC(Number(year), Number(last), 0)).toISOString().slice(0, 10);
}

/** What cards print where a person has no such name (annex D). */
const noName = /^(?:NONE|NFN|NLN|FNU|LNU|UNAVL|UNAVAIL|UNKNOWN|X{2,}|[-.*]+)$/i;

/** The name for the profile; a person with one name has it as the first name. Null: no name. */
function nameOf(
  first: string | undefined | null,
  last: string | undefined | null,
): Pick<DriverLicense, 'firstName' | 'lastName'> | null {
  const [given = '', family = ''] = [first, last].map((name) => {
    const trimmed = name?.trim() ?? '';
    return noName.test(trimmed) ? '' : trimmed;
  });
  if (given === '' && family === '') return null;
  if (given === '' || family === '') return { firstName: inNameCase(given || family), lastName: '' };
  return { firstName: inNameCase(given), lastName: inNameCase(family, { isLast: true }) };
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

/** Written small before a last name, and between the parts of any name. */
const particles = new Set(['DE', 'DEL', 'DA', 'DAS', 'DI', 'DOS', 'DU', 'VAN', 'VON', 'Y']);
/** Written small after one of these. */
const articles = new Set(['LA', 'LAS', 'LOS', 'DER', 'DEN', 'TER']);
const numerals = /^(?:II|III|IV|VI|VII|VIII)$/;

/** Cards have capitals only: "MARY-ANN O'NEIL" is "Mary-Ann O'Neil". A name in mixed letters stays. */
function inNameCase(name: string, { isLast = false } = {}): string {
  const trimmed = name.trim().slice(0, 100);
  if (trimmed !== trimmed.toUpperCase()) return trimmed;
  const words = trimmed.split(/\s+/);
  return words
    .map((word, at) => {
      const isFinal = at === words.length - 1;
      const before = words[at - 1] ?? '';
      if (at > 0 && numerals.test(word)) return word;
      const isSmall =
        (particles.has(word) && (isLast || at > 0)) || (articles.has(word) && particles.has(before));
      return isSmall && !isFinal ? word.toLowerCase() : wordInNameCase(word);
    })
    .join(' ');
}

/** "MCDONALD" is "McDonald", "O'BRIEN" is "O'Brien"; "MACK" is "Mack", because no rule tells it from "MacK". */
function wordInNameCase(word: string): string {
  return word
    .toLowerCase()
    .replace(/(^|[-.‐‑])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
    .replace(
      /(^|-)(\p{L}{1,2}['’ʼ])(\p{L})(?=\p{L})/gu,
      (_, before: string, first: string, letter: string) => before + first + letter.toUpperCase(),
    )
    .replace(
      /(^|[-‐‑])Mc(\p{L})(?=\p{L})/gu,
      (_, before: string, letter: string) => `${before}Mc${letter.toUpperCase()}`,
    );
}
