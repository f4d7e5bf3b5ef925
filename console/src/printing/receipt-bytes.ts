import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder';
import type { Schema } from '../api.ts';
import { dollars } from '../parts/dollars.ts';
import { phoneInWords } from '../parts/phone-in-words.ts';
import { totalRows } from '../parts/total-rows.ts';
import { orderCodeOf } from '../scanner/understand-scan.ts';
import {
  type ChargedIntent,
  chargedLines,
  exchangeRows,
  givenTo,
  type Order,
  orderTitle,
  packageLabels,
  paymentLines,
  returnRows,
  staffName,
  takenPayments,
} from '../screens/orders/order-words.ts';
import { t } from '../words/words.ts';

/** What a receipt says besides the order. */
export interface ReceiptFacts {
  readonly shop: Pick<
    Schema['OrganizationSettings'],
    'name' | 'state' | 'licenseNumber' | 'customerPhone' | 'customerEmail'
  >;
  readonly address: Schema['ShopProfile']['address'];
  readonly limits: readonly Schema['LimitShare'][];
  /** What terminals and banks took. */
  readonly intents: readonly ChargedIntent[];
  /** The time of the sale in words, in the shop's zone. */
  readonly soldAt: string;
}

/** Characters of a line: those of the usual 80 mm paper in the printer's own font. */
const columns = 42;

/** The receipt in ESC/POS: what the printed page says, in its order, then the codes of the order, and the cut. */
export function receiptBytes(order: Order, facts: ReceiptFacts): Uint8Array {
  const { shop, address, limits, intents, soldAt } = facts;
  const paper = new ReceiptPrinterEncoder({ language: 'esc-pos', columns, feedBeforeCut: 4 });
  paper.initialize().codepage('auto').align('center').bold(true).line(shop.name).bold(false);
  const contact = [shop.customerPhone && phoneInWords(shop.customerPhone), shop.customerEmail];
  const head = [
    contact.filter(Boolean).join(', '),
    address && [address.street1, address.street2].filter(Boolean).join(', '),
    address && `${address.city}, ${shop.state} ${address.postalCode}`,
    shop.licenseNumber && t`License ${shop.licenseNumber}`,
    orderTitle(order),
    soldAt,
    staffName(order.fulfilledBy) && t`Served by ${staffName(order.fulfilledBy)}`,
  ];
  for (const line of head) if (line) paper.line(line);
  paper.align('left').rule();
  writeRows(paper, linesOf(order));
  paper.rule();
  writeRows(
    paper,
    totalRows(order).map(({ label, note, cents }) => [note ? `${label} (${note})` : label, dollars(cents)]),
  );
  paper.bold(true);
  writeRows(paper, [[t`Total`, dollars(order.customerGrandTotal)]]);
  paper.bold(false);
  if (order.exchange) {
    paper.line(t`Goods that came back, of order ${order.exchange.orderNumber ?? ''}`);
    writeRows(paper, exchangeRows(order.exchange).map(rowOf));
  }
  paper.rule();
  writeRows(paper, [
    ...[...takenPayments(order).flatMap(paymentLines), ...chargedLines(intents)].map(
      ({ label, cents }) => [label, dollars(cents)] as const,
    ),
    ...returnRows(order).map(rowOf),
  ]);
  if (limits.length > 0) {
    paper.rule().line(t`Purchase limits used`);
    writeRows(
      paper,
      limits.map(({ name, used, limit, unit }) => [
        name,
        t`${used} of ${limit}${unit === 'count' ? '' : ` ${unit}`}`,
      ]),
    );
  }
  paper.newline().align('center');
  if (order.number !== null) {
    const code = orderCodeOf(order.number);
    paper.barcode(code, 'code128', { height: 60, text: false }).qrcode(code, { size: 6 });
  }
  return paper.line(t`Thank you.`).cut('partial').encode();
}

const rowOf = ({ label, cents }: { readonly label: string; readonly cents: number | null }) =>
  [label, cents === null ? '' : dollars(cents)] as const;

function linesOf(order: Order): readonly (readonly [string, string])[] {
  return order.lineItems.flatMap((line) => {
    const given = givenTo(order, line.optionId);
    return [
      [`${line.quantity} x ${line.productName}, ${line.optionName}`, dollars(line.finalPrice)] as const,
      ...packageLabels(line).map((label) => [t`  Package ${label}`, ''] as const),
      ...(given ? [[t`  ${given.words}: ${dollars(line.unitPrice)} each`, ''] as const] : []),
      ...line.discounts.map(
        ({ description, amountUsed }) => [`  ${description}: ${dollars(-amountUsed)}`, ''] as const,
      ),
    ];
  });
}

/** Printers have no typographic minus and times. */
const onPaper = (text: string): string => text.replaceAll('\u2212', '-').replaceAll('×', 'x');

/** Texts at the left, as long as they need, and amounts at the right. */
function writeRows(paper: ReceiptPrinterEncoder, rows: readonly (readonly [string, string])[]): void {
  if (rows.length === 0) return;
  const amountWidth = Math.max(...rows.map(([, amount]) => amount.length), 1);
  paper.table(
    [
      { width: columns - amountWidth - 1, align: 'left', marginRight: 1 },
      { width: amountWidth, align: 'right' },
    ],
    rows.map((row) => row.map(onPaper)),
  );
}
