import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { dayInWords } from '../../parts/shop-day.tsx';
import { shopTime } from '../../parts/shop-time.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';

type Entry = Schema['AuditEntry'];

/** Fields in cents. */
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

/** Fields whose unit depends on the type of their discount or reward. */
const ofType: ReadonlySet<string> = new Set(['amount', 'discountAmount']);

const percents: ReadonlySet<string> = new Set(['feePercent', 'percent', 'rate']);

/** Fields with the service's own codes: field names, types and statuses. All other text was written by people. */
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

/** Lists of ids whose names do not show it. */
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
  amountCents: t`Amount`,
  byteCount: t`Bytes`,
  fields: t`Changed`,
  freeProductFloorCents: t`Free product floor`,
  mime: t`File type`,
};

/** `#17`; a long id shows its start, like orders without a number. */
function idInWords(id: string | number): string {
  return `#${String(id).slice(0, 8)}`;
}

/** The subject of an entry, as far as the entry names it; null: the shop, which is not shown. */
export function subjectName(entry: Entry, actors: ReadonlyMap<string, string>): string | null {
  const { subjectType, subjectId, details } = entry;
  if (subjectType === 'organization') return null;
  const kind = subjectType === 'client_key' ? 'key' : subjectType;
  const [named] = [details.name, details.label, details.description]
    .map((it) => changeIn(it)?.to ?? it)
    .filter((it) => typeof it === 'string');
  return actors.get(`${kind}:${subjectId}`) ?? named ?? idInWords(subjectId);
}

/** The details of an entry by label, without the subject's own id and empty values. */
export function detailLines({ details, subjectId, actor, actorName }: Entry, tz: string): [string, string][] {
  const { from, to, ...rest } = details;
  const isChange = from !== undefined || to !== undefined;
  const told: ValueContext = { tz, type: details.type };
  return Object.entries(isChange ? { change: { from, to }, ...rest } : rest)
    .filter(([name, value]) => !(/Id$/.test(name) && String(value) === subjectId) && !isEmpty(value))
    .map(([name, value]): [string, string] => {
      const isActor = name === 'staffId' && actor === `staff:${value}`;
      return [labelOf(name, value), isActor ? actorName : valueInWords(name, value, told)];
    });
}

/** All details in one line, for the table; a status change needs no label. */
export function detailsInWords(entry: Entry, tz: string): string {
  return detailLines(entry, tz)
    .map(([label, value]) => (label === t`Change` ? value : `${label}: ${value}`))
    .join(' · ');
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** `inventoryLocationId` → `Inventory location`. */
function labelOf(name: string, value: unknown = null): string {
  // Appears beside `fields`, which are also labelled "Changed".
  if (name === 'changed' && isListOfRows(value)) return t`Changed rows`;
  return labels[name] ?? sentence(name.replace(/Ids?$/, '') || name);
}

/** The context that the text of a value depends on, besides its name. */
interface ValueContext {
  readonly tz: string;
  /** The type of the discount, reward or credit. */
  readonly type: unknown;
}

function valueInWords(name: string, value: unknown, told: ValueContext): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (Array.isArray(value)) {
    const joint = value.some((it) => typeof it === 'object') ? '; ' : ', ';
    return value.map((it) => valueInWords(name, it, told)).join(joint) || '–';
  }
  if (typeof value === 'object') return partsInWords(name, value, told);
  return wordsOf(name, value as string | number, told);
}

function wordsOf(name: string, value: string | number, { tz, type }: ValueContext): string {
  const text = String(value);
  // The marker of a truncated list.
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

/** For a discount or reward whose type changes: its new type. */
function isPercent(type: unknown): boolean {
  return (changeIn(type)?.to ?? type) === 'percent';
}

/** A change from one value to another; null: something else. */
function changeIn(value: unknown): { readonly from?: unknown; readonly to?: unknown } | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const parts = Object.keys(value);
  return parts.length > 0 && parts.every((part) => part === 'from' || part === 'to') ? value : null;
}

function isListOfRows(value: unknown): boolean {
  return Array.isArray(value) && value.some((it) => typeof it === 'object');
}

/** `from` and `to` of a change as an arrow; other parts with their labels. */
function partsInWords(name: string, value: object, told: ValueContext): string {
  const change = changeIn(value);
  if (change !== null) {
    const ofWhat = name === 'change' ? 'from' : name;
    return `${valueInWords(ofWhat, change.from, told)} → ${valueInWords(ofWhat, change.to, told)}`;
  }
  return Object.entries(value)
    .map(([part, it]) => {
      // In a list of ids or amounts, all parts have that type.
      const ofAll = cents.has(name) || (isListPart(part) && !isListOfRows(it));
      const words = valueInWords(ofAll ? name : part, it, told);
      if (isListPart(part)) return `${part}: ${words}`;
      return part === 'id' ? words : `${labelOf(part).toLowerCase()} ${words}`;
    })
    .join(Object.keys(value).some(isListPart) ? '; ' : ', ');
}

/** The change of a list: its parts are lists. */
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
