import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { dayInWords } from '../../parts/shop-day.tsx';
import { shopTime } from '../../parts/shop-time.tsx';
import { sentence } from '../../parts/status-badge.tsx';

type Entry = Schema['AuditEntry'];

/** Numbers of these are cents. */
const cents: ReadonlySet<string> = new Set([
  'amount',
  'amountCents',
  'customerGrandTotal',
  'deliveryFee',
  'discountAmount',
  'discountsTotal',
  'fee',
  'finalTotal',
  'freeProductFloorCents',
  'maximumAmount',
  'minimumSubtotal',
  'netPrice',
  'orderMinimum',
  'orderMinimums',
  'price',
  'refundTotal',
  'salesPrice',
  'shippingHandlingFee',
  'totalPrice',
  'unitPrice',
]);

/** Numbers of these are of what the type of their discount or reward says. */
const ofType: ReadonlySet<string> = new Set(['amount', 'discountAmount']);

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
  'inventoryType',
  'kind',
  'method',
  'mode',
  'paymentTerms',
  'permissions',
  'refundType',
  'role',
  'rounding',
  'status',
  'strainType',
  'to',
  'trigger',
  'type',
  'window',
]);

/** Lists of ids whose names do not say so. */
const idLists: ReadonlySet<string> = new Set([
  'created',
  'deleted',
  'id',
  'replaces',
  'sequence',
  'superseded',
  'updated',
]);

const labels: Readonly<Record<string, string>> = {
  amountCents: 'Amount',
  byteCount: 'Bytes',
  fields: 'Changed',
  freeProductFloorCents: 'Free product floor',
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
  const [named] = [details.name, details.label, details.description]
    .map((it) => changeIn(it)?.to ?? it)
    .filter((it) => typeof it === 'string');
  return actors.get(`${kind}:${subjectId}`) ?? named ?? idInWords(subjectId);
}

/** The details of an entry by their labels; its subject's own id and what is empty are left out. */
export function detailLines({ details, subjectId, actor, actorName }: Entry, tz: string): [string, string][] {
  const { from, to, ...rest } = details;
  const isChange = from !== undefined || to !== undefined;
  const told: Told = { tz, type: details.type };
  return Object.entries(isChange ? { change: { from, to }, ...rest } : rest)
    .filter(([name, value]) => !(/Id$/.test(name) && String(value) === subjectId) && !isEmpty(value))
    .map(([name, value]): [string, string] => {
      const isActor = name === 'staffId' && actor === `staff:${value}`;
      return [labelOf(name, value), isActor ? actorName : valueInWords(name, value, told)];
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
function labelOf(name: string, value: unknown = null): string {
  // Beside `fields`, which are changed too.
  if (name === 'changed' && isListOfRows(value)) return 'Changed in part';
  return labels[name] ?? sentence(name.replace(/Ids?$/, '') || name);
}

/** What the words for a value depend on beside its name. */
interface Told {
  readonly tz: string;
  /** Of the discount, reward or credit. */
  readonly type: unknown;
}

function valueInWords(name: string, value: unknown, told: Told): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) {
    const joint = value.some((it) => typeof it === 'object') ? '; ' : ', ';
    return value.map((it) => valueInWords(name, it, told)).join(joint) || '–';
  }
  if (typeof value === 'object') return partsInWords(name, value, told);
  return wordsOf(name, value as string | number, told);
}

function wordsOf(name: string, value: string | number, { tz, type }: Told): string {
  const text = String(value);
  // Where a long list was cut.
  if (/^and \d+ more$/.test(text)) return text;
  if (typeof value === 'number' && ofType.has(name) && isPercent(type)) return `${text}%`;
  if (typeof value === 'number' && cents.has(name) && Number.isInteger(value)) return dollars(value);
  if (name === 'costPerUnit') return `$${text}`;
  if (percents.has(name)) return `${text}%`;
  if (/Ids?$/.test(name) || idLists.has(name)) return idInWords(value);
  if (codes.has(name)) return codeInWords(text);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return shopTime(text, tz, 'full');
  return /^\d{4}-\d\d-\d\d$/.test(text) ? dayInWords(text) : text;
}

/** Of a discount or reward whose type changes, what it is of now. */
function isPercent(type: unknown): boolean {
  return (changeIn(type)?.to ?? type) === 'percent';
}

/** A change of one thing, from what to what; null: it is something else. */
function changeIn(value: unknown): { readonly from?: unknown; readonly to?: unknown } | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const parts = Object.keys(value);
  return parts.length > 0 && parts.every((part) => part === 'from' || part === 'to') ? value : null;
}

function isListOfRows(value: unknown): boolean {
  return Array.isArray(value) && value.some((it) => typeof it === 'object');
}

/** `from` and `to` of a change as an arrow; other parts by their labels. */
function partsInWords(name: string, value: object, told: Told): string {
  const change = changeIn(value);
  if (change !== null) {
    const ofWhat = name === 'change' ? 'from' : name;
    return `${valueInWords(ofWhat, change.from, told)} → ${valueInWords(ofWhat, change.to, told)}`;
  }
  return Object.entries(value)
    .map(([part, it]) => {
      // Of a list of ids, or of amounts, all parts are such.
      const ofAll = cents.has(name) || (isListPart(part) && !isListOfRows(it));
      const words = valueInWords(ofAll ? name : part, it, told);
      if (isListPart(part)) return `${part}: ${words}`;
      return part === 'id' ? words : `${labelOf(part).toLowerCase()} ${words}`;
    })
    .join(Object.keys(value).some(isListPart) ? '; ' : ', ');
}

/** What became of a list: its parts are lists themselves. */
function isListPart(part: string): boolean {
  return part === 'added' || part === 'removed' || part === 'changed';
}

/** `store-credit` → `store credit`, `licenseExpiry` → `license expiry`, `brandId` → `brand`. */
function codeInWords(code: string): string {
  return code
    .replace(/Ids?$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_.]/g, ' ')
    .toLowerCase();
}
