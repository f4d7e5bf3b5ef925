import type { Audience, Jurisdiction, LocalDate } from '../../engines/jurisdictions/jurisdiction.ts';
import type { EarlierPurchase, LimitedLine } from '../../engines/purchase-limits/check-purchase-limits.ts';
import { type LimitedType, limitedTypes } from './answer-limits.ts';
import { readTypedLine } from './typed-amount.ts';

/* Parses the query of the page's form. Pure. */

export const audiences = [
  'adult-use',
  'adult-use-non-resident',
  'medical',
  'medical-under-21',
] as const satisfies readonly Audience[];

/** The form as it was sent: the text and the error of each field. */
export interface AskedForm {
  readonly jurisdiction: Jurisdiction | null;
  readonly audience: Audience;
  readonly day: LocalDate;
  readonly goods: readonly LimitedLine[];
  readonly boughtBefore: readonly EarlierPurchase[];
  /** As typed, cut to the field's maximum. */
  readonly typed: ReadonlyMap<string, string>;
  /** By field. */
  readonly problems: ReadonlyMap<string, string>;
}

const typedLengthMax = 100;

export const amountField = (type: LimitedType): string => type;
export const beforeField = (type: LimitedType): string => `before-${type}`;

/** Parses a query; absent and empty fields are ignored. */
export function readLimitsForm(
  query: URLSearchParams,
  known: readonly Jurisdiction[],
  today: LocalDate,
): AskedForm {
  const problems = new Map<string, string>();
  const typed = new Map<string, string>();
  const sentValue = (field: string) => {
    const value = (query.get(field) ?? '').trim();
    typed.set(field, value.slice(0, typedLengthMax));
    return value;
  };
  const state = sentValue('state');
  const jurisdiction = known.find((it) => it.state === state) ?? null;
  if (state !== '' && jurisdiction === null) problems.set('state', 'State must be in the list.');
  const customer = sentValue('customer');
  const audience = audiences.find((it) => it === customer);
  if (customer !== '' && audience === undefined) problems.set('customer', 'Customer must be in the list.');
  const sentDay = sentValue('day');
  const isDay = sentDay === '' || isLocalDate(sentDay);
  if (!isDay) problems.set('day', 'Day must be a date YYYY-MM-DD that exists.');
  const day = isDay && sentDay !== '' ? sentDay : today;
  const contentOf = (field: string, type: LimitedType): LimitedLine[] => {
    const text = sentValue(field);
    if (text === '') return [];
    const line = readTypedLine(text, type);
    if ('content' in line) return [line];
    problems.set(field, `This ${line.problem}.`);
    return [];
  };
  const goods = limitedTypes.flatMap((type) => contentOf(amountField(type), type));
  const boughtBefore = limitedTypes
    .flatMap((type) => contentOf(beforeField(type), type))
    .map((line) => ({ ...line, localDate: day }));
  return { jurisdiction, audience: audience ?? 'adult-use', day, goods, boughtBefore, typed, problems };
}

function isLocalDate(text: string): boolean {
  if (!/^(?:19|20)\d\d-\d\d-\d\d$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}
