import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { dayInWords } from '../../parts/shop-day.tsx';
import { shopTime } from '../../parts/shop-time.tsx';
import { sentence } from '../../parts/status-badge.tsx';

type Entry = Schema['AuditEntry'];

/** Numbers of these are cents. */
const cents: ReadonlySet<string> = new Set([
  'amountCents',
  'customerGrandTotal',
  'deliveryFee',
  'discountsTotal',
  'fee',
  'netPrice',
  'orderMinimum',
  'orderMinimums',
  'refundTotal',
  'totalPrice',
]);

const percents: ReadonlySet<string> = new Set(['feePercent', 'percent', 'rate']);

/** Words of these are the service's own: names of fields, and of kinds and states. All others are what people wrote. */
const codes: ReadonlySet<string> = new Set([
  'before',
  'cannabisType',
  'changed',
  'customerType',
  'decision',
  'fields',
  'filled',
  'from',
  'kind',
  'method',
  'mode',
  'permissions',
  'refundType',
  'role',
  'rounding',
  'status',
  'to',
  'trigger',
  'type',
  'window',
]);

/** Lists of ids whose names do not say so. */
const idLists: ReadonlySet<string> = new Set(['created', 'deleted', 'replaces', 'superseded', 'updated']);

const labels: Readonly<Record<string, string>> = {
  amountCents: 'Amount',
  byteCount: 'Bytes',
  fields: 'Changed',
  mime: 'File type',
};

/** `#17`; of a long id its beginning, as orders without a number are called. */
export function idInWords(id: string | number): string {
  return `#${String(id).slice(0, 8)}`;
}

/** What an entry is about, as far as it says so itself; null: the shop, which goes without saying. */
export function subjectName(entry: Entry, actors: ReadonlyMap<string, string>): string | null {
  const { subjectType, subjectId, details } = entry;
  if (subjectType === 'organization') return null;
  const kind = subjectType === 'client_key' ? 'key' : subjectType;
  const [named] = [details.name, details.label, details.description].filter((it) => typeof it === 'string');
  return actors.get(`${kind}:${subjectId}`) ?? named ?? idInWords(subjectId);
}

/** The details of an entry by their labels; its subject's own id and what is empty are left out. */
export function detailLines({ details, subjectId, actor, actorName }: Entry, tz: string): [string, string][] {
  const { from, to, ...rest } = details;
  const isChange = from !== undefined || to !== undefined;
  return Object.entries(isChange ? { change: { from, to }, ...rest } : rest)
    .filter(([name, value]) => !(/Id$/.test(name) && String(value) === subjectId) && !isEmpty(value))
    .map(([name, value]): [string, string] => {
      const isActor = name === 'staffId' && actor === `staff:${value}`;
      return [labelOf(name), isActor ? actorName : valueInWords(name, value, tz)];
    });
}

/** All details in a line, for the table; a change of state needs no label. */
export function detailsInWords(entry: Entry, tz: string): string {
  return detailLines(entry, tz)
    .map(([label, value]) => (label === 'Change' ? value : `${label}: ${value}`))
    .join(' · ');
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** `inventoryLocationId` → `Inventory location`. */
function labelOf(name: string): string {
  return labels[name] ?? sentence(name.replace(/Ids?$/, '') || name);
}

function valueInWords(name: string, value: unknown, tz: string): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) {
    const joint = value.some((it) => typeof it === 'object') ? '; ' : ', ';
    return value.map((it) => valueInWords(name, it, tz)).join(joint) || '–';
  }
  if (typeof value === 'object') return partsInWords(name, value, tz);
  return wordsOf(name, value as string | number, tz);
}

function wordsOf(name: string, value: string | number, tz: string): string {
  const text = String(value);
  if (typeof value === 'number' && cents.has(name)) return dollars(value);
  if (percents.has(name)) return `${text}%`;
  if (/Ids?$/.test(name) || idLists.has(name)) return idInWords(value);
  if (codes.has(name)) return codeInWords(text);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return shopTime(text, tz, 'full');
  return /^\d{4}-\d\d-\d\d$/.test(text) ? dayInWords(text) : text;
}

/** `from` and `to` of a change as an arrow; other parts by their labels. */
function partsInWords(name: string, value: object, tz: string): string {
  const parts = Object.entries(value);
  if (parts.length > 0 && parts.every(([part]) => part === 'from' || part === 'to')) {
    const { from, to } = value as { from?: unknown; to?: unknown };
    const ofWhat = name === 'change' ? 'from' : name;
    return `${valueInWords(ofWhat, from, tz)} → ${valueInWords(ofWhat, to, tz)}`;
  }
  const ofAll = cents.has(name) ? name : null;
  return parts
    .map(([part, it]) => `${labelOf(part).toLowerCase()} ${valueInWords(ofAll ?? part, it, tz)}`)
    .join(', ');
}

/** `store-credit` → `store credit`, `licenseExpiry` → `license expiry`, `brandId` → `brand`. */
function codeInWords(code: string): string {
  return code
    .replace(/Ids?$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_.]/g, ' ')
    .toLowerCase();
}
