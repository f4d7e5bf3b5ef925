import type { PaymentSettings } from './payment-switches.ts';
import type { DeskReply } from './provider-desk.ts';

/** Answers of a terminal, in the shapes that the switches say. Pure. */

/** What a terminal has done. Money is in cents. */
export interface Charge {
  readonly reference: string;
  readonly kind: 'Sale' | 'Return';
  readonly type: string;
  readonly askedCents: number;
  readonly goodsCents: number;
  tipCents: number;
  readonly cashBackCents: number;
  readonly feeCents: number;
  readonly authCode: string;
  readonly number: number;
  readonly batch: number;
  readonly visibleFromMs: number;
  voided: boolean;
}

export const lastFour = '0017';

/** In cents, as the card was charged. */
export function totalOf({ goodsCents, tipCents, cashBackCents, feeCents }: Charge): number {
  return goodsCents + tipCents + cashBackCents + feeCents;
}

/** Whether an answer says that it was done, or in part. */
export function isGood({ body }: DeskReply): boolean {
  const { StatusCode: code } = (body as { GeneralResponse: { StatusCode: string | number } }).GeneralResponse;
  return Number(code) <= 1;
}

/** What is said of a charge: to its request, and to a question about it. */
export function approved(settings: PaymentSettings, charge: Charge): DeskReply {
  const isPart = charge.goodsCents < charge.askedCents;
  const cashBack = (charge.cashBackCents / 100).toFixed(2);
  const data = { Debit: { CashBack: cashBack, Fee: '0.00' } };
  const shapes = { object: data, array: [data.Debit], missing: undefined } as const;
  const amount = (cents: number) =>
    settings['amount-type'] === 'text' ? (cents / 100).toFixed(2) : cents / 100;
  const part = (cents: number) => (cents === 0 ? null : amount(cents));
  return general(settings, '0', isPart ? '0001' : '0000', 'Approved', {
    ...{ PaymentType: charge.type, TransactionType: charge.kind, ReferenceId: charge.reference },
    Amounts: {
      TotalAmount: amount(totalOf(charge)),
      Amount: amount(charge.goodsCents + charge.tipCents),
      ...{ TipAmount: part(charge.tipCents), FeeAmount: part(charge.feeCents), TaxAmount: null },
    },
    ...{ AuthCode: charge.authCode, BatchNumber: String(charge.batch) },
    ...{ TransactionNumber: String(charge.number), Voided: charge.voided },
    CardData: { CardType: 'Visa', EntryType: 'Chip', First4: '4999', Last4: lastFour, BIN: '499900' },
    ExtendedDataByApplication: shapes[settings['extended-data'] as keyof typeof shapes],
  });
}

/** An answer with its codes: `result` 0 is good, 1 a no of the terminal, 2 of its proxy. */
export function general(
  settings: PaymentSettings,
  result: string,
  code: string,
  message: string,
  more: object = {},
  host: object = {},
): DeskReply {
  const isNumber = settings['code-type'] === 'number';
  const { DelayBeforeNextRequest: delay, ...rest } = more as Record<string, unknown>;
  return {
    status: result === '2' ? Number(settings['error-status']) : 200,
    body: {
      GeneralResponse: {
        ResultCode: isNumber && result === '0' ? 'Ok' : result,
        StatusCode: isNumber ? Number(code) : code,
        ...{ Message: message, DetailedMessage: message.toUpperCase() },
        ...host,
        ...(delay !== undefined && { DelayBeforeNextRequest: delay }),
      },
      ...rest,
    },
  };
}
