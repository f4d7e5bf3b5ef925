import { tenantSql } from '../harness/tenant-sql.ts';
import { placedPayment } from './contract-payments.ts';
import { nowhereId } from './contract-world.ts';
import type { Provocation, Refusal, Stage } from './refusal.ts';

/** Refusals of payments at providers. */
export function paymentRefusals(endpointId: string): Refusal[] {
  if (endpointId !== 'createPaymentIntent') return [];
  const of = (
    code: Refusal['code'],
    when: string,
    arrange: (stage: Stage) => Promise<number> | number,
    message: RegExp,
    meta?: Refusal['meta'],
  ): Refusal => ({
    ...{ endpointId, code, when, message, ...(meta && { meta }) },
    arrange: async (stage): Promise<Provocation> => ({
      request: {
        ...{ params: {}, query: {} },
        body: { orderPaymentId: await arrange(stage), source: 'e-commerce' },
      },
    }),
  });
  const placed = ({ service, home }: Stage, type: number) => placedPayment(service, home.shop, type);
  const change = async ({ service, home }: Stage, sql: string, id: number) => {
    await tenantSql(service.context.database, home.shop.organizationId, sql, id);
    return id;
  };
  return [
    of(
      'ORDER_PAYMENT_NOT_FOUND',
      'no order has the payment',
      () => nowhereId(1) as number,
      /^orderPaymentId must be/,
    ),
    of(
      'PAYMENT_TYPE_NOT_CONNECTED',
      'the payment type is typed by staff',
      (stage) => placed(stage, stage.home.shop.paymentTypeId('Cash')),
      /^The payment type is not connected/,
    ),
    of(
      'INVALID_ORDER',
      'the order is canceled',
      async (stage) =>
        change(
          stage,
          `update orders set status = 'canceled', canceled_at = now()
            where id = (select order_id from order_payments where id = $1)`,
          await placed(stage, Number(stage.home.ids.bankTypeId)),
        ),
      /^An order that is canceled cannot be paid\.$/,
    ),
    of(
      'PAYMENT_IN_PROGRESS',
      'another payment of the order is not known yet',
      async (stage) =>
        change(
          stage,
          `update payment_intents set order_payment_id = null, order_id = (select order_id from order_payments where id = $1)
            where order_payment_id is not null`,
          await placed(stage, Number(stage.home.ids.bankTypeId)),
        ),
      /^What became of a payment of this order is not known yet/,
      ({ home }: Stage) => ({ paymentIntentId: home.ids.paymentIntentId, status: 'unknown' }),
    ),
  ];
}
