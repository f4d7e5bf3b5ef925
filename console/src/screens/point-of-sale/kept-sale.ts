import type { Schema } from '../../api.ts';
import type { PaymentRow } from '../../parts/payment-sums.ts';
import type { Adjustment } from '../../parts/reductions.ts';
import type { SaleOption } from '../../parts/sale-options.ts';
import { type Cart, type Customer, cartBody } from './cart.ts';

/** A sale from the moment payment is taken until it is sold or given up: one sale, however often it is tried. */
export interface SaleUnderWay {
  readonly idempotencyKey: string;
  /** What is sold, as it is sent (`cartBody`). */
  readonly body: string;
  /** Cents that the customer was told. */
  readonly customerGrandTotal: number;
  /** Cents to be paid before payment fees. */
  readonly due: number;
  /** The payments as they are being typed; empty: nothing is typed yet. */
  readonly payments: readonly PaymentRow[];
  /** The order was sent, and no answer has come: it may be placed. */
  readonly isSent: boolean;
  readonly placed: { readonly id: string; readonly number: number | null } | null;
  /** The payments as they were sent, when no answer has come: they may be taken. */
  readonly sentPayments: readonly PaymentRow[] | null;
}

/** A cart as it is now sold for the first time. */
export function newSale(cart: Cart, pricing: Schema['StaffCartPricing']): SaleUnderWay {
  return {
    idempotencyKey: pricing.idempotencyKey,
    body: JSON.stringify(cartBody(cart)),
    customerGrandTotal: pricing.customerGrandTotal,
    due: pricing.netPrice + (pricing.deliveryFee ?? 0),
    payments: [],
    isSent: false,
    placed: null,
    sentPayments: null,
  };
}

/** A cart without the person: of who buys only the id is kept. */
export type KeptCart = Omit<Cart, 'customer' | 'walkInName'> & {
  readonly customerId: number | null;
  /** A walk-in had a name, which is not kept. */
  readonly hadName: boolean;
};

export interface KeptSale {
  readonly cart: KeptCart;
  readonly sale: SaleUnderWay | null;
}

/** Of this shape; another version is not read. */
const version = 1;

export function keptText({ customer, walkInName, ...cart }: Cart, sale: SaleUnderWay | null): string {
  const kept: KeptSale = {
    cart: { ...cart, customerId: customer?.id ?? null, hadName: walkInName.trim() !== '' },
    sale: sale && unnamed(sale),
  };
  return JSON.stringify({ version, ...kept });
}

/** What a walk-in is called is not kept, nor in what was sent: should it have been placed, the key alone answers it. */
function unnamed(sale: SaleUnderWay): SaleUnderWay {
  const { customerName: _, ...body } = JSON.parse(sale.body) as Record<string, unknown>;
  return { ...sale, body: JSON.stringify(body) };
}

/** The cart as it goes on, once it is known who buys. */
export function cartOf({ customerId: _, hadName: __, ...cart }: KeptCart, customer: Customer | null): Cart {
  return { ...cart, customer, walkInName: '' };
}

/** What `keptText` made; null: it is none of this version, or damaged. */
export function readKept(text: string | null): KeptSale | null {
  if (text === null) return null;
  try {
    const kept: unknown = JSON.parse(text);
    return isRecord(kept) && kept.version === version && isCart(kept.cart) && isSale(kept.sale)
      ? { cart: kept.cart, sale: kept.sale }
      : null;
  } catch {
    return null;
  }
}

type Check<Value> = (value: unknown) => value is Value;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
const isText: Check<string> = (it): it is string => typeof it === 'string';
const isFlag: Check<boolean> = (it): it is boolean => typeof it === 'boolean';
const isNumber: Check<number> = (it): it is number => Number.isFinite(it);
const isWhole: Check<number> = (it): it is number => Number.isSafeInteger(it);

function or<Value>(check: Check<Value>): Check<Value | null> {
  return (it): it is Value | null => it === null || check(it);
}
function every<Value>(check: Check<Value>): Check<Value[]> {
  return (it): it is Value[] => Array.isArray(it) && it.every(check);
}
function has<Value>(checks: { readonly [Name in keyof Value]-?: Check<Value[Name]> }): Check<Value> {
  return (it): it is Value =>
    isRecord(it) && Object.entries(checks).every(([name, check]) => (check as Check<unknown>)(it[name]));
}

const isOption = has<SaleOption>({
  productId: isWhole,
  productOptionId: isWhole,
  amount: isNumber,
  inventoryType: isText as Check<SaleOption['inventoryType']>,
  productName: isText,
  brandName: isText,
  optionName: isText,
  price: isWhole,
  formerPrice: or(isWhole),
  upc: or(isText),
  photo: or(isText),
  category: isText,
});

const isQuantity: Check<number> = (it): it is number => isWhole(it) && it > 0;

const isReward: Check<Cart['rewards'][number]> = (it): it is Cart['rewards'][number] =>
  isRecord(it) && isWhole(it.rewardId) && (it.points === undefined || isText(it.points));

const isCart = has<KeptCart>({
  lines: every(has<Cart['lines'][number]>({ option: isOption, quantity: isQuantity })),
  currentId: or(isWhole),
  customerId: or(isWhole),
  hadName: isFlag,
  rewards: every(isReward),
  applyCredits: or(isFlag),
  discountIds: every(isWhole),
  discountCodes: every(isText),
  adjustments: every(
    has<Adjustment>({
      amount: or(isWhole),
      way: (it): it is Adjustment['way'] => it === 'off' || it === 'on',
      description: isText,
    }),
  ),
  taxExempt: or(has<NonNullable<Cart['taxExempt']>>({ exempt: isFlag, reason: isText })),
});

const isPayments = every(
  has<PaymentRow>({
    key: isWhole,
    paymentTypeId: isWhole,
    amount: or(isWhole),
    tendered: or(isWhole),
    confirmed: (it): it is PaymentRow['confirmed'] => it === undefined || isWhole(it),
  }),
);

const isSale = or(
  has<SaleUnderWay>({
    idempotencyKey: isText,
    body: isBody,
    customerGrandTotal: isWhole,
    due: isWhole,
    payments: isPayments,
    isSent: isFlag,
    placed: or(has<NonNullable<SaleUnderWay['placed']>>({ id: isText, number: or(isWhole) })),
    sentPayments: or(isPayments),
  }),
);

function isBody(it: unknown): it is string {
  return isText(it) && isRecord(JSON.parse(it));
}
