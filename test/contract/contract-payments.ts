import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assert } from '../../src/kernel/assert.ts';
import type { SqlValue } from '../../src/platform/statements/statement.ts';
import { paymentDeskOf } from '../../src/shop/payments/payments.ts';
import { createConnection } from '../../src/shop/payments/set-connection.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import { pickupBody, type TestShop, testOrigin } from '../harness/test-shop.ts';

/** A payment type of a tenant that is connected to a bank which never answers, and what was asked for by it. */
export async function askForPayments(service: TestService, shop: TestShop) {
  const { context } = service;
  const { organizationId } = shop;
  const paymentTypeId = await context.ids.takeOne();
  await tenantSql(
    context.database,
    organizationId,
    `insert into payment_types (organization_id, id, name, fee_cents, fee_percent, method, available_delivery, created_at)
     values (current_organization_id(), $1, 'Pay by bank', 0, 0, 'processor', true, now())`,
    paymentTypeId,
  );
  await createConnection(paymentDeskOf(context), testOrigin, organizationId, {
    ...{ name: 'Bank', provider: 'bank', paymentTypeId, registerId: null, payWithinMinutes: null },
    ...{ baseUrl: 'http://127.0.0.1:1', account: { merchant: '7001' } },
    secrets: { apiKey: 'k', apiSecret: 's', signingKey: 'w' },
  });
  const orderPaymentId = await placedPayment(service, shop, paymentTypeId);
  const asked = await service.call('POST', '/api/v1/payment-intents', {
    keys: shop.keys,
    body: { orderPaymentId, source: 'e-commerce' },
  });
  assert(asked.status === 201, `the payment of a contract test is refused: ${asked.text}`);
  const [paid] = await tenantSql(
    context.database,
    organizationId,
    'select order_id from order_payments where organization_id = $1 and id = $2',
    ...[organizationId, orderPaymentId],
  );
  return {
    ...{ orderPaymentId, paymentIntentId: asked.data.id, bankTypeId: paymentTypeId },
    'listPaymentIntents.orderId': paid!.order_id,
  };
}

/** Places an order that is to be paid by a type; resolves to the id of its payment. */
export async function placedPayment(
  service: TestService,
  shop: TestShop,
  paymentTypeId: number,
): Promise<number> {
  const { id } = await placedOrder(service, shop, paymentTypeId);
  const [payment] = await tenantSql(
    service.context.database,
    shop.organizationId,
    'select id from order_payments where order_id = $1',
    id,
  );
  return Number(payment!.id);
}

/** Places an order that is to be paid by a type. */
export async function placedOrder(service: TestService, shop: TestShop, paymentTypeId: number) {
  const payments = [{ paymentTypeId, remaining: true }];
  const body = pickupBody(shop, {
    payments,
    lineItems: [{ productOptionId: shop.optionId('tray'), quantity: 1 }],
    customer: { firstName: 'Noor', lastName: 'Sandoval', email: `${randomUUID()}@people.example.com` },
  });
  const { status, text, data } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  assert(status === 201, `the order of a contract test is refused: ${text}`);
  return data as { readonly id: string };
}

/** A captured payment of which a cent is to be given back; resolves to the task. */
export async function addRefundTask(
  { context }: TestService,
  { organizationId }: TestShop,
  paymentIntentId: number,
): Promise<number> {
  const [intentId, taskId] = await context.ids.take(2);
  await tenantSql(
    context.database,
    organizationId,
    `insert into payment_intents (organization_id, id, reference, payment_connection_id, order_id, payment_type_id, source, status,
       amount_cents, fee_amount_cents, captured_cents, facts, created_at, updated_at)
     select organization_id, $1::bigint, 'task' || $1, payment_connection_id, order_id, payment_type_id, source, 'captured',
            1, 0, 1, '{}', created_at, updated_at
       from payment_intents where id = $2`,
    intentId!,
    paymentIntentId,
  );
  await tenantSql(
    context.database,
    organizationId,
    `insert into payment_tasks (organization_id, id, kind, payment_intent_id, order_id, amount_cents, reason, created_at)
     select organization_id, $1::bigint, 'refund', id, order_id, 1, 'late', created_at from payment_intents where id = $2`,
    taskId!,
    intentId!,
  );
  await tenantSql(
    context.database,
    organizationId,
    `insert into payment_ledger_entries (organization_id, id, payment_intent_id, kind, amount_cents, created_at)
     select organization_id, $1::bigint, id, 'captured', 1, created_at from payment_intents where id = $2`,
    await context.ids.takeOne(),
    intentId!,
  );
  return taskId!;
}

/** Accounts at three banks, and what people have to do about payments of three orders. */
export async function addPaymentTasks(service: TestService, shop: TestShop): Promise<void> {
  const { context } = service;
  const { organizationId } = shop;
  const sql = (text: string, ...values: readonly SqlValue[]) =>
    tenantSql(context.database, organizationId, text, ...values);
  const orders = await sql('select id from orders order by id limit 3');
  for (const [at, { id: orderId }] of orders.entries()) {
    const [typeId, intentId, taskId] = await context.ids.take(3);
    await sql(
      `insert into payment_types (organization_id, id, name, fee_cents, fee_percent, method, available_delivery, created_at)
       values (current_organization_id(), $1::bigint, 'Bank ' || $1::text, 0, 0, 'processor', true, now())`,
      typeId!,
    );
    const connectionId = await createConnection(paymentDeskOf(context), testOrigin, organizationId, {
      ...{
        name: `Bank ${3 - at}`,
        provider: 'bank',
        paymentTypeId: typeId!,
        registerId: null,
        payWithinMinutes: null,
      },
      ...{ baseUrl: 'http://127.0.0.1:1', account: { merchant: '7001' } },
      secrets: { apiKey: 'k', apiSecret: 's', signingKey: 'w' },
    });
    const createdAt = new Date(service.clock.now()).toISOString();
    await sql(
      `insert into payment_intents (organization_id, id, reference, payment_connection_id, order_id, payment_type_id, source, status,
         amount_cents, fee_amount_cents, captured_cents, facts, created_at, updated_at)
       values (current_organization_id(), $1::bigint, 'task' || $1::text, $2, $3, $4, 'e-commerce', 'captured', 100, 0, 100, '{}', $5, $5)`,
      ...[intentId!, connectionId, String(orderId), typeId!, createdAt],
    );
    await sql(
      `insert into payment_tasks (organization_id, id, kind, payment_intent_id, order_id, amount_cents, reason, created_at)
       values (current_organization_id(), $1, $2, $3, $4, $5, 'late', $6)`,
      ...[taskId!, ['unknown', 'refund', 'collect'][at]!, intentId!, String(orderId), 300 - at, createdAt],
    );
    service.clock.advance(1_000);
  }
}

/** Ends what was asked for: asking again would answer the open one. */
export async function endPayments({ context }: TestService, { organizationId }: TestShop): Promise<void> {
  const ended = `update payment_intents set status = 'failed' where order_payment_id is not null`;
  await tenantSql(context.database, organizationId, ended);
}

let bankUrl: Promise<string> | undefined;

/** A bank that reports days without payments, for as long as the process lives. */
async function startBank(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/token')) response.end(JSON.stringify({ token: 'token' }));
    else response.end('referenceId,type,amountCents,feeCents');
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The account at a bank that reports what it paid out. */
export async function reportingBank({ context }: TestService, { organizationId }: TestShop): Promise<number> {
  bankUrl ??= startBank();
  const typeId = await context.ids.takeOne();
  await tenantSql(
    context.database,
    organizationId,
    `insert into payment_types (organization_id, id, name, fee_cents, fee_percent, method, available_delivery, created_at)
     values (current_organization_id(), $1::bigint, 'Reporting bank ' || $1::text, 0, 0, 'processor', true, now())`,
    typeId,
  );
  return createConnection(paymentDeskOf(context), testOrigin, organizationId, {
    ...{ name: `Bank ${typeId}`, provider: 'bank', paymentTypeId: typeId, registerId: null },
    ...{ baseUrl: await bankUrl, account: { merchant: '7001' }, payWithinMinutes: null },
    secrets: { apiKey: 'k', apiSecret: 's', signingKey: 'w' },
  });
}
