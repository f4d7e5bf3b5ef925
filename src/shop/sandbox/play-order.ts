import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { OrderActionId } from '../orders/actions/order-actions.ts';
import type { dispatchStatuses } from '../orders/order-schemas.ts';
import { dispatchOrder, orderActions, shownOrdersById, stepOrder } from '../orders/orders.ts';
import { selectPaymentTypes } from '../settings/terms-of-sale.ts';
import { playReturn, playVoidedReturn } from './play-return.ts';
import type { PlayedOrder, Playing } from './played-order.ts';
import { selectSandbox } from './sandbox-queries.ts';
import { notASandbox } from './set-sandbox-clock.ts';
import { counterName } from './special-cases.ts';

/** What the staff of an organization do with an order: its actions, its delivery, its returns. */
export const playedActions = [
  ...orderActions.map(({ id }) => id),
  'dispatch',
  'return',
  'void-return',
] as const;

/** A step of the organization's staff. */
interface PlayedStep {
  readonly action: (typeof playedActions)[number];
  /** For cancel. */
  readonly reason?: string;
  /** For dispatch; by default on its way. */
  readonly dispatchStatus?: (typeof dispatchStatuses)[number];
}

const driverName = 'Sandbox Driver';

/**
 * Takes a step of an order as the staff of the organization do (D24, D26, D39): the same write. An order that the step has
 * been taken of already stays as it is. Payments and refunds go by the first payment type. Resolves to the JSON of the
 * order.
 */
export async function playOrder(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  orderId: string,
  step: PlayedStep,
): Promise<string> {
  const [[sandbox], types] = await context.database.read(
    organization,
    selectSandbox({}),
    ['fulfill', 'return'].includes(step.action) ? selectPaymentTypes({}) : null,
  );
  if (sandbox === undefined) throw notASandbox();
  const before = (await shownOrdersById(context, organization, [orderId])).get(orderId);
  if (before === undefined) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
  const order: PlayedOrder = JSON.parse(before);
  const by = { id: sandbox.staff_id, ...counterName };
  const playing = { context, origin, organization, order, by, paymentTypeId: types[0]?.id ?? null };
  if (!(await take(playing, step))) return before;
  return (await shownOrdersById(context, organization, [orderId])).get(orderId)!;
}

/** Resolves to whether there was something to do. */
async function take(playing: Playing, step: PlayedStep): Promise<boolean> {
  const { action, reason, dispatchStatus = 'active' } = step;
  switch (action) {
    case 'dispatch':
      return takeDispatch(playing, dispatchStatus);
    case 'return':
      return playReturn(playing);
    case 'void-return':
      return playVoidedReturn(playing);
    default:
      return takeAction(playing, action, reason);
  }
}

async function takeDispatch(
  { context, origin, organization, order }: Playing,
  status: (typeof dispatchStatuses)[number],
): Promise<boolean> {
  if (order.dispatchTask?.status === status) return false;
  const isWithDriver = status !== 'unassigned';
  await dispatchOrder(context, origin, organization, order.id, {
    status,
    driverName: isWithDriver ? driverName : null,
  });
  return true;
}

async function takeAction(
  { context, origin, organization, order, by, paymentTypeId }: Playing,
  action: OrderActionId,
  reason: string | undefined,
): Promise<boolean> {
  if (order.status === orderActions.find(({ id }) => id === action)!.to) return false;
  const isUnpaid = order.payments.length === 0 && order.customerGrandTotal > 0;
  const payments =
    action === 'fulfill' && isUnpaid && paymentTypeId !== null
      ? [
          {
            paymentTypeId,
            amountCents: order.netPrice + (order.deliveryFee ?? 0),
            tenderedCents: null,
            giftCard: null,
          },
        ]
      : undefined;
  await stepOrder(
    context,
    origin,
    organization,
    order.id,
    action,
    {
      staff: by,
      ...(action === 'cancel' && { cancelationReason: reason ?? 'Canceled in the sandbox' }),
    },
    payments === undefined ? {} : { payments },
  );
  return true;
}
