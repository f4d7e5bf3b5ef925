import { decimal } from '../../kernel/decimal.ts';
import type { Json } from './json-rows.ts';
import { RefusedRow } from './state-refusals.ts';
import type { Settings } from './state-switches.ts';

/* Members of requests as data: which there are, which are required, of which type. */

interface Kinds {
  text: string;
  /** Free text of people: at most 200 characters. */
  note: string;
  /** A tag: 24 capital letters and digits. */
  tag: string;
  int: number;
  /** An id that is written as a number or as text. */
  id: number;
  number: number;
  quantity: number;
  money: number;
  /** One of the optional amounts of a line, whose type is not known. */
  tax: number | string;
  flag: boolean;
  /** `YYYY-MM-DD`, perhaps with a time, which is ignored. */
  date: string;
  /** Wall time of the facility; an offset is left to the reader. */
  wall: string;
  texts: readonly string[];
  any: Json;
}

/** With `!` it is required. */
type Kind = keyof Kinds | `${keyof Kinds}!`;

/** Objects within the object. */
interface Nested<Of extends Shape> {
  readonly of: Of;
  readonly required: boolean;
}

/** The members of an object that is sent. */
export interface Shape {
  readonly [member: string]: Kind | Nested<Shape>;
}

/** What was sent; null: absent, null or empty text. */
export type Sent<Of extends Shape> = {
  readonly [Member in keyof Of]: Of[Member] extends Nested<infer Inner>
    ? readonly Sent<Inner>[]
    : Of[Member] extends `${infer Base extends keyof Kinds}!`
      ? Kinds[Base]
      : Of[Member] extends keyof Kinds
        ? Kinds[Of[Member]] | null
        : never;
};

/** At least one object. */
export const someOf = <Of extends Shape>(of: Of): Nested<Of> => ({ of, required: true });

/** Any number of objects, or none. */
export const anyOf = <Of extends Shape>(of: Of): Nested<Of> => ({ of, required: false });

const datePattern = /^\d{4}-\d{2}-\d{2}(T.*)?$/;
const wallPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,7})?)?(Z|[+-]\d{2}:\d{2})?$/;
const isDate = (text: string): boolean => !Number.isNaN(Date.parse(`${text.slice(0, 10)}T00:00:00Z`));
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

const checks: Readonly<Record<keyof Kinds, (value: unknown, settings: Settings) => boolean>> = {
  text: isText,
  note: (value) => isText(value) && value.length <= 200,
  tag: (value) => isText(value) && /^[0-9A-Z]{24}$/.test(value),
  int: Number.isSafeInteger,
  id: (value) => /^\d{1,15}$/.test(String(value)),
  number: isNumber,
  quantity: isNumber,
  money: isNumber,
  tax: (value, settings) =>
    (settings['tax-fields'] !== 'string' && isNumber(value)) ||
    (settings['tax-fields'] !== 'number' && isText(value) && /^-?\d+(\.\d+)?$/.test(value)),
  flag: (value) => typeof value === 'boolean',
  date: (value) => isText(value) && datePattern.test(value) && isDate(value),
  wall: (value) => isText(value) && wallPattern.test(value) && isDate(value),
  texts: (value) => Array.isArray(value) && value.every(isText),
  any: () => true,
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Decimals of quantities and of money, by the switch. */
export function decimalsBy({ scale }: Settings): { readonly quantity: number; readonly money: number } {
  const [quantity, money] = scale.split('/').map(Number);
  return { quantity: quantity!, money: money! };
}

/** Reads an object. Fails with a RefusedRow that names every member at fault. */
export function readSent<Of extends Shape>(shape: Of, value: unknown, settings: Settings): Sent<Of> {
  const problems: string[] = [];
  const read = membersRead(shape, value, settings, problems);
  if (problems.length > 0) throw new RefusedRow(...problems);
  return read as Sent<Of>;
}

function membersRead(shape: Shape, value: unknown, settings: Settings, problems: string[]): unknown {
  if (!isObject(value)) {
    problems.push('An object was expected.');
    return {};
  }
  const nameOf = (member: string) => (settings['member-case'] === 'exact' ? member : member.toLowerCase());
  const sent = new Map(Object.entries(value).map(([member, it]) => [nameOf(member), it]));
  const known = new Set(Object.keys(shape).map(nameOf));
  if (settings['unknown-member'] === '400') {
    for (const member of Object.keys(value)) {
      if (!known.has(nameOf(member))) problems.push(`"${member}" is not a known member.`);
    }
  }
  return Object.fromEntries(
    Object.entries(shape).map(([member, kind]) => [
      member,
      memberRead(member, kind, sent.get(nameOf(member)) ?? null, settings, problems),
    ]),
  );
}

function memberRead(
  member: string,
  kind: Kind | Nested<Shape>,
  value: unknown,
  settings: Settings,
  problems: string[],
): unknown {
  const isMissing = value === null || value === '';
  if (typeof kind === 'object') {
    const list = Array.isArray(value) ? value : [];
    if ((kind.required && list.length === 0) || (!isMissing && !Array.isArray(value))) {
      problems.push(`"${member}" was not specified.`);
    }
    return list.map((it) => membersRead(kind.of, it, settings, problems));
  }
  if (isMissing) {
    if (kind.endsWith('!')) problems.push(`"${member}" was not specified.`);
    return null;
  }
  const base = kind.replace('!', '') as keyof Kinds;
  if (!checks[base](value, settings)) {
    problems.push(base === 'tag' ? `Tag "${value}" is not valid.` : `"${member}" is not valid.`);
    return null;
  }
  if (base === 'id') return Number(value);
  if (base === 'quantity' || base === 'money') {
    return scaled(member, value as number, decimalsBy(settings)[base], settings, problems);
  }
  return value;
}

function scaled(
  member: string,
  value: number,
  decimals: number,
  settings: Settings,
  problems: string[],
): number {
  const kept = decimal(value).round(decimals, 1);
  if (settings['over-precise'] === '400' && !kept.eq(value)) {
    problems.push(`"${member}" may have ${decimals} decimals.`);
  }
  return kept.toNumber();
}
