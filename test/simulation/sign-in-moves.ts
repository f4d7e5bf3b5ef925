import { expect } from 'vitest';
import { mailedCode } from '../harness/test-mails.ts';
import type { TestReply } from '../harness/test-service.ts';
import { placeOrderOf } from './order-moves.ts';
import type { CustomerSession } from './sign-in-model.ts';
import { customers } from './simulated-shop.ts';
import type { TradingWorld } from './trading-world.ts';

/* Customers sign in at the web shop by a code that is mailed to them (D62), and buy there. */

const minuteMs = 60_000;
const codeLifeMs = 10 * minuteMs;
const sessionLifeMs = 30 * 24 * 60 * minuteMs;
const sendsPerHour = 5;
const triesPerHour = 10;

/** A customer asks for codes, types some that are wrong, late, used or replaced, and at last perhaps the right one. */
export async function signIn(world: TradingWorld): Promise<void> {
  const { random } = world;
  const { email } = random.pick(customers);
  const asks = random.chance(0.1) ? random.integer(5, 7) : random.integer(1, 2);
  for (let count = 0; count < asks; count++) await askForCode(world, email);
  if (random.chance(0.3)) world.clock.advance(random.pick([9 * minuteMs, codeLifeMs, 11 * minuteMs]));
  const tries = random.chance(0.1) ? random.integer(9, 12) : random.integer(0, 2);
  for (let count = 0; count < tries; count++) await typeCode(world, email, wrongCode(world, email));
  const { code } = world.signIns.at(email, world.nowMs);
  if (code === null || random.chance(0.15)) return;
  await typeCode(world, email, code);
  // A code works once.
  if (random.chance(0.3)) await typeCode(world, email, code);
}

/** A customer buys by a session, or tries to by one that is over; looks at the own orders; and may sign out. */
export async function buySignedIn(world: TradingWorld): Promise<void> {
  const { random, signIns } = world;
  if (signIns.sessions.length === 0) return;
  const session = random.pick(random.chance(0.8) ? signIns.sessions.slice(-3) : signIns.sessions);
  const { email, token } = session;
  const headers = { 'x-customer-token': token };
  if (!isOpen(session, world.nowMs)) {
    world.story.push(`a session of ${email} that is over`);
    const refused = await world.askWebShop('GET', '/api/v1/own-orders', undefined, headers);
    expect(refused.error?.code, refused.text).toBe('CUSTOMER_SESSION_ENDED');
    return;
  }
  const placed = await placeOrderOf(world, { email, token });
  if (placed?.account != null) await expectProofCounts(world, placed.account.email, token);
  await expectOwnOrders(world, email, headers);
  if (random.chance(0.2)) {
    world.story.push(`${email} signs out`);
    const send = () => world.askWebShop('POST', '/api/v1/customer-sessions/end', { token });
    expect((await send()).status).toBe(204);
    session.isEnded = true;
    expect((await send()).error?.code).toBe('CUSTOMER_SESSION_ENDED');
  }
}

function isOpen({ isEnded, expiresAtMs }: CustomerSession, nowMs: number): boolean {
  return !isEnded && nowMs < expiresAtMs;
}

async function askForCode(world: TradingWorld, email: string): Promise<void> {
  const contact = world.signIns.at(email, world.nowMs);
  const isRefused = contact.sends >= sendsPerHour;
  world.story.push(`a code for ${email}${isRefused ? ', too many' : ''}`);
  const headers = { 'idempotency-key': world.uuid() };
  const send = () => world.askWebShop('POST', '/api/v1/customer-sessions', { email }, headers);
  const reply = await (isRefused ? send() : world.surely(send));
  if (isRefused) {
    expect(reply.error?.code, reply.text).toBe('RATE_LIMITED');
    return;
  }
  expect(reply.status, reply.text).toBe(202);
  if (contact.code !== null) contact.spent.push(contact.code);
  contact.sends += 1;
  contact.codeSentAtMs = world.nowMs;
  contact.code = await codeFor(world, email);
  world.mails.add('customer-code', email, world.nowMs);
}

/** As the customer reads it; staff see the mail in the mailbox, and no code. */
async function codeFor(world: TradingWorld, email: string): Promise<string> {
  const { data } = await world.askStaff('GET', '/staff/v1/mails');
  const [newest] = data;
  expect(newest).toMatchObject({ kind: 'customer-code', recipient: email });
  expect(newest.text).not.toMatch(/\d{6}/);
  return mailedCode(world.service.context, world.shop.organizationId, email);
}

function wrongCode({ random, signIns, nowMs }: TradingWorld, email: string): string {
  const { code, spent } = signIns.at(email, nowMs);
  const drawn = String(random.integer(0, 999_999)).padStart(6, '0');
  const wrong = spent.length > 0 && random.chance(0.5) ? random.pick(spent) : drawn;
  return wrong === code ? 'none' : wrong;
}

async function typeCode(world: TradingWorld, email: string, code: string): Promise<void> {
  const { nowMs } = world;
  const contact = world.signIns.at(email, nowMs);
  const isRefused = contact.tries >= triesPerHour;
  const isRight = code === contact.code && nowMs < contact.codeSentAtMs + codeLifeMs;
  world.story.push(
    `${email} types a code, ${isRefused ? 'too often' : isRight ? 'the right one' : 'in vain'}`,
  );
  const reply = await world.askWebShop('POST', '/api/v1/customer-sessions/verify', { email, code });
  if (isRefused || !isRight) {
    expect(reply.error?.code, reply.text).toBe(isRefused ? 'RATE_LIMITED' : 'CUSTOMER_CODE_INVALID');
    if (!isRefused) contact.tries += 1;
    return;
  }
  const expiresAtMs = nowMs + sessionLifeMs;
  const known = world.accounts.has(email) ? { firstName: 'Buyer' } : null;
  expect(reply, reply.text).toMatchObject({
    status: 201,
    data: { expiresAt: new Date(expiresAtMs).toISOString(), customer: known },
  });
  contact.tries += 1;
  contact.spent.push(code);
  contact.code = null;
  world.signIns.sessions.push({ email, token: reply.data.token, expiresAtMs, isEnded: false });
}

/** Credits of the customer are shown and used with the proof; without it the cart is a stranger's. */
async function expectProofCounts(world: TradingWorld, email: string, token: string): Promise<void> {
  const account = world.accounts.get(email)!;
  const { nowMs } = world;
  const left = account.credits
    .filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs)
    .reduce((sum, { remainingCents }) => sum + remainingCents, 0);
  const usedWith = async (customer: object) => {
    const body = {
      type: 'pickup',
      lineItems: [{ productOptionId: world.shop.optionId('tray'), quantity: 1 }],
    };
    const sent = { ...body, customer: { firstName: 'Buyer', lastName: 'No. 0', email, ...customer } };
    const { data, error } = await world.askWebShop('POST', '/api/v1/orders/pricing', sent);
    expect(error).toBeUndefined();
    return data.credits.reduce((sum: number, it: TestReply['data']) => sum + it.amountUsed, 0);
  };
  expect(await usedWith({})).toBe(0);
  const used = await usedWith({ token });
  expect(used > 0).toBe(left > 0);
}

/** The newest page: orders of this customer alone, through every channel. */
async function expectOwnOrders(
  world: TradingWorld,
  email: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { status, data, text } = await world.askWebShop('GET', '/api/v1/own-orders', undefined, headers);
  expect(status, text).toBe(200);
  const own = new Set(world.orders.filter(({ account }) => account?.email === email).map(({ id }) => id));
  const shown = data.map(({ id }: TestReply['data']) => id);
  expect(shown.filter((id: string) => !own.has(id))).toEqual([]);
  expect(new Set(shown).size).toBe(Math.min(own.size, 50));
}
