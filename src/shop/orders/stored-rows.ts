import { assert } from '../../kernel/assert.ts';
import type { StaffName } from './order-record.ts';

/** What an order's document shows of its lines, payments … (D26). */
export interface ShownRows {
  readonly lineItems: readonly ShownLine[];
  readonly payments: readonly ShownPayment[];
  readonly placedBy: StaffName | null;
  readonly fulfilledBy: StaffName | null;
  readonly adjustments: readonly ShownAdjustment[];
  readonly credits: readonly ShownCredit[];
  readonly discounts: readonly ShownDiscount[];
  readonly loyaltyRedemptions: readonly ShownRedemption[];
  readonly taxes: readonly ShownTax[];
}

export interface ShownLine {
  readonly id: number;
  readonly quantity: number;
  readonly productId: number;
  readonly optionId: number;
  readonly productName: string;
  readonly productUnit: string;
  readonly productStrainType: string;
  readonly optionName: string;
  readonly productBrand: string | null;
  readonly optionAmount: number;
  readonly optionPrice: number;
  readonly unitPrice: number;
  readonly subtotalPrice: number;
  readonly finalPrice: number;
  readonly optionSalesPrice: number | null;
  readonly productBrandId: number | null;
  readonly productMovingAverageCostPerUnit: number | null;
  readonly optionMovingAverageCostPerUnit: number | null;
  readonly packageLineCost: number | null;
  readonly primaryCategory: ShownCategory;
  readonly fulfillAs: readonly ShownStock[];
  readonly discounts: readonly ShownDiscount[];
}

interface ShownCategory {
  readonly id: number;
  readonly name: string;
  readonly cannabisType: string;
}

export interface ShownStock {
  readonly pkg: ShownPackage | null;
  readonly optionSum: number;
  readonly productOptionId: number;
  readonly quantityFulfilled: string;
}

interface ShownPackage {
  readonly unit: string | null;
  readonly label: string;
  readonly costPerUnit: string;
}

interface ShownPayment {
  readonly id: number;
  readonly paymentTypeId: number;
  readonly amount: number;
  readonly finalAmount: number;
  readonly name: string;
  readonly fee: number;
  readonly feePercent: string;
  readonly feeAmount: number;
  readonly feeDescription: string | null;
  /** The cash received; null: not counted. */
  readonly tendered: number | null;
}

interface ShownAdjustment {
  readonly amount: number;
  readonly description: string;
  readonly isTaxExemption: boolean;
  readonly taxId: number | null;
}

interface ShownCredit {
  readonly creditId: number;
  readonly type: string;
  readonly amountUsed: number;
  readonly description: string;
}

interface ShownDiscount {
  readonly discountId: number;
  readonly type: string;
  readonly amount: number;
  readonly amountUsed: number;
  readonly description: string;
}

interface ShownRedemption {
  readonly type: string;
  readonly description: string;
  readonly pointsRequirement: string;
  readonly pointsAmount: string;
  readonly discountAmount: string | null;
  readonly amountUsed: number;
  readonly productOptionId: number | null;
}

interface ShownTax {
  readonly taxId: number;
  readonly amount: number;
  readonly description: string;
  readonly rate: string;
  readonly amountBeforeExemption: number;
  readonly amountExempted: number;
  readonly included: boolean;
  readonly exemptable: boolean;
  readonly tier: string;
  readonly type: string;
  readonly normalRate: string;
}

type Values = readonly unknown[];

/** How a kind of rows is stored: the values of its members in this order, without their names. */
interface Packing<Row> {
  readonly pack: (row: Row) => Values;
  readonly unpack: (values: Values) => Row;
}

/**
 * Each member with its packing, if it is a row or a list itself. Their order is that of stored texts: new members come last, and
 * none goes.
 */
function packing<Row extends object>(
  members: { readonly [Key in keyof Row]-?: Packing<Exclude<Row[Key], null>> | null },
): Packing<Row> {
  const packings = Object.entries(members) as [keyof Row, Packing<unknown> | null][];
  return {
    pack: (row) =>
      packings.map(([key, inner]) => {
        const value = row[key];
        return inner === null || value === null ? value : inner.pack(value);
      }),
    unpack: (values) => {
      const row: Partial<Record<keyof Row, unknown>> = {};
      let at = 0;
      for (const [key, inner] of packings) {
        // A text from before a member was added ends before it.
        const value = values[at++] ?? null;
        row[key] = inner === null || value === null ? value : inner.unpack(value as Values);
      }
      return row as Row;
    },
  };
}

function listOf<Row>({ pack, unpack }: Packing<Row>): Packing<readonly Row[]> {
  return {
    pack: (rows) => rows.map(pack),
    unpack: (values) => (values as Values[]).map(unpack),
  };
}

const discount = packing<ShownDiscount>({
  ...{ discountId: null, type: null, amount: null, amountUsed: null, description: null },
});
const pkg = packing<ShownPackage>({ unit: null, label: null, costPerUnit: null });
const stock = packing<ShownStock>({ pkg, optionSum: null, productOptionId: null, quantityFulfilled: null });
const staff = packing<StaffName>({ id: null, email: null, firstName: null, lastName: null });

const rowsOfOrder = packing<ShownRows>({
  lineItems: listOf(
    packing<ShownLine>({
      ...{ id: null, quantity: null, productId: null, optionId: null, productName: null, productUnit: null },
      ...{
        productStrainType: null,
        optionName: null,
        productBrand: null,
        optionAmount: null,
        optionPrice: null,
      },
      ...{
        unitPrice: null,
        subtotalPrice: null,
        finalPrice: null,
        optionSalesPrice: null,
        productBrandId: null,
      },
      ...{
        productMovingAverageCostPerUnit: null,
        optionMovingAverageCostPerUnit: null,
        packageLineCost: null,
      },
      primaryCategory: packing<ShownCategory>({ id: null, name: null, cannabisType: null }),
      fulfillAs: listOf(stock),
      discounts: listOf(discount),
    }),
  ),
  payments: listOf(
    packing<ShownPayment>({
      ...{ id: null, paymentTypeId: null, amount: null, finalAmount: null, name: null, fee: null },
      ...{ feePercent: null, feeAmount: null, feeDescription: null, tendered: null },
    }),
  ),
  placedBy: staff,
  fulfilledBy: staff,
  adjustments: listOf(
    packing<ShownAdjustment>({ amount: null, description: null, isTaxExemption: null, taxId: null }),
  ),
  credits: listOf(packing<ShownCredit>({ creditId: null, type: null, amountUsed: null, description: null })),
  discounts: listOf(discount),
  loyaltyRedemptions: listOf(
    packing<ShownRedemption>({
      ...{ type: null, description: null, pointsRequirement: null, pointsAmount: null, discountAmount: null },
      ...{ amountUsed: null, productOptionId: null },
    }),
  ),
  taxes: listOf(
    packing<ShownTax>({
      ...{ taxId: null, amount: null, description: null, rate: null, amountBeforeExemption: null },
      ...{ amountExempted: null, included: null, exemptable: null, tier: null, type: null, normalRate: null },
    }),
  ),
});

/** The first value of a stored text. Another meaning of the values takes another number. */
const edition = 1;

/** The rows as text, for the column `shown_rows`: less than half of the JSON that shows them. */
export function storedRows(rows: ShownRows): string {
  return JSON.stringify([edition, ...rowsOfOrder.pack(rows)]);
}

/** What `storedRows` stored. */
export function readRows(text: string): ShownRows {
  const [found, ...values] = JSON.parse(text) as Values;
  assert(found === edition, () => `rows of an order are stored in edition ${found}`);
  return rowsOfOrder.unpack(values);
}

/** The amounts that a stored text shows, in cents. `paidCents` is null for an order without payments. */
export function shownAmountsOf(text: string): {
  readonly finalPriceCents: number;
  readonly taxCents: number;
  readonly paidCents: number | null;
} {
  const { lineItems, taxes, payments } = readRows(text);
  return {
    finalPriceCents: lineItems.reduce((sum, { finalPrice }) => sum + finalPrice, 0),
    taxCents: taxes.reduce((sum, { amount }) => sum + amount, 0),
    paidCents: payments.length === 0 ? null : payments.reduce((sum, { finalAmount }) => sum + finalAmount, 0),
  };
}
