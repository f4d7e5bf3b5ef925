import { useState } from 'react';
import { ApiFailure, api, dataOf, type Schema, type StaffPaths } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { atOwnRegister } from '../../parts/own-register.ts';
import { notifyDone } from '../../parts/toasts.tsx';
import { useKeyedWrite } from '../../parts/use-keyed-write.ts';
import { t } from '../../words/words.ts';
import type { GoodsBack } from '../point-of-sale/cart.ts';
import type { Order } from './order-words.ts';
import { returnedUnits } from './returnable-lines.ts';
import { useOrderStep } from './use-order-step.ts';

export type InventoryAction = Order['returns'][number]['lineItems'][number]['inventoryAction'];
export type RefundType = Order['returns'][number]['refundType'];

/** What is returned of one line. */
export interface ReturnedLine {
  readonly quantity: number;
  readonly inventoryAction: InventoryAction;
}

/** The values of the dialog's fields. */
interface ReturnDraft {
  /** By the id of the order's line. */
  readonly lines: Readonly<Record<number, ReturnedLine>>;
  readonly reason: string;
  readonly isExchange: boolean;
  readonly refundType: RefundType;
  /** Where goods for sale again go; null: where they came from. */
  readonly locationId: number | null;
  /** Null: the first usable type. */
  readonly paymentTypeId: number | null;
  /** The code of the card that the customer shows; empty: the cards that paid. */
  readonly giftCard: string;
  /** Cents without a sign; `isMore` has the direction. */
  readonly adjustment: number | null;
  /** The adjustment raises the refund. */
  readonly isMore: boolean;
  readonly description: string;
  /** Discounts whose condition the return breaks come off the refund. */
  readonly takesRewardsBack: boolean;
}

type ReturnBody = Omit<
  NonNullable<
    StaffPaths['/staff/v1/orders/{orderId}/returns']['post']['requestBody']
  >['content']['application/json'],
  'idempotencyKey'
>;

function madeInWords({ refundTotal, cashRounding = 0 }: Schema['OrderReturn']): string {
  return refundTotal === 0
    ? t`The return is recorded without a refund.`
    : t`The return is recorded: refund ${dollars(-refundTotal - cashRounding)}.`;
}

function returnedLines(draft: ReturnDraft) {
  return Object.entries(draft.lines)
    .filter(([, { quantity }]) => quantity > 0)
    .map(([id, line]) => ({ ...line, orderLineItemId: Number(id) }));
}

function refundOf({ refundType, paymentTypeId, adjustment, isMore, takesRewardsBack }: ReturnDraft) {
  return {
    refundType,
    ...(takesRewardsBack && { brokenRewards: 'take-back' as const }),
    ...(refundType === 'payment-method' && { paymentTypeId }),
    ...(adjustment && refundType !== 'none' && { adjustmentAmount: isMore ? -adjustment : adjustment }),
  };
}

/** Cannabis is looked at before it is sold again: its default is quarantine, as in the service. */
export function noUnitOf({
  primaryCategory,
}: Pick<Order['lineItems'][number], 'primaryCategory'>): ReturnedLine {
  const isCannabis = primaryCategory.cannabisType !== 'none';
  return { quantity: 0, inventoryAction: isCannabis ? 'quarantine' : 'inventory' };
}

/**
 * The draft of a return of this order, and how to record it. `firstTypeId`: the first usable payment type. `scannedLine`: one
 * unit of this line is in the draft from the beginning.
 */
export function useReturn(
  order: Order,
  { firstTypeId, scannedLine }: { readonly firstTypeId: number | null; readonly scannedLine: number | null },
) {
  const step = useOrderStep();
  const lineOf = (lineId: number) => noUnitOf(order.lineItems.find(({ id }) => id === lineId)!);
  const record = useKeyedWrite(
    (body: ReturnBody, idempotencyKey) =>
      api.POST('/staff/v1/orders/{orderId}/returns', {
        params: { path: { orderId: order.id } },
        body: { ...body, ...atOwnRegister(), idempotencyKey },
      }),
    madeInWords,
  );
  const [typed, setTyped] = useState<ReturnDraft>({
    lines: scannedLine === null ? {} : { [scannedLine]: { ...lineOf(scannedLine), quantity: 1 } },
    reason: '',
    isExchange: false,
    locationId: null,
    refundType: 'payment-method',
    paymentTypeId: order.payments[0]?.paymentTypeId ?? null,
    giftCard: '',
    adjustment: null,
    isMore: true,
    description: '',
    takesRewardsBack: false,
  });
  const draft = { ...typed, paymentTypeId: typed.paymentTypeId ?? firstTypeId };
  const set = (values: Partial<ReturnDraft>) => setTyped((before) => ({ ...before, ...values }));
  const addUnit = (lineId: number) =>
    setTyped((before) => {
      const line = before.lines[lineId] ?? lineOf(lineId);
      const sold = order.lineItems.find(({ id }) => id === lineId)?.quantity ?? 0;
      const quantity = Math.min(line.quantity + 1, sold - returnedUnits(order, lineId));
      return { ...before, lines: { ...before.lines, [lineId]: { ...line, quantity } } };
    });
  const lineItems = returnedLines(draft);
  const refund = refundOf(draft);
  const place = draft.locationId === null ? {} : { inventoryLocationId: draft.locationId };
  const refuseNothing = () => {
    if (lineItems.length > 0) return;
    const message = t`Choose at least one item to return.`;
    throw new ApiFailure({ message, code: 'INVALID_PARAMS', status: 400 });
  };
  /** The goods that come back for others, with what they come to now. */
  const exchange = async (onExchange: (back: GoodsBack) => void) => {
    refuseNothing();
    const { refundTotal } = await dataOf(
      api.POST('/staff/v1/orders/{orderId}/returns/preview', {
        params: { path: { orderId: order.id } },
        body: { ...refundOf({ ...draft, refundType: 'payment-method', adjustment: null }), lineItems },
      }),
    );
    onExchange({
      ...{ orderId: order.id, orderNumber: order.number, takesRewardsBack: draft.takesRewardsBack, ...place },
      refund: -refundTotal,
      lineItems: lineItems.map((line) => ({
        ...line,
        reason: draft.reason.trim() || t`Exchanged`,
        name: order.lineItems.find(({ id }) => id === line.orderLineItemId)?.productName ?? '',
      })),
    });
  };
  const send = async () => {
    refuseNothing();
    const type = draft.isExchange ? ('exchange' as const) : ('return' as const);
    const made = await step(order.id, () =>
      record({
        ...{ ...refund, ...place },
        lineItems: lineItems.map((line) => ({ ...line, type, reason: draft.reason })),
        ...(draft.refundType === 'payment-method' &&
          draft.giftCard.trim() && { giftCard: draft.giftCard.trim() }),
        ...(refund.adjustmentAmount && { adjustmentDescription: draft.description }),
      }),
    );
    notifyDone(madeInWords(made));
  };
  return { draft, set, addUnit, send, exchange, previewed: { ...refund, ...place, lineItems } };
}

/** The draft and how to change it. */
export type ReturnFields = Pick<ReturnType<typeof useReturn>, 'draft' | 'set'>;
