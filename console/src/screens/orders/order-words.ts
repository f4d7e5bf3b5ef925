import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { plural, t } from '../../words/words.ts';

export type Order = Schema['StaffOrder'];
export type OrderStatus = Order['status'];

/** The filters of list and board. */
export interface OrderQuery {
  readonly type?: Order['type'];
  readonly search?: string;
  readonly status?: OrderStatus;
  /** Days on which the orders were placed, in shop time. */
  readonly from?: string;
  readonly to?: string;
  readonly inventoryLocationId?: number;
}

/** A staff member as orders name them; `{}`: none. */
type StaffName = Order['placedBy'];

export const orderStatuses = [
  'draft',
  'new',
  'packed',
  'fulfilled',
  'canceled',
] as const satisfies readonly OrderStatus[];

export const orderTypes = ['delivery', 'pickup', 'in-store'] as const satisfies readonly Order['type'][];

/** The customer in as few words as possible. */
export function customerOf({ customer, customerName }: Pick<Order, 'customer' | 'customerName'>): string {
  const name = [customer.firstName, customer.lastName].filter(Boolean).join(' ');
  return name || customerName || customer.email || t`Walk-in`;
}

/** The number of units in the order. */
export function unitsOf({ lineItems }: Pick<Order, 'lineItems'>): number {
  return lineItems.reduce((sum, line) => sum + line.quantity, 0);
}

/** `Order 4003`; without a number the start of its id. */
export function orderTitle({ number, id }: Pick<Order, 'number' | 'id'>): string {
  return t`Order ${number ?? id.slice(0, 8)}`;
}

/** The name of the staff member; null: none. */
export function staffName({ firstName, lastName, email }: StaffName): string | null {
  return [firstName, lastName].filter(Boolean).join(' ') || email || null;
}

const sources: Readonly<Record<Order['source'], string>> = {
  'open-api': t`Web shop or app`,
  'web-admin': t`This console`,
  'in-store': t`Counter`,
  kiosk: t`Kiosk`,
  menu: t`Menu`,
};

/** The source of the order: the integrator's name, if one placed it. */
export function sourceInWords({
  source,
  apiConsumerName,
}: Pick<Order, 'source' | 'apiConsumerName'>): string {
  return apiConsumerName ?? sources[source];
}

/** `1 unit`, `3 units`. */
export function unitsInWords(count: number): string {
  return plural(count, { one: t`${count} unit`, other: t`${count} units` });
}

/** What the customer paid with the goods that came back left out, cash rounded. */
export function paidFor({
  customerGrandTotal,
  payments,
  exchange,
}: Pick<Order, 'customerGrandTotal' | 'exchange' | 'payments'>): number {
  const rounding = payments.reduce((sum, { cashRounding = 0 }) => sum + cashRounding, 0);
  return customerGrandTotal - (exchange?.amount ?? 0) + rounding;
}

/** The payments without the one that is goods which came back: the last. */
export function takenPayments({
  payments,
  exchange,
}: Pick<Order, 'exchange' | 'payments'>): Order['payments'] {
  return exchange ? payments.slice(0, -1) : payments;
}

/** What came back for the goods of an order, and what was left to give, cash rounded. */
export function exchangeRows({ goods, amount, refund, cashRounding }: NonNullable<Order['exchange']>) {
  return [
    ...goods.map(({ name, quantity }) => ({ key: name, label: `${quantity} × ${name}`, cents: null })),
    { key: 'amount', label: t`Paid by what came back`, cents: -amount },
    ...(refund > amount
      ? [{ key: 'back', label: t`Given back`, cents: refund - amount + cashRounding }]
      : []),
  ];
}

/** A payment as a receipt says it: the amount, and of counted cash what was given and what came back. */
export function paymentLines({
  id,
  name,
  finalAmount,
  cashRounding = 0,
  tendered,
  change,
}: Order['payments'][number]) {
  return [
    ...(cashRounding === 0 ? [] : [{ key: `${id} rounding`, label: t`Cash rounding`, cents: cashRounding }]),
    { key: `${id}`, label: name, cents: finalAmount + cashRounding },
    ...(typeof tendered === 'number' && typeof change === 'number'
      ? [
          { key: `${id} received`, label: t`${name} received`, cents: tendered },
          { key: `${id} change`, label: t`Change`, cents: change },
        ]
      : []),
  ];
}

/** A payment at a terminal or bank, as a receipt needs it. */
export type ChargedIntent = Pick<
  Schema['StaffPaymentIntent'],
  'id' | 'status' | 'captured' | 'tip' | 'cashBack' | 'lastFour' | 'authCode'
>;

/** What terminals and banks took beside the order, and from which card, as a receipt says it. Tips are no part of the total. */
export function chargedLines(intents: readonly ChargedIntent[]) {
  return intents
    .filter(({ captured, status }) => captured > 0 && status !== 'returned')
    .flatMap(({ id, captured, tip, cashBack, lastFour, authCode }) => [
      ...(tip === 0 ? [] : [{ key: `${id} tip`, label: t`Tip`, cents: tip }]),
      ...(cashBack === 0 ? [] : [{ key: `${id} cash`, label: t`Cash from the terminal`, cents: cashBack }]),
      ...(lastFour === null
        ? []
        : [
            {
              key: `${id} card`,
              label:
                authCode === null
                  ? t`Charged to the card ending in ${lastFour}`
                  : t`Charged to the card ending in ${lastFour}, approval ${authCode}`,
              cents: captured + tip + cashBack,
            },
          ]),
    ]);
}

/** What came back of an order, and by which tender it was given back, as a receipt says it. */
export function returnRows({ returns, lineItems }: Pick<Order, 'lineItems' | 'returns'>) {
  return returns
    .filter(({ voidedAt }) => voidedAt === null)
    .flatMap(({ id, refundTotal, cashRounding = 0, refundType, paymentTypeName, lineItems: back }) => [
      ...back.map(({ orderLineItemId, quantity, inventoryAction }) => {
        const line = lineItems.find((it) => it.id === orderLineItemId);
        const name = line ? `${line.productName}, ${line.optionName}` : t`Line ${orderLineItemId}`;
        return {
          key: `${id} ${orderLineItemId} ${inventoryAction}`,
          label: t`Returned: ${quantity} × ${name}`,
          cents: null,
        };
      }),
      {
        key: `${id}`,
        label: t`Refunded: ${tenderOf(refundType, paymentTypeName)}`,
        cents: refundTotal + cashRounding,
      },
    ]);
}

function tenderOf(refundType: Order['returns'][number]['refundType'], paymentTypeName: string): string {
  if (refundType === 'store-credit') return t`Store credit`;
  return refundType === 'none' ? t`No refund` : paymentTypeName;
}

/** The labels of the packages that a line was taken from. */
export function packageLabels({
  fulfillAs,
}: Pick<Order['lineItems'][number], 'fulfillAs'>): readonly string[] {
  return [...new Set(fulfillAs.flatMap(({ pkg }) => (pkg ? [pkg.label] : [])))];
}

/** The price or the reduction that staff gave an option of the order by hand; null: none. */
export function givenTo(
  { priceOverrides, lineReductions }: Pick<Order, 'lineReductions' | 'priceOverrides'>,
  optionId: number,
): { readonly words: string; readonly reason: string } | null {
  const override = priceOverrides.find(({ productOptionId }) => productOptionId === optionId);
  if (override) return { words: t`Price set by hand`, reason: override.reason };
  const reduction = lineReductions.find(({ productOptionId }) => productOptionId === optionId);
  if (!reduction) return null;
  const { percent, amount, reason } = reduction;
  return { words: percent === null ? t`${dollars(amount ?? 0)} off each` : t`${percent}% off`, reason };
}
