import type { PurchaseLimit } from '../../engines/purchase-limits/check-purchase-limits.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import type { MailContent, MailRow } from '../../platform/mail/mail.ts';
import type { ChargedRow } from '../payments/payments.ts';
import { slotInWords } from '../slots/slots.ts';
import type { OrderMailRow } from './order-mail-queries.ts';
import type { OrderRecord } from './order-record.ts';

/* The mails that customers get about their orders (D70). Pure. */

/** The steps of an order that its customer hears of. */
export type OrderNotice =
  | 'ready'
  | 'out-for-delivery'
  | 'canceled'
  | 'slot-changed'
  | 'delivery-next'
  | 'delivery-failed';

/** A mail without its recipient. */
type OrderMail = MailContent & { readonly kind: string };

const dollars = (cents: number): string => {
  const [whole, part] = [Math.floor(Math.abs(cents) / 100), Math.abs(cents) % 100];
  const grouped = String(whole).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${cents < 0 ? '-' : ''}$${grouped}.${String(part).padStart(2, '0')}`;
};

/** How people name an order: its number, or the start of its id. */
function titleOf({ number, id }: OrderRecord['head']): string {
  return `Order ${number ?? id.slice(0, 8)}`;
}

const noticeWords = {
  ready: (title: string, shop: string) => ({
    subject: `${title} is ready`,
    paragraphs: [
      `${title} is ready to be picked up at ${shop}.`,
      'Bring an identity document that is valid.',
    ],
  }),
  'out-for-delivery': (title: string, shop: string) => ({
    subject: `${title} is on its way`,
    paragraphs: [
      `${title} from ${shop} is on its way to you.`,
      'Keep an identity document ready that is valid.',
    ],
  }),
  'delivery-next': (title: string, shop: string) => ({
    subject: `${title}: you are the next stop`,
    paragraphs: [
      `The driver of ${shop} comes to you next.`,
      'Keep an identity document ready that is valid.',
    ],
  }),
  'delivery-failed': (title: string, shop: string) => ({
    subject: `${title} could not be delivered`,
    paragraphs: [`${title} from ${shop} could not be delivered.`, 'Ask the shop for another time.'],
  }),
  'slot-changed': (title: string, shop: string, slot: string | null) => ({
    subject: `${title} has another time`,
    paragraphs: [
      slot === null
        ? `${title} at ${shop} has no set time any more.`
        : `${title} at ${shop} is now for ${slot}.`,
      'If you did not expect this, or the time does not suit you, ask the shop.',
    ],
  }),
  canceled: (title: string, shop: string) => ({
    subject: `${title} is canceled`,
    paragraphs: [`${title} at ${shop} is canceled.`, 'If you did not expect this, ask the shop.'],
  }),
} as const;

/** A notice of a step. It says nothing of what was bought: other people may read the screen. */
export function noticeMail(
  notice: OrderNotice,
  order: OrderRecord,
  shop: OrderMailRow,
  /** The house's own page of a delivery; null: there is none. */
  ownPage: string | null,
): OrderMail {
  const { subject, paragraphs } = noticeWords[notice](
    titleOf(order.head),
    shop.name,
    slotInWords(order.head.slotFrom, order.head.slotTo, shop.tz),
  );
  const { dispatchTask } = order;
  const isFollowed = notice !== 'canceled' && order.head.type === 'delivery';
  const trackingUrl = isFollowed ? (dispatchTask?.trackingUrl ?? ownPage) : null;
  return {
    kind: `order-${notice}`,
    from: shop.name,
    subject,
    paragraphs: [...paragraphs, ...addressLines(shop, notice === 'ready')],
    ...(trackingUrl !== null && { link: { label: 'Follow the delivery', url: trackingUrl } }),
    footnote: contactOf(shop),
  };
}

/** What a receipt says beside the order. */
interface ReceiptFacts {
  /** Null where no cash was counted. */
  readonly changeCents: number | null;
  readonly charged: readonly ChargedRow[];
  readonly limits: readonly PurchaseLimit[];
}

/** The receipt of an order. */
export function receiptMail(
  order: OrderRecord,
  shop: OrderMailRow,
  { changeCents, charged, limits }: ReceiptFacts,
): OrderMail {
  const { head } = order;
  const title = titleOf(head);
  const atMs = head.fulfilledAt ?? head.createdAt;
  return {
    kind: 'receipt',
    from: shop.name,
    subject: `Your receipt from ${shop.name}: ${title}`,
    paragraphs: [
      `Thank you for your purchase at ${shop.name}. This is the receipt of ${title}, ${localDateAt(atMs, shop.tz)}.`,
      ...addressLines(shop, true),
      ...boughtFor(shop),
      ...(shop.license_number === '' ? [] : [`License ${shop.license_number}`]),
    ],
    rows: [
      ...order.lines.map((line) => ({
        name: `${line.quantity} × ${line.productName}, ${line.optionName}`,
        value: dollars(line.subtotalPriceCents),
      })),
      ...reductionRows(order),
      ...taxRows(order),
      ...feeRows(order),
      { name: 'Total', value: dollars(head.customerGrandTotalCents), isStrong: true },
      ...order.payments.flatMap(({ name, finalAmountCents, roundingCents, tenderedCents, orderReturnId }) => [
        ...(roundingCents === 0 ? [] : [{ name: 'Cash rounding', value: dollars(roundingCents) }]),
        {
          name: orderReturnId === null ? `Paid: ${name}` : 'Goods that came back',
          value: dollars(finalAmountCents + roundingCents),
        },
        ...(tenderedCents === null ? [] : [{ name: `Received: ${name}`, value: dollars(tenderedCents) }]),
      ]),
      ...(changeCents === null ? [] : [{ name: 'Change', value: dollars(changeCents) }]),
      ...charged.flatMap(chargedRows),
      ...returnRows(order),
      ...limits.map(({ name, used, limit, unit }) => ({
        name: `Purchase limit used, ${name}`,
        value: `${used} of ${limit}${unit === 'count' ? '' : ` ${unit}`}`,
      })),
    ],
    footnote: contactOf(shop),
  };
}

function boughtFor({ bought_for: bought }: OrderMailRow): string[] {
  return bought === null ? [] : [`Bought by ${bought.by} for ${bought.patient}.`];
}

/** All that makes the goods cheaper, in the order of the arithmetic; credits come last, as they pay. */
function reductionRows({ discounts, loyaltyRedemptions, adjustments }: OrderRecord): MailRow[] {
  return [
    ...[...discounts, ...loyaltyRedemptions].map(({ description, amountUsedCents }) => ({
      name: description,
      value: dollars(-amountUsedCents),
    })),
    ...adjustments.map(({ description, amountCents }) => ({
      name: description,
      value: dollars(amountCents),
    })),
  ];
}

function taxRows({ taxes }: OrderRecord): MailRow[] {
  return taxes
    .filter(({ amountCents }) => amountCents !== 0)
    .map(({ description, amountCents, included }) => ({
      name: included ? `${description} (in the prices)` : description,
      value: dollars(amountCents),
    }));
}

function feeRows({ head, credits, payments }: OrderRecord): MailRow[] {
  return [
    ...credits.map(({ description, amountUsedCents }) => ({
      name: `${description} (credit)`,
      value: dollars(-amountUsedCents),
    })),
    ...(head.deliveryFeeCents
      ? [{ name: head.deliveryFeeDescription || 'Delivery', value: dollars(head.deliveryFeeCents) }]
      : []),
    ...payments
      .filter(({ feeAmountCents }) => feeAmountCents !== 0)
      .map(({ name, feeDescription, feeAmountCents }) => ({
        name: feeDescription || `Fee: ${name}`,
        value: dollars(feeAmountCents),
      })),
  ];
}

/** A tip is no part of the total. */
function chargedRows({ capturedCents, tipCents, cashBackCents, lastFour, authCode }: ChargedRow): MailRow[] {
  const approval = authCode === null ? '' : `, approval ${authCode}`;
  const takenCents = capturedCents + tipCents + cashBackCents;
  return [
    ...(tipCents === 0 ? [] : [{ name: 'Tip', value: dollars(tipCents) }]),
    ...(cashBackCents === 0 ? [] : [{ name: 'Cash from the terminal', value: dollars(cashBackCents) }]),
    ...(lastFour === null
      ? []
      : [{ name: `Charged to the card ending in ${lastFour}${approval}`, value: dollars(takenCents) }]),
  ];
}

function returnRows({ returns }: OrderRecord): MailRow[] {
  const refundedCents = returns.reduce(
    (sum, { voidedAt, refundTotal }) => sum + (voidedAt === null ? refundTotal : 0),
    0,
  );
  return refundedCents === 0 ? [] : [{ name: 'Refunded', value: dollars(refundedCents) }];
}

function addressLines({ name, address, state }: OrderMailRow, isShown: boolean): string[] {
  if (address === null || !isShown) return [];
  const { street1, street2, city, postalCode } = address;
  return [[name, street1, street2, `${city}, ${state} ${postalCode}`].filter(Boolean).join(', ')];
}

function contactOf({ name, customer_phone: phone, customer_email: email }: OrderMailRow): string {
  const ways = [phone, email].filter((way) => way !== '').join(', ');
  return ways === '' ? `Questions? Ask ${name}.` : `Questions? ${ways}`;
}
