import type { Context, Origin } from '../database/context.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { type OrderActionId, orderActions, shownOrdersById, stepOrder } from '../orders/orders.ts';
import { selectPaymentTypes } from '../settings/terms-of-sale.ts';
import { selectSandbox } from './sandbox-queries.ts';
import { notASandbox } from './set-sandbox-clock.ts';
import { counterName } from './special-cases.ts';

/** A step of the organization's staff. */
export interface PlayedStep {
  readonly action: OrderActionId;
  /** For cancel. */
  readonly reason?: string;
}

/** What the step needs of an order. */
interface PlayedOrder {
  readonly status: string;
  readonly netPrice: number;
  readonly deliveryFee: number | null;
  readonly customerGrandTotal: number;
  readonly payments: readonly unknown[];
}

/**
 * Takes a step of an order as the staff of the organization do (D24): the same write. An order that the step has been
 * taken of already stays as it is. An order without payments is paid with the first payment type when it is fulfilled.
 * Resolves to the JSON of the order.
 */
export async function playOrder(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  orderId: string,
  { action, reason }: PlayedStep,
): Promise<string> {
  const [[sandbox], types] = await context.database.read(
    organization,
    selectSandbox({}),
    action === 'fulfill' ? selectPaymentTypes({}) : null,
  );
  if (sandbox === undefined) throw notASandbox();
  const before = (await shownOrdersById(context, organization, [orderId])).get(orderId);
  if (before === undefined) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
  const order: PlayedOrder = JSON.parse(before);
  if (order.status === orderActions.find(({ id }) => id === action)!.to) return before;
  const [first] = types;
  const isUnpaid = order.payments.length === 0 && order.customerGrandTotal > 0;
  const payments =
    action === 'fulfill' && isUnpaid && first !== undefined
      ? [
          {
            paymentTypeId: first.id,
            amountCents: order.netPrice + (order.deliveryFee ?? 0),
            tenderedCents: null,
          },
        ]
      : undefined;
  await stepOrder(
    context,
    origin,
    organization,
    orderId,
    action,
    {
      staff: { id: sandbox.staff_id, ...counterName },
      ...(action === 'cancel' && { cancelationReason: reason ?? 'Canceled in the sandbox' }),
    },
    payments === undefined ? {} : { payments },
  );
  return (await shownOrdersById(context, organization, [orderId])).get(orderId)!;
}
