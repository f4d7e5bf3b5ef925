import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { isLongSuite } from '../../../test/harness/is-long-suite.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { bankTopics } from '../../hosting/payment-servers/bank-hooks.ts';
import { paymentAccounts } from '../../hosting/payment-servers/payment-server.ts';
import { openPayingShop } from './paying-shop.test-support.ts';

/*
 * Random schedules: orders are asked to pay while the network, the providers and customers fail at any call, and the process is killed at any write. When all
 * is quiet, the books of the service are those of the providers, and each cent is with an order, went back, or has a task.
 * `PAYMENT_SCHEDULES=1000` runs so many, `PAYMENT_SEED=7` those of a seed; it is in the message of a failure.
 */

const { PAYMENT_SCHEDULES: asked, PAYMENT_SEED: seed } = process.env;
const runs = Number(asked ?? (isLongSuite ? 200 : 6));

const service = await startTestService();
const at = await openPayingShop(service);
afterAll(async () => {
  await at.server.close();
  await service.close();
});
const { server, tpn } = at;
const cash = at.shop.paymentTypeId('Cash');

const fault = fc.constantFrom('commit-then-close', 'commit-then-500', 'close', 'html', undefined);
const places = [
  'POST /v2/Payment/*',
  'POST /v2/paymentLink',
  'POST /v2/capturePreauthTransaction',
  'POST /v2/reverseTransaction',
  'POST /v2/transactionSearch',
  'GET /v2/preauthTransactions',
  'POST /v2/token',
] as const;
const customer = fc.record({
  does: fc.constantFrom('tap', 'tap', 'tap', 'decline', 'cancel'),
  approvedCents: fc.constantFrom(3500, 3500, 1200),
  tipCents: fc.constantFrom(0, 0, 250),
  visibleAfterSeconds: fc.constantFrom(0, 0, 0, 20, 4_000),
});
const step = fc.oneof(
  fc.record({ kind: fc.constant('terminal' as const), fault, customer }),
  fc.record({ kind: fc.constant('bank' as const), fault, place: fc.constantFrom(...places) }),
  fc.record({ kind: fc.constant('confirm' as const) }),
  fc.record({ kind: fc.constant('later' as const), seconds: fc.constantFrom(3, 30, 700, 7_300) }),
  fc.record({ kind: fc.constant('fault' as const), fault, place: fc.constantFrom(...places) }),
  fc.record({ kind: fc.constant('cancel-payment' as const) }),
  fc.record({ kind: fc.constant('cancel-order' as const) }),
  fc.record({ kind: fc.constant('hand-over' as const) }),
  fc.record({ kind: fc.constant('returned' as const) }),
  fc.record({ kind: fc.constant('batch' as const), by: fc.constantFrom('terminal', 'service') }),
  fc.record({ kind: fc.constant('refund-tasks' as const) }),
  fc.record({
    kind: fc.constant('webhooks' as const),
    copies: fc.constantFrom(1, 2),
    isReversed: fc.boolean(),
    forged: fc.constantFrom('no', 'signature', 'body', 'address'),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Death = { readonly write: number; readonly when: 'before' | 'after' } | null;
/** The process is killed at one of the writes of a step. */
const death = fc.option(
  fc.record({ write: fc.nat({ max: 3 }), when: fc.constantFrom('before' as const, 'after' as const) }),
  { freq: 2 },
);

interface IntentRow {
  readonly id: number;
  readonly order_id: string;
  readonly reference: string;
  readonly status: string;
  readonly captured_cents: number;
  readonly applied_cents: number;
  readonly refunded_cents: number;
  readonly returned_cents: number;
}

const sql = <Row>(text: string, ...values: (string | number)[]) =>
  tenantSql(service.context.database, at.shop.organizationId, text, ...values) as Promise<Row[]>;
const intentsOf = (orderId: string) =>
  sql<IntentRow>('select * from payment_intents where order_id = $1 order by id', orderId);

async function take(orderId: string, step: Step, dies: Death): Promise<void> {
  const intents = await intentsOf(orderId);
  if (dies !== null) at.dieAt(dies.write, dies.when);
  const last = intents.at(-1);
  if ('fault' in step && step.fault !== undefined && step.kind !== 'terminal') {
    server.faults.plan({ kind: step.fault, at: step.place });
  }
  switch (step.kind) {
    case 'terminal':
      server.terminals.customer(tpn, step.customer);
      if (step.fault !== undefined) server.faults.plan({ kind: step.fault, at: 'POST /v2/Payment/Sale' });
      await asks(orderId, at.debit);
      return;
    case 'bank':
      await asks(orderId, at.bank);
      return;
    case 'confirm':
      if (last !== undefined) server.bank.confirm(last.reference);
      return;
    case 'later':
      await at.later(step.seconds);
      return;
    case 'cancel-payment':
      if (last !== undefined)
        await at.budtender.call('POST', `/staff/v1/payment-intents/${last.id}/cancel`, {});
      return;
    case 'cancel-order':
      await at.manager.call('POST', `/staff/v1/orders/${orderId}/cancel`, { reason: 'Changed their mind' });
      return;
    case 'hand-over': {
      const paid = (type: number) =>
        intents
          .filter((it) => Number((it as unknown as { payment_type_id: number }).payment_type_id) === type)
          .reduce((sum, it) => sum + Number(it.applied_cents), 0);
      const parts = [at.debit, at.bank].map((type) => ({ paymentTypeId: type, amount: paid(type) }));
      const known = parts.filter(({ amount }) => amount > 0);
      const rest = 3500 - known.reduce((sum, { amount }) => sum + amount, 0);
      const payments = [...known, ...(rest > 0 ? [{ paymentTypeId: cash, amount: rest }] : [])];
      await at.fulfill(orderId, payments, { leavesUnknownPayment: true }, at.manager);
      return;
    }
    case 'returned':
      if (last !== undefined) server.bank.returns(last.reference, 'R01');
      return;
    case 'batch':
      if (step.by === 'terminal') server.terminals.closeBatch(tpn);
      else await at.manager.call('POST', `/staff/v1/payment-connections/${terminalId}/settlements`, {});
      return;
    case 'webhooks':
      await deliver(step, dies);
      return;
    case 'refund-tasks':
      // Nothing, if the process ends while they are asked for.
      for (const task of (await at.tasks()) ?? []) {
        if (task.kind !== 'refund') continue;
        await at.manager.call('POST', `/staff/v1/payment-tasks/${task.id}/refund`, { hasCard: true });
        await at.idle();
      }
      return;
    default:
  }
}

const { data: connections } = await at.manager.call('GET', '/staff/v1/payment-connections');
const connectionOf = (provider: string) =>
  connections.find((it: { readonly provider: string }) => it.provider === provider);
const { eventsUrl } = connectionOf('bank');
const terminalId = connectionOf('terminal').id;
const bankCall = async (path: string, body: object, token = '') =>
  (
    await fetch(`${server.url}/v2/${path}`, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    })
  ).json() as Promise<{ token: string }>;
const { apiKey, apiSecret, merchantId: merchant } = paymentAccounts.bank;
const { token } = await bankCall('token', { apiKey, apiSecret, scope: 'merchant', id: merchant });
for (const topic of bankTopics) await bankCall('webhook', { topic, url: eventsUrl }, token);

/** What the bank has to tell, perhaps doubled, in the wrong order, or forged: all of it is answered alike. */
async function deliver(
  { copies, isReversed, forged }: Extract<Step, { kind: 'webhooks' }>,
  dies: Death,
): Promise<void> {
  const due = server.bank.takeHooks();
  const all = [...due, ...(copies === 2 ? due : [])];
  for (const hook of isReversed ? all.toReversed() : all) {
    const { body, headers } =
      forged === 'address'
        ? server.bank.signed('https://elsewhere.example.com', JSON.parse(hook.body))
        : hook;
    const { status } = await service.call('POST', new URL(eventsUrl).pathname, {
      body: Buffer.from(forged === 'body' ? body.replace('"topic"', '"topics"') : body),
      headers: {
        'content-type': 'application/json',
        ...(forged === 'signature' ? { 'ap-signature': 'f'.repeat(64) } : headers),
      },
    });
    // A process that ends answers nothing, and the bank comes again.
    if (dies === null) expect(status).toBe(200);
  }
  await at.later(0);
}

async function asks(orderId: string, paymentTypeId: number): Promise<void> {
  const body = { orderId, paymentTypeId, amount: 3500, registerId: at.registerId };
  await at.budtender.call('POST', '/staff/v1/payment-intents', body);
  await at.idle();
}

/** Nothing fails any more, and time passes until all looks are done. */
async function untilQuiet(): Promise<void> {
  server.faults.clear();
  for (const seconds of [60, 600, 2_000, 4_000, 8_000, 30_000, 40_000, 40_000, 43_000, 43_000, 43_000]) {
    await at.later(seconds);
  }
}

async function expectBalanced(orderId: string): Promise<void> {
  const intents = await intentsOf(orderId);
  for (const intent of intents) {
    const taken = [...server.terminals.ledger.entries, ...server.bank.ledger.entries]
      .filter(({ reference }) => reference === intent.reference)
      .map(({ cents }) => cents);
    expect(taken.filter((cents) => cents > 0).length, `${intent.reference} is charged once`).toBeLessThan(2);
    // What is not known, because its batch has closed, has a task instead of books.
    const [tasks] = await sql<{ refunds: number; doubts: number }>(
      `select coalesce(sum(amount_cents) filter (where kind = 'refund'), 0)::int as refunds,
              count(*) filter (where kind = 'unknown')::int as doubts
         from payment_tasks where payment_intent_id = $1 and done_at is null`,
      intent.id,
    );
    if (intent.status === 'unknown') {
      expect(tasks!.doubts, `${intent.reference} is unknown, which a task says`).toBe(1);
      continue;
    }
    const { captured_cents: captured, applied_cents: applied, refunded_cents: refunded } = intent;
    const with_ = Number(applied) + Number(refunded) + Number(intent.returned_cents) + tasks!.refunds;
    expect([intent.status, Number(captured)], intent.reference).toEqual([intent.status, with_]);
  }
  const known = intents.filter(({ status }) => status !== 'unknown').map(({ reference }) => reference);
  const [books] = await sql<{ cents: number }>(
    `select coalesce(sum(l.amount_cents), 0)::int as cents from payment_ledger_entries l
       join payment_intents i on i.id = l.payment_intent_id and i.organization_id = l.organization_id
      where i.order_id = $1 and i.status <> 'unknown'`,
    orderId,
  );
  const refundsOf = (
    await sql<{ reference: string }>(
      `select r.reference from payment_refunds r join payment_intents i on i.id = r.payment_intent_id
        where i.order_id = $1 and i.status <> 'unknown'`,
      orderId,
    )
  ).map(({ reference }) => reference);
  const provider = [...server.terminals.ledger.entries, ...server.bank.ledger.entries]
    .filter(({ reference }) => known.includes(reference) || refundsOf.includes(reference))
    .reduce((sum, { cents }) => sum + cents, 0);
  expect(books!.cents).toBe(provider);
}

test('whatever is silent, late, lost, doubled, forged or killed at any write: each cent is with an order, went back, or has a task', async () => {
  // A payment in the open batch, by which a terminal proves that another was never made.
  await at.ask((await at.placed()).id, at.debit);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, death), { minLength: 2, maxLength: 9 }), async (steps) => {
      const { id } = await at.placed(at.bank);
      for (const [it, dies] of steps) {
        await take(id, it, dies);
        at.revive();
      }
      await untilQuiet();
      await expectBalanced(id);
    }),
    { numRuns: runs, endOnFailure: true, ...(seed !== undefined && { seed: Number(seed) }) },
  );
}, 1_200_000);
