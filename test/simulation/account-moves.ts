import { expect } from 'vitest';
import { expectOrder } from './order-views.ts';
import type { TradingWorld } from './trading-world.ts';

/** Gives points or takes them, sometimes more than the balance: staff by hand, integrators by loyalty events. */
export async function movePoints(world: TradingWorld): Promise<void> {
  const { random } = world;
  const account = pickAccount(world);
  if (account === null) return;
  const hundredths = random.chance(0.5)
    ? random.integer(1, 5000)
    : -random.integer(1, Math.max(1, account.points + 200));
  const moved = { pointsAmount: hundredths / 100, reason: 'Brought a friend' };
  const integrator = random.chance(0.5) ? random.integer(0, world.integratorCount - 1) : null;
  world.story.push(`points of ${account.email}: ${hundredths} hundredths`);
  const path =
    integrator === null ? `/staff/v1/customers/${account.id}/loyalty-adjustments` : '/api/v1/loyalty-events';
  const body = { ...moved, customerEmail: account.email, idempotencyKey: world.uuid() };
  const reply =
    integrator === null
      ? await world.askStaff('POST', path, moved)
      : await world.surely(() => world.askIntegrator(integrator, 'POST', path, body));
  if (hundredths < 0 && account.points + hundredths < 0) {
    expect(reply.error?.code, reply.text).toBe('INVALID_PARAMS');
    return;
  }
  expect(reply, reply.text).toMatchObject({
    status: integrator === null ? 201 : 200,
    data: { userId: account.id, pointsAmount: hundredths / 100 },
  });
  account.points += hundredths;
  if (integrator !== null) world.remember({ path, integrator, body, reply });
}

/** Gives a customer store credit. */
export async function giveCredit(world: TradingWorld): Promise<void> {
  const account = pickAccount(world);
  if (account === null) return;
  const cents = world.random.integer(1, 4000);
  world.story.push(`credit of ${cents} for ${account.email}`);
  const path = `/staff/v1/customers/${account.id}/credits`;
  const reply = await world.surely(
    () => world.askStaff('POST', path, { type: 'store-credit', amount: cents, description: 'Sorry' }),
    async () => {
      const listed = await world.askStaff('GET', path);
      const made = listed.data.slice(account.credits.length);
      return made.length === 0 ? null : { ...listed, status: 201, data: made[0] };
    },
  );
  expect(reply, reply.text).toMatchObject({ status: 201, data: { amount: cents, remaining: cents } });
  account.credits.push({
    id: reply.data.id,
    amountCents: cents,
    remainingCents: cents,
    expiresAtMs: null,
  });
}

/** Repeats an old request with its key: it has no further effect, and gets the first answer. */
export async function replay(world: TradingWorld): Promise<void> {
  if (world.answered.length === 0) return;
  const { path, integrator, body, reply } = world.random.pick(world.answered);
  world.story.push(`replay of ${path}, ${body.idempotencyKey}`);
  const again =
    integrator === null
      ? await world.askStaff('POST', path, body)
      : await world.askIntegrator(integrator, 'POST', path, body);
  expect(again, again.text).toMatchObject({
    status: reply.status,
    headers: { 'idempotent-replayed': 'true' },
    data: { id: reply.data.id },
  });
  const order = world.orders.find(({ id }) => id === reply.data.id);
  if (order === undefined) {
    // A return may be voided since then; stock does not change again.
    if (path.endsWith('/returns')) expect(again.data.refundTotal).toBe(reply.data.refundTotal);
    else expect(again.data).toEqual(reply.data);
    return;
  }
  expect(again.data).toMatchObject({ status: order.status, customerGrandTotal: order.amounts.grandCents });
  await expectOrder(world, order);
}

function pickAccount({ accounts, random }: TradingWorld) {
  return accounts.size === 0 ? null : random.pick([...accounts.values()]);
}
