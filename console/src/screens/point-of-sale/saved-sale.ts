import type { Schema } from '../../api.ts';
import type { PaymentRow } from '../../parts/payment-sums.ts';
import type { Adjustment, GivenPart } from '../../parts/reductions.ts';
import type { LooseGoods, SaleOption } from '../../parts/sale-options.ts';
import {
  type Cart,
  type CartLine,
  type Customer,
  cartBody,
  type GoodsBack,
  type WeighedPart,
} from './cart.ts';

/** A sale from the start of payment until it is completed or discarded: one sale, however often it is tried. */
export interface PendingSale {
  readonly idempotencyKey: string;
  /** The sale as a request body (`cartBody`). */
  readonly body: string;
  /** The total shown to the customer, in cents. */
  readonly customerGrandTotal: number;
  /** Cents due before payment fees, less what comes back; negative: the customer gets it. */
  readonly due: number;
  /** Goods that come back for these; absent or null: none. */
  readonly goodsBack?: GoodsBack | null | undefined;
  /** The payments being typed; empty: none yet. */
  readonly payments: readonly PaymentRow[];
  /** The order was sent and not answered: it may be placed. */
  readonly isSent: boolean;
  readonly placed: { readonly id: string; readonly number: number | null } | null;
  /** The payments sent and not answered: they may be taken. */
  readonly sentPayments: readonly PaymentRow[] | null;
  /** The license of who buys was scanned in this sale. */
  readonly idScanned?: boolean | undefined;
}

/** A new sale of the current cart. */
export function newSale(cart: Cart, pricing: Schema['StaffCartPricing']): PendingSale {
  return {
    idempotencyKey: pricing.idempotencyKey,
    body: JSON.stringify(cartBody(cart)),
    customerGrandTotal: pricing.customerGrandTotal,
    due: pricing.netPrice + (pricing.deliveryFee ?? 0) - (cart.goodsBack?.refund ?? 0),
    goodsBack: cart.goodsBack ?? null,
    payments: [],
    isSent: false,
    placed: null,
    sentPayments: null,
    idScanned: cart.customer !== null && cart.scannedId === cart.customer.id,
  };
}

/** A cart without personal data: only the customer's id is saved. */
type SavedCart = Omit<Cart, 'customer' | 'walkInName' | 'scannedId' | 'idScanned'> & {
  readonly customerId: number | null;
  /** Whether a walk-in had a name, which is not saved. */
  readonly hadName: boolean;
};

export interface SavedSale {
  readonly cart: SavedCart;
  readonly sale: PendingSale | null;
}

/** The version of this format; other versions are not read. */
const version = 1;

export function savedText(
  { customer, walkInName, scannedId: _, idScanned: __, ...cart }: Cart,
  sale: PendingSale | null,
): string {
  const kept: SavedSale = {
    cart: { ...cart, customerId: customer?.id ?? null, hadName: walkInName.trim() !== '' },
    sale: sale && unnamed(sale),
  };
  return JSON.stringify({ version, ...kept });
}

/** The name of a walk-in is not saved, nor in the sent body: if the order was placed, the key alone returns it. */
function unnamed(sale: PendingSale): PendingSale {
  const { customerName: _, ...body } = JSON.parse(sale.body) as Record<string, unknown>;
  return { ...sale, body: JSON.stringify(body) };
}

/** The restored cart, once the customer is loaded. */
export function cartOf({ customerId: _, hadName: __, ...cart }: SavedCart, customer: Customer | null): Cart {
  return { ...cart, customer, walkInName: '' };
}

/** Parses the result of `savedText`; null: another version, or damaged. */
export function readSaved(text: string | null): SavedSale | null {
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
  unit: (it): it is SaleOption['unit'] => it === undefined || it === 'gram' || it === 'item',
  productName: isText,
  brandName: isText,
  optionName: isText,
  price: isWhole,
  regularPrice: or(isWhole),
  upc: or(isText),
  photo: or(isText),
  photoAltText: (it): it is string | null | undefined => it === undefined || or(isText)(it),
  category: isText,
  thc: (it): it is string | null | undefined => it === undefined || or(isText)(it),
  jar: (it): it is undefined => it === undefined,
  loose: (it): it is SaleOption['loose'] =>
    it === undefined ||
    has<LooseGoods>({
      tolerance: isText,
      sizes: every(has<LooseGoods['sizes'][number]>({ amount: isText, cents: isWhole })),
      optionId: isWhole,
    })(it),
});

const isGiven: Check<CartLine['given']> = (it): it is CartLine['given'] =>
  it === undefined ||
  (isRecord(it) && isText(it.reason) && (isWhole(it.unitPrice) || isWhole(it.amount) || isText(it.percent)));

const isQuantity: Check<number> = (it): it is number => isWhole(it) && it > 0;

const isReward: Check<Cart['rewards'][number]> = (it): it is Cart['rewards'][number] =>
  isRecord(it) && isWhole(it.rewardId) && (it.points === undefined || isText(it.points));

/** Absent: from the oldest packages. */
const isWeighedParts: Check<CartLine['parts']> = (it): it is CartLine['parts'] =>
  it === undefined || every(has<WeighedPart>({ packageId: isWhole, label: isText, weight: isText }))(it);

const isLine: Check<CartLine> = (it): it is CartLine =>
  isRecord(it) &&
  isOption(it.option) &&
  isQuantity(it.quantity) &&
  (it.weight === undefined || isText(it.weight)) &&
  isWeighedParts(it.parts) &&
  isGiven(it.given);

/** Absent: none is given in part. */
const isParts: Check<Cart['discountParts']> = (it): it is Cart['discountParts'] =>
  it === undefined ||
  every(
    has<GivenPart>({
      discountId: isWhole,
      way: (way): way is GivenPart['way'] => way === 'percent' || way === 'amount',
      percent: isText,
      amount: or(isWhole),
      reason: isText,
    }),
  )(it);

const isGoodsBack: Check<GoodsBack | null | undefined> = (it): it is GoodsBack | null | undefined =>
  it == null ||
  has<GoodsBack>({
    orderId: isText,
    orderNumber: or(isWhole),
    lineItems: every(
      has<GoodsBack['lineItems'][number]>({
        ...{ orderLineItemId: isWhole, quantity: isWhole, reason: isText, name: isText },
        inventoryAction: isText as Check<GoodsBack['lineItems'][number]['inventoryAction']>,
      }),
    ),
    takesRewardsBack: isFlag,
    inventoryLocationId: (it): it is number | null | undefined => it === undefined || or(isWhole)(it),
    refund: isWhole,
  })(it);

const isCart = has<SavedCart>({
  goodsBack: isGoodsBack as Check<Cart['goodsBack']>,
  lines: every(isLine),
  currentId: or(isWhole),
  customerId: or(isWhole),
  patientId: (it): it is number | null | undefined => it === undefined || or(isWhole)(it),
  hadName: isFlag,
  rewards: every(isReward),
  applyCredits: or(isFlag),
  birthday: (it): it is string | null | undefined => it === undefined || or(isText)(it),
  offlineNumber: (it): it is number | undefined => it === undefined || isWhole(it),
  refusedId: (it): it is Cart['refusedId'] => it === undefined || it === 'underage' || it === 'expired',
  discountIds: every(isWhole),
  discountParts: isParts,
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
    giftCard: (it): it is PaymentRow['giftCard'] => it === undefined || isText(it),
  }),
);

const isSale = or(
  has<PendingSale>({
    idempotencyKey: isText,
    body: isBody,
    customerGrandTotal: isWhole,
    due: isWhole,
    goodsBack: isGoodsBack,
    payments: isPayments,
    isSent: isFlag,
    placed: or(has<NonNullable<PendingSale['placed']>>({ id: isText, number: or(isWhole) })),
    sentPayments: or(isPayments),
    idScanned: (it): it is boolean | undefined => it === undefined || isFlag(it),
  }),
);

function isBody(it: unknown): it is string {
  return isText(it) && isRecord(JSON.parse(it));
}
