import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { queueMail } from '../../platform/mail/mail.ts';
import { selectChargedOfOrder } from '../payments/payments.ts';
import { selectPurchaseLimitRules } from '../settings/terms-of-sale.ts';
import { trackingUrl } from '../tracking/tracking.ts';
import { limitsUsedBy } from './limits-used.ts';
import { loadOrder } from './loaded-order-queries.ts';
import { assertAllowed } from './order-lifecycle.ts';
import { type OrderMailRow, selectOrderChange, selectOrderMail } from './order-mail-queries.ts';
import { noticeMail, type OrderNotice, receiptMail } from './order-mails.ts';
import type { OrderRecord } from './order-record.ts';

/** What an order's customer is told of its step. */
type Told = OrderNotice | { readonly receipt: { readonly changeCents: number | null } };

const settingOf = {
  ready: 'mails_ready',
  'out-for-delivery': 'mails_out_for_delivery',
  canceled: 'mails_canceled',
  'delivery-next': 'mails_out_for_delivery',
  'delivery-failed': 'mails_out_for_delivery',
  // Who comes at the former time finds nothing: this is always told.
  'slot-changed': null,
} as const satisfies Record<OrderNotice, keyof OrderMailRow | null>;

/**
 * Queues a mail about a step into its transaction, if the organization's settings say so and the customer has an email.
 * One for each order and kind: an order that is packed again is ready once.
 */
export async function tellCustomer(
  tx: TenantTransaction,
  context: Pick<Context, 'ids' | 'law' | 'sealing' | 'serviceAddress'>,
  order: OrderRecord,
  told: Told,
  nowMs: number,
): Promise<void> {
  const { id, userId, boughtById } = order.head;
  if (userId === null) return;
  const law = context.law.current;
  const [[shop], ownRules] = await tx.run(
    selectOrderMail({ userId, boughtById }),
    typeof told === 'string' ? null : selectPurchaseLimitRules({}),
  );
  assert(shop !== undefined, 'the organization of an order exists');
  const setting = typeof told === 'string' ? settingOf[told] : 'mails_receipts';
  if ((setting !== null && !shop[setting]) || shop.recipient === null) return;
  const receipt = async (changeCents: number | null) => {
    const [charged] = await tx.run(selectChargedOfOrder({ orderId: id }));
    const limits = limitsUsedBy(order, { ...shop, law, ownRules });
    return receiptMail(order, shop, { changeCents, charged, limits });
  };
  const mail =
    typeof told === 'string'
      ? noticeMail(told, order, shop, await trackingUrl(context, order.organizationId, id))
      : await receipt(told.receipt.changeCents);
  await queueMail(tx, context, nowMs, {
    ...mail,
    to: shop.recipient,
    expiresAtMs: null,
    // An order can be moved again, and fail again.
    cause:
      told === 'slot-changed' || told === 'delivery-failed'
        ? `${mail.kind}:${id}:${nowMs}`
        : `${mail.kind}:${id}`,
  });
}

/**
 * Mails the receipt of a fulfilled order to its customer; again, if it was mailed before. Returns the address. Fails with
 * INVALID_ORDER without a customer who has an email, and with INVALID_ORDER_TRANSITION for an order that is not fulfilled.
 */
export async function sendReceipt(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  orderId: string,
): Promise<string> {
  return context.database.write(organization, async (tx) => {
    const order = await loadOrder(tx, orderId, { lock: true });
    if (order === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
    assertAllowed(order, 'send-receipt', ['fulfilled']);
    const [[shop], [paid], charged, ownRules] = await tx.run(
      selectOrderMail(order.head),
      selectOrderChange({ id: orderId }),
      selectChargedOfOrder({ orderId }),
      selectPurchaseLimitRules({}),
    );
    assert(shop !== undefined && paid !== undefined, 'the order is locked');
    if (shop.recipient === null) {
      throw failure('INVALID_ORDER', 'The order must have a customer with an email address.');
    }
    const nowMs = context.clock.now();
    const limits = limitsUsedBy(order, { ...shop, law: context.law.current, ownRules });
    const mail = receiptMail(order, shop, { changeCents: paid.change_cents, charged, limits });
    // The cause names the order, so that the mail can be found; each copy has its own.
    const cause = `${mail.kind}:${orderId}:${await context.ids.takeOne()}`;
    await queueMail(tx, context, nowMs, { ...mail, to: shop.recipient, expiresAtMs: null, cause });
    await announce(tx, context, origin, nowMs, {
      event: 'order.receipt_sent',
      subjectType: 'order',
      subjectId: orderId,
      payload: { orderId, status: order.head.status },
    });
    return shop.recipient;
  });
}
