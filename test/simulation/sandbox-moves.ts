import { expect } from 'vitest';
import type { TestReply } from '../harness/test-service.ts';
import type { TradingWorld } from './trading-world.ts';

/*
 * An integrator of the shop plays in its sandbox (D60) while the shop trades: another clock, other goods and orders. That the
 * shop notices nothing is shown by all of its audits, which know of no sandbox.
 */

const dayMs = 86_400_000;

/** The clock of the sandbox is set to a moment of other years, or back; then an order is placed there, and perhaps played. */
export async function playInSandbox(world: TradingWorld): Promise<void> {
  const { random, sandbox } = world;
  if (random.chance(0.7)) {
    sandbox.standsAtMs = random.chance(0.2) ? null : world.nowMs + random.integer(-2000, 2000) * dayMs;
    const { standsAtMs } = sandbox;
    const body =
      standsAtMs === null ? { now: null } : { now: new Date(standsAtMs).toISOString(), stands: true };
    world.story.push(`the clock of the sandbox: ${body.now}`);
    const set = await world.surely(() => world.askSandbox('PUT', '/api/v1/sandbox/clock', body));
    expect(set.status, set.text).toBe(200);
  }
  const shown = await world.askSandbox('GET', '/api/v1/sandbox');
  const showsMs = sandbox.standsAtMs ?? world.nowMs;
  expect(shown.data.clock).toMatchObject({
    now: new Date(showsMs).toISOString(),
    stands: sandbox.standsAtMs !== null,
  });
  const { productOptionId } = shown.data.specialCases.find((it: TestReply['data']) => it.case === 'product');
  const order = {
    type: 'pickup',
    lineItems: [{ productOptionId, quantity: 1 }],
    customer: { firstName: 'Ada', lastName: 'Moreno', email: 'ada@customers.example.com' },
    idempotencyKey: world.uuid(),
  };
  world.story.push('an order in the sandbox');
  const placed = await world.surely(() => world.askSandbox('POST', '/api/v1/orders', order));
  expect(placed, placed.text).toMatchObject({
    status: 201,
    data: { createdAt: new Date(showsMs).toISOString() },
  });
  sandbox.orderIds.push(placed.data.id);
  if (random.chance(0.4)) {
    const path = `/api/v1/sandbox/orders/${placed.data.id}/play`;
    for (const action of ['accept', 'fulfill']) {
      const played = await world.askSandbox('POST', path, { action });
      expect(played.status, played.text).toBe(200);
    }
  }
  // The shop's own keys open no sandbox, and its orders are not there.
  expect((await world.askIntegrator(0, 'GET', '/api/v1/sandbox')).error?.code).toBe('NOT_A_SANDBOX');
  for (const [ask, id] of [
    [world.askSandbox.bind(world), world.orders.at(-1)?.id],
    [world.askIntegrator.bind(world, 0), placed.data.id],
  ] as const) {
    if (id === undefined) continue;
    expect((await ask('GET', `/api/v1/orders/${id}`)).error?.code).toBe('ORDER_NOT_FOUND');
  }
}

/** The sandbox has its orders alone: the one of its customer at the limit, and those that were placed. */
export async function auditSandbox(world: TradingWorld): Promise<void> {
  const ids = new Set<string>();
  for (let query = ''; ; ) {
    const { status, data, text } = await world.askSandbox('GET', `/api/v1/orders${query}`);
    expect(status, text).toBe(200);
    if (data.length === 0) break;
    for (const { id } of data) ids.add(id);
    query = `?startingAfter=${data.at(-1).id}`;
  }
  const { orderIds } = world.sandbox;
  expect(orderIds.filter((id) => !ids.has(id))).toEqual([]);
  expect(ids.size).toBe(orderIds.length + 1);
}
