import Type, { type Static } from 'typebox';
import { type Decimal, decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { ImportOutcome } from '../../kernel/import-outcome.ts';
import { isoTimestamp, localDateAt, localInstantMs } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { requestValidator } from '../../platform/http/request-validation.ts';
import { CentsTotal, Flag, List, Nullable, Text } from '../../platform/http/schemas.ts';
import { selectBuyersOfFormerSales } from '../customers/customers.ts';
import {
  claimRefunds,
  insertFormerSales,
  type RefundedSaleRow,
  selectKnownFormerSales,
  selectRefundedSales,
  selectShopOfFormerSales,
  setCountedContents,
} from './former-sale-queries.ts';
import type { FormerLine } from './former-sale-schemas.ts';
import { isText, SoldGoods, selectOptionsOf } from './sold-goods.ts';

const further = (max: number) => Type.Optional(Nullable(Text({ max })));
const Amount = () => Type.Optional(CentsTotal());

const clock = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?';

const Row = Type.Object({
  till: Type.Optional(Text({ min: 1, max: 40 })),
  number: Text({ min: 1, max: 100 }),
  soldAt: Text({ min: 10, max: 40 }),
  soldTime: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 8,
        pattern: `^${clock}$`,
        'x-expected': 'the time of a clock, such as 10:15:09',
      }),
    ),
  ),
  customerId: further(100),
  customerEmail: further(300),
  /** The number of the ticket of the same till that this one gives back. */
  refundOf: further(100),
  options: List(
    Type.Object({
      lineId: further(100),
      productName: Text({ min: 1, max: 500 }),
      brandName: further(200),
      category: further(200),
      sku: further(100),
      upc: further(100),
      size: further(200),
      tag: further(100),
      quantity: Text({ min: 1, max: 40 }),
      isReturn: Type.Optional(Nullable(Flag())),
      gross: Amount(),
      discount: Amount(),
      net: CentsTotal(),
      tax: Amount(),
    }),
    { min: 1, max: 500 },
  ),
});

const validate = requestValidator({ body: Row, resourceParams: {} });

type SentSale = Static<typeof Row>;

/** A ticket of another till. */
export interface NewFormerSale extends SentSale {
  readonly till: string;
}

/** Local times have no offset: the shop's time zone says which moments they are. */
const moment = new RegExp(
  `^((?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2})(?:T${clock}((?:\\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2}))?)?$`,
);

/** Parses a ticket with its lines. Fails with MISSING_PARAMS and INVALID_PARAMS. */
export function readFormerSale(body: unknown): NewFormerSale {
  const sent = validate({}, {}, body, true).body as SentSale;
  if (!isMoment(sent.soldAt)) {
    throw failure(
      'INVALID_PARAMS',
      'soldAt must be a date that exists, such as 2026-03-01 or 2026-03-01T10:15:09.',
    );
  }
  for (const [at, { quantity }] of sent.options.entries()) {
    if (/^-?\d{1,12}(\.\d{1,12})?$/.test(quantity)) continue;
    throw failure('INVALID_PARAMS', `options[${at}].quantity must be a number.`);
  }
  const options = withoutTwins(sent.options);
  return {
    ...{ ...sent, till: sent.till ?? 'the former till' },
    options: isText(sent.refundOf) ? asReturned(options) : options,
  };
}

/** Whether the text is a moment of a day that the calendar has. */
function isMoment(text: string): boolean {
  const [, day] = moment.exec(text) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  return new Date(Date.parse(`${day}T00:00:00Z`)).toISOString().startsWith(day);
}

/** The lines of a ticket that gives another one back: what is below zero came back; if nothing is, and no line says otherwise, all of it. */
function asReturned(lines: SentSale['options']): SentSale['options'] {
  const isBelow = ({ quantity, net }: SentSale['options'][number]) => decimal(quantity).lt(0) || net < 0;
  const isPlain = lines.every((line) => line.isReturn == null && !isBelow(line));
  return lines.map((line) => ({ ...line, isReturn: line.isReturn ?? (isPlain || isBelow(line)) }));
}

/** Exports that overlap have lines twice, which their numbers tell; two equal lines without numbers are two. */
function withoutTwins(lines: SentSale['options']): SentSale['options'] {
  const seen = new Set<string>();
  return lines.filter((line) => {
    const text = JSON.stringify(line);
    if (!isText(line.lineId) || !seen.has(text)) return seen.add(text);
    return false;
  });
}

/** Rows of one ticket are one sale, so that no key is needed within a file. */
export function formerSaleKeys({ till, number, soldAt }: NewFormerSale): readonly string[] {
  return [`sale ${till} ${number} ${soldAt.slice(0, 10)}`];
}

/** Limits look back a month and some days; what was sold before counts for none. */
const countedDaysMax = 60;
const dayMs = 24 * 3_600_000;

/**
 * Keeps many sales of another till in one transaction, with an audit entry for all of them. A sale that is here already stays as
 * it is. Its customer is found by the number at that till, else by email. A line counts for purchase limits as the product of the
 * catalog does that has its UPC, SKU or name; one that is no product here is told while it could still count. Resolves to the
 * result of each, in order; `isTrial` writes nothing.
 */
export async function importFormerSales(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  rows: readonly NewFormerSale[],
  { isTrial }: { readonly isTrial: boolean },
): Promise<ImportOutcome[]> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const lines = rows.flatMap(({ options }) => options);
  const numbered = rows.filter(({ customerId }) => isText(customerId));
  const write = async (tx: TenantTransaction) => {
    const [[shop], options, buyers] = await tx.run(
      selectShopOfFormerSales({}),
      selectOptionsOf(lines),
      selectBuyersOfFormerSales({
        tills: numbered.map(({ till }) => till),
        formerIds: numbered.map(({ customerId }) => customerId!),
        emails: rows.flatMap(({ customerEmail }) =>
          isText(customerEmail) ? [customerEmail.trim().toLowerCase()] : [],
        ),
      }),
    );
    const moments = rows.map((row) => momentOf(row, shop!.tz));
    const [known] = await tx.run(
      selectKnownFormerSales({
        tills: rows.map(({ till }) => till),
        numbers: rows.map(({ number }) => number),
        days: moments.map(({ day }) => day),
      }),
    );
    const idOf = new Map(known.map((row) => [row.at, row.id]));
    const goods = new SoldGoods(options);
    const customerOf = new Map(
      buyers.map(({ till, sought, user_id: id }) => [JSON.stringify([till, sought]), id]),
    );
    const ids = isTrial ? [] : await context.ids.take(rows.length);
    const fresh: FreshSales[number][] = [];
    const outcomes = rows.map((row, index): ImportOutcome => {
      const here = idOf.get(index + 1);
      if (here !== undefined) return { kind: 'known', id: here };
      const { instantMs, day } = moments[index]!;
      if (instantMs > nowMs) {
        return { kind: 'refused', problem: failure('INVALID_PARAMS', 'soldAt must not be in the future.') };
      }
      const kept = row.options.map((line) => goods.lineOf(line));
      const id = ids[index] ?? 0;
      fresh.push({
        id,
        ...{ till: row.till, number: row.number, soldAt: isoTimestamp(instantMs), localDate: day },
        userId:
          customerOf.get(JSON.stringify([row.till, row.customerId])) ??
          customerOf.get(JSON.stringify(['', row.customerEmail?.trim().toLowerCase()])) ??
          null,
        ...sumsOf(kept),
        lines: kept,
        countedContents: contentsOf(kept),
        refundOf: isText(row.refundOf) ? row.refundOf : null,
        importedAt: at,
      });
      const isRecent = nowMs - instantMs <= countedDaysMax * dayMs;
      const warnings = isRecent ? goods.warningsOf(row.options) : [];
      return { kind: 'created', id, ...(warnings.length > 0 && { warnings }) };
    });
    if (isTrial || fresh.length === 0) return outcomes;
    await insertWithRefunds(tx, fresh);
    const facts = { count: fresh.length, till: fresh[0]!.till };
    await announce(tx, context, origin, nowMs, {
      ...{ event: 'former_sales.imported', subjectType: 'organization', subjectId: Number(organization) },
      ...{ payload: { count: fresh.length }, details: facts },
    });
    return outcomes;
  };
  // Another import of the same file at the same time: the second try finds its sales.
  return context.database.write(organization, write, { retryOnConstraints: ['former_sales_once'] });
}

/** The day of a sale in a time zone, as it is kept. */
export function localDayOfSale(sale: NewFormerSale, tz: string): string {
  return momentOf(sale, tz).day;
}

/** The moment of a sale, and its local day. */
function momentOf({ soldAt, soldTime }: NewFormerSale, tz: string) {
  const [, , offset] = moment.exec(soldAt)!;
  if (offset !== undefined) {
    const instantMs = Date.parse(soldAt);
    return { instantMs, day: localDateAt(instantMs, tz) };
  }
  const [day, ofDay] = soldAt.split('T') as [string, string | undefined];
  // A day without any time is noon, which every day has once.
  const [hour, minute, second = 0] = (soldTime ?? ofDay ?? '12:00:00').split(':').map(Number);
  return { instantMs: localInstantMs(day, hour! * 60 + minute!, tz) + second * 1000, day };
}

type FreshSales = Parameters<typeof insertFormerSales>[0];

/** Whichever of the two comes first, a ticket or the one that gives it back: what came back is taken off the day of the sale. */
async function insertWithRefunds(tx: TenantTransaction, fresh: FreshSales): Promise<void> {
  const named = fresh.flatMap(({ till, number, refundOf }) =>
    [number, refundOf].flatMap((of) => (of === null ? [] : [{ till, number: of }])),
  );
  const asked = { tills: named.map(({ till }) => till), numbers: named.map(({ number }) => number) };
  const inserted = insertFormerSales(fresh);
  const results = await tx.run(...inserted, selectRefundedSales(asked));
  const refunded = results[inserted.length] as RefundedSaleRow[];
  if (refunded.length > 0) tx.queue(...refunded.map(lessRefunds), claimRefunds(asked));
}

function lessRefunds({ id, lines, refunds }: RefundedSaleRow) {
  return setCountedContents({ id, countedContents: JSON.stringify(contentsOf([...lines, ...refunds])) });
}

function sumsOf(lines: readonly FormerLine[]) {
  const sum = (name: 'gross' | 'discount' | 'net' | 'tax') =>
    lines.reduce((total, line) => total + line[name], 0);
  return {
    grossCents: sum('gross'),
    discountCents: sum('discount'),
    netCents: sum('net'),
    taxCents: sum('tax'),
  };
}

/** What the customer kept, by cannabis type, and its THC; what came back of another ticket is taken off the day of that one. */
function contentsOf(lines: readonly FormerLine[]): Record<string, string> {
  const sums = new Map<string, Decimal>();
  for (const { cannabisType, content, thcMg = null, isReturn } of lines) {
    if (cannabisType === null) continue;
    for (const [key, amount] of [[cannabisType, content] as const, [`thc:${cannabisType}`, thcMg] as const]) {
      if (amount === null) continue;
      const before = sums.get(key) ?? zero;
      sums.set(key, isReturn ? before.minus(amount) : before.plus(amount));
    }
  }
  return Object.fromEntries(
    [...sums].flatMap(([type, sum]) => (sum.gt(0) ? [[type, decimalText(sum)] as const] : [])),
  );
}
