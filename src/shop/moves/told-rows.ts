import Type, { type Static } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { requestValidator } from '../../platform/http/request-validation.ts';
import { CentsTotal, LocalDate, Nullable, Text } from '../../platform/http/schemas.ts';

/** Rows that are compared or proposed, and written nowhere. Pure. */

const Amount = () => Type.Optional(Nullable(CentsTotal()));
const further = (max: number) => Type.Optional(Nullable(Text({ max })));

const Use = Type.Object({
  name: Text({ min: 1, max: 200 }),
  ...{ code: further(50), uses: further(15), amount: Amount() },
});
const Day = Type.Object({
  day: LocalDate(),
  ...{ sales: further(15), gross: Amount(), discount: Amount(), net: Amount(), tax: CentsTotal() },
});

const Tag = Type.Object({ tag: Text({ min: 1, max: 100 }), quantity: Text({ min: 1, max: 40 }) });

const validateTag = requestValidator({ body: Tag, resourceParams: {} });
const validateUse = requestValidator({ body: Use, resourceParams: {} });
const validateDay = requestValidator({ body: Day, resourceParams: {} });

/** Uses of a discount of another till. */
export interface DiscountUse {
  readonly name: string;
  readonly code: string | null;
  readonly uses: number;
  /** What it took off in all. */
  readonly amountCents: number;
}

/** A row without a number of uses is one. Fails with MISSING_PARAMS and INVALID_PARAMS. */
export function readDiscountUse(body: unknown): DiscountUse {
  const { name, code, uses, amount } = validateUse({}, {}, body, true).body as Static<typeof Use>;
  return {
    ...{ name: name.trim(), code: code?.trim() || null, uses: wholeNumber(uses ?? '1', 'uses') },
    amountCents: Math.abs(amount ?? 0),
  };
}

/** A closed day of another till. */
export interface ClosedDay {
  readonly day: string;
  /** Null: the file does not count them. */
  readonly sales: number | null;
  readonly netCents: number;
  readonly taxCents: number;
}

/** The net is what the file says, else gross less discount. Fails with MISSING_PARAMS and INVALID_PARAMS. */
export function readClosedDay(body: unknown): ClosedDay {
  const { day, sales, gross, discount, net, tax } = validateDay({}, {}, body, true).body as Static<
    typeof Day
  >;
  if (net == null && gross == null)
    throw failure('MISSING_PARAMS', 'net must be present.', { missing: ['net'] });
  return {
    ...{ day, sales: sales == null ? null : wholeNumber(sales, 'sales'), taxCents: tax },
    netCents: net ?? gross! - Math.abs(discount ?? 0),
  };
}

/** A package as the state has it. */
export interface StateTag {
  readonly tag: string;
  /** A decimal. */
  readonly quantity: string;
}

/** Fails with MISSING_PARAMS and INVALID_PARAMS. */
export function readStateTag(body: unknown): StateTag {
  return validateTag({}, {}, body, true).body as Static<typeof Tag>;
}

function wholeNumber(text: string, field: string): number {
  if (!/^\d{1,9}$/.test(text)) throw failure('INVALID_PARAMS', `${field} must be a whole number.`);
  return Number(text);
}
