import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import type { PaymentSwitch } from '../../hosting/payment-servers/payment-switches.ts';
import { isSignedByBank } from './bank-signature.ts';
import { FollowedPayment, type PlayedProviders, playProviders } from './played-providers.test-support.ts';

/*
 * What is known of a provider of pay by bank, statement by statement: the stand-in does it, and the adapter stays right. What else the
 * service makes of it, with orders, tasks and webhooks, is in bank-payments.test.ts and payment-schedules.test.ts.
 */

const hour = 3_600;
const day = 24 * hour;
const played: PlayedProviders[] = [];
afterAll(() => Promise.all(played.map((it) => it.close())));

async function play(switches: Readonly<Partial<Record<PaymentSwitch, string>>> = {}) {
  const at = await playProviders(switches);
  played.push(at);
  const { bank } = at.server;
  /** A payment with a link, and the customer has agreed behind it. */
  const agreed = async () => {
    const payment = await new FollowedPayment(at.bank).create();
    expect(bank.confirm(payment.reference)).toBe(true);
    return payment;
  };
  const captured = async () => {
    const payment = await (await agreed()).look();
    expect(payment.status).toBe('captured');
    return payment;
  };
  const preauthOf = async (payment: FollowedPayment) => {
    const { preauthTransactions } = await at.call('GET', '/preauthTransactions');
    const rows = preauthTransactions as unknown as readonly {
      id: string;
      referenceId: string;
      status: string;
    }[];
    return rows.find(({ referenceId }) => referenceId === payment.reference)!;
  };
  const pass = (seconds: number) => {
    at.clock.advance(seconds * 1_000);
    at.server.advance(0);
  };
  return { ...at, agreed, captured, preauthOf, pass };
}

const usd = (cents: number) => ({ amount: { amount: cents, currency: 'USD' } });

test('41, 73, 76: a token that has died is renewed once; maintenance and rate limits are silence; keys of another environment say so', async () => {
  const at = await play();
  const payment = await new FollowedPayment(at.bank).create();
  // The bank forgets the token before the adapter does.
  at.server.advance(31 * 60);
  at.server.bank.confirm(payment.reference);
  expect((await payment.look()).status).toBe('captured');
  const tokens = at.server.calls.filter((call) => call === 'POST /v2/token');
  expect(tokens).toHaveLength(2);
  for (const status of [429, 503]) {
    at.server.faults.plan({ kind: 'html', status, at: 'POST /v2/paymentLink' });
    expect((await new FollowedPayment(at.bank).create()).status).toBe('unknown');
  }
  const strange = at.bankWith({ apiKey: 'sandbox-key', apiSecret: 'sandbox-secret', signingKey: '' });
  expect(await strange.check()).toEqual({ state: 'refused', code: 'AP002' });
});

test('42, 52, 70: a refusal with status 200 is no success: the customer connects the bank again or is let in again, and the payment goes on', async () => {
  const at = await play();
  const payment = await at.agreed();
  for (const code of ['AP300', 'AP109', 'AP302', 'AP307'] as const) {
    at.server.bank.refuses(code);
    expect([(await payment.look()).status, at.taken()]).toEqual(['authorized', 0]);
  }
  at.server.bank.refuses(null);
  expect((await payment.look()).status).toBe('captured');
});

test('43–44: a key answers the same, refuses another body, says that it still runs, and is forgotten after a day: the guard is ours', async () => {
  const at = await play({ 'key-runs-seconds': '60' });
  const key = '0b6f2c1e-4a1d-4f6a-9a31-5d1f0c7e9b10';
  const pay = (cents: number) =>
    at.call('POST', '/transaction', { ...usd(cents), referenceId: 'direct' }, { 'Idempotency-Key': key });
  const lookUp = () => at.call('GET', `/transaction/idempotency/${key}`);
  expect(await lookUp()).toEqual({});
  const first = await pay(4_130);
  expect((await pay(4_130)).error?.code).toBe('AP1401');
  at.pass(61);
  expect([await pay(4_130), await lookUp()]).toEqual([first, first]);
  expect([(await pay(4_131)).error?.code, at.taken()]).toEqual(['AP1400', 4_130]);
  at.pass(day);
  expect([await lookUp(), (await pay(4_130)).error, at.taken()]).toEqual([{}, undefined, 8_260]);
});

test('43, 56: a refund whose key still runs is not known, and not another one; without a key it would be', async () => {
  const at = await play({ 'key-runs-seconds': '60' });
  const payment = await at.captured();
  at.server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/reverseTransaction' });
  expect((await payment.refund(1_000, false)).seen).toBe('silence');
  expect((await payment.refund(1_000, false)).seen).toBe('silence');
  at.pass(61);
  expect([(await payment.refund(1_000, false)).seen, at.taken()]).toEqual(['paid', 3_130]);
  const { id } = await at.preauthOf(payment);
  for (const _ of '12') await at.call('POST', '/reverseTransaction', { id, ...usd(1_000) });
  expect(at.taken()).toBe(1_130);
});

test('45: silence, and created or not, or seen only after a while: nothing moves before it is captured', async () => {
  const at = await play({ 'read-lag-seconds': '20' });
  for (const kind of ['commit-then-close', 'close'] as const) {
    at.server.faults.plan({ kind, at: 'POST /v2/paymentLink' });
    const payment = await new FollowedPayment(at.bank).create();
    expect([payment.status, (await payment.look()).status]).toEqual(['unknown', 'waiting']);
    expect(at.server.bank.confirm(payment.reference)).toBe(kind === 'commit-then-close');
    expect((await payment.look()).status).toBe('waiting');
    at.pass(21);
    expect((await payment.look()).status).toBe(kind === 'commit-then-close' ? 'captured' : 'waiting');
  }
  expect(at.taken()).toBe(4_130);
});

test('46: a capture that was not heard of was made, or is made by the next look: once', async () => {
  for (const value of ['same', 'new']) {
    const at = await play({ 'capture-id': value });
    for (const kind of ['commit-then-close', 'close'] as const) {
      const payment = await at.agreed();
      at.server.faults.plan({ kind, at: 'POST /v2/capturePreauthTransaction' });
      await payment.look();
      expect(payment.status).toBe('unknown');
      await payment.look();
      const { id } = await at.preauthOf(payment);
      expect((await at.call('POST', '/capturePreauthTransaction', { id })).error?.code).toBe('AP312');
      expect([payment.status, at.taken(payment.reference)]).toEqual(['captured', 4_130]);
    }
  }
});

test('47: what was agreed to is over after 72 hours, 48, or never: then it cannot be captured', async () => {
  for (const [value, hours] of [
    ['72', 72],
    ['48', 48],
    ['none', Number.NaN],
  ] as const) {
    const at = await play({ 'preauth-hours': value });
    const payment = await at.agreed();
    const { id } = await at.preauthOf(payment);
    at.pass(hours * hour || 90 * hour);
    const isOver = value !== 'none';
    if (isOver)
      expect((await at.call('POST', '/capturePreauthTransaction', { id })).error?.code).toBe('AP313');
    expect((await payment.look()).status).toBe(isOver ? 'expired' : 'captured');
    expect(at.taken()).toBe(isOver ? 0 : 4_130);
  }
});

test('48–49: what was agreed to is lowered, and raised only where the switch says so; what is captured then is what is booked', async () => {
  for (const value of ['refused', 'allowed']) {
    const at = await play({ 'preauth-raise': value });
    const payment = await at.agreed();
    const { id } = await at.preauthOf(payment);
    const change = async (cents: number) =>
      (await at.call('PATCH', `/preauthTransaction/${id}`, usd(cents))).error?.code;
    expect([await change(4_131), await change(3_000), await change(0)]).toEqual([
      value === 'refused' ? 'AP308' : undefined,
      undefined,
      'AP308',
    ]);
    expect([(await payment.look()).keptCents, await change(2_000)]).toEqual([3_000, 'AP313']);
  }
});

test('50: a link that was only opened, is over, or was used before moves nothing; the amount of one that was sent is not changed', async () => {
  const at = await play({ 'link-hours': '24' });
  const payment = await new FollowedPayment(at.bank).create();
  const link = payment.last.link!;
  expect(await (await fetch(link)).text()).toContain('Pay $41.30');
  expect((await payment.look()).status).toBe('waiting');
  const more = { ...usd(9_900), referenceId: payment.reference };
  expect((await at.call('POST', '/paymentLink', more)).error?.code).toBe('AP314');
  at.server.turn({ 'link-repeat': 'same' });
  const repeated = await at.bank.create(payment.asked);
  expect([repeated.link, (await at.call('POST', '/paymentLink', more)).error?.code]).toEqual([link, 'AP314']);
  at.pass(25 * hour);
  expect(await (await fetch(link, { method: 'POST' })).text()).toContain('is over');
  expect([(await payment.look()).status, (await payment.cancel()).status]).toEqual(['waiting', 'canceled']);
  at.server.turn({ 'link-hours': 'none' });
  const used = await at.agreed();
  expect([at.server.bank.confirm(used.reference), (await used.look()).keptCents]).toEqual([false, 4_130]);
});

test('51: who comes back from the page has proven nothing', async () => {
  const at = await play();
  const payment = await new FollowedPayment(at.bank).create();
  await fetch(`${payment.last.link!}?success=true`);
  expect([(await payment.look()).status, at.taken()]).toEqual(['waiting', 0]);
});

test('53: the name of the payer is told, so that staff compare it, and cancel', async () => {
  const at = await play();
  const payment = await new FollowedPayment(at.bank).create();
  at.server.bank.confirm(payment.reference, 'Another Person');
  const seen = await at.bank.read(payment.asked);
  expect([seen.seen, seen.facts?.payerName]).toEqual(['authorized', 'Another Person']);
  expect([(await payment.cancel()).status, at.taken()]).toEqual(['canceled', 0]);
});

test('54: on the same business day a refund is a void; later it is queued, on its way, and paid on later days', async () => {
  // In UTC: 18:00; in New York 13:00, in California 10:00.
  for (const [value, sameDayHours] of [
    ['utc', 5],
    ['eastern-17', 3],
    ['pacific', 13],
  ] as const) {
    const at = await play({ 'business-day': value });
    const early = await at.captured();
    const late = await at.captured();
    at.pass(sameDayHours * hour);
    expect((await early.refund(4_130, false)).seen).toBe('paid');
    at.pass(2 * hour);
    expect([(await late.refund(4_130, false)).seen, at.taken()]).toEqual(['pending', 4_130]);
    expect((await late.readRefund(4_130)).seen).toBe('pending');
    at.pass(day);
    expect([(await late.readRefund(4_130)).seen, at.taken()]).toEqual(['pending', 0]);
    at.pass(day);
    expect((await late.readRefund(4_130)).seen).toBe('paid');
  }
});

test('55: several parts go back while their sum fits, released in any order, with or without an id at first', async () => {
  for (const [order, answer] of [
    ['as-asked', 'without-id'],
    ['reversed', 'with-id'],
  ] as const) {
    const at = await play({ 'refund-order': order, 'queued-refund': answer });
    const payment = await at.captured();
    at.pass(2 * day);
    for (const cents of [1_000, 2_000, 1_130]) {
      expect((await payment.refund(cents, false, `part${cents}`)).seen).toBe('pending');
    }
    expect(await payment.refund(1, false, 'more')).toEqual({ seen: 'rejected', code: 'AP1300' });
    const other = await at.captured();
    at.pass(2 * day);
    await other.refund(4_000, false, 'most');
    expect(await other.refund(131, false, 'rest')).toEqual({ seen: 'rejected', code: 'AP1302' });
    expect(
      (await at.call('POST', '/reverseTransaction', { id: (await at.preauthOf(other)).id, ...usd(0) })).error
        ?.code,
    ).toBe('AP1303');
    at.pass(day);
    at.pass(day);
    const gone = at.server.bank.ledger.entries.filter(
      (it) => it.reference === payment.reference && it.cents < 0,
    );
    expect(gone.map(({ cents }) => -cents)).toEqual(
      order === 'reversed' ? [1_130, 2_000, 1_000] : [1_000, 2_000, 1_130],
    );
    expect([(await payment.readRefund(1_130)).seen, at.taken(payment.reference)]).toEqual(['paid', 0]);
  }
});

test('57–59: money that the bank took back, on day 2 or 40, is not given back again; collected after all, it is there again', async () => {
  for (const [code, days, late] of [
    ['R01', 2, 'yes'],
    ['R10', 40, 'yes'],
    ['R10', 40, 'no'],
  ] as const) {
    const at = await play({ 'late-return': late });
    const payment = await at.captured();
    at.pass(days * day);
    const isReturned = late === 'yes' || days < 1;
    expect(at.server.bank.returns(payment.reference, code)).toBe(isReturned);
    await payment.look();
    if (!isReturned) {
      expect(payment.status).toBe('captured');
      continue;
    }
    expect([payment.status, payment.last.facts?.returnCode, payment.keptCents]).toEqual([
      'returned',
      code,
      0,
    ]);
    expect(await payment.refund(4_130, false)).toEqual({ seen: 'rejected', code: 'AP1306' });
    expect(at.server.bank.recovers(payment.reference)).toBe(true);
    expect([(await payment.look()).status, payment.keptCents, at.taken()]).toEqual([
      'captured',
      4_130,
      4_130,
    ]);
  }
  // Where the bank would give it back a second time, the service does not ask: nothing of it is left.
  const at = await play({ 'refund-of-declined': 'accept' });
  const payment = await at.captured();
  at.pass(2 * day);
  at.server.bank.returns(payment.reference, 'R01');
  await payment.look();
  expect(payment.state.capturedCents - payment.state.returnedCents).toBe(0);
  expect((await payment.refund(4_130, false)).seen).toBe('pending');
});

test('72: a tip of a payment at once is inside the amount or beside it, and its sum is checked', async () => {
  for (const [value, total] of [
    ['no', 4_630],
    ['yes', 4_130],
  ] as const) {
    const at = await play({ 'bank-amount-has-tip': value });
    const tip = (totalAmount: string) =>
      at.call('POST', '/transaction', {
        ...usd(4_130),
        referenceId: 'tip',
        attributes: { tip: { tipAmount: '5.00', totalAmount } },
      });
    expect((await tip('1.00')).error?.code).toBe('AP308');
    expect((await tip((total / 100).toFixed(2))).error).toBeUndefined();
    expect(at.taken()).toBe(total);
  }
});

test('62–65, 67: webhooks come twice, reversed, late, with a clock that is wrong, and again until they are taken; none decides anything', async () => {
  const heard: { readonly body: string; readonly signature: string }[] = [];
  let status = 200;
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    heard.push({ body, signature: String(request.headers['ap-signature']) });
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
  const topics = [
    'preauthorized_transaction_created',
    'transaction_completed',
    'transaction_declined',
    'transaction_resolved',
  ];
  const open = async (switches: Parameters<typeof play>[0]) => {
    heard.length = 0;
    const at = await play(switches);
    for (const topic of topics) await at.call('POST', '/webhook', { topic, url });
    return at;
  };
  const topicsHeard = () => heard.map(({ body }) => (JSON.parse(body) as { topic: string }).topic);
  // Doubled and reversed: what they name is read, and a read says what is.
  const at = await open({ 'hook-copies': '2', 'hook-order': 'reversed', 'hook-skew-minutes': '-10' });
  const payment = await at.captured();
  at.pass(2 * day);
  at.server.bank.returns(payment.reference, 'R01');
  at.server.bank.recovers(payment.reference);
  await at.server.sendHooks();
  expect(topicsHeard()).toEqual([...topics, ...topics].toReversed());
  for (const { body, signature } of heard) {
    expect(at.bank.events(body, { 'ap-signature': signature }, url)).toEqual([payment.reference]);
    expect((JSON.parse(body) as { date: string }).date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  }
  await payment.look();
  expect([payment.status, payment.keptCents]).toEqual(['captured', at.taken()]);
  // Refused, and tried again five times, up to six hours later; 204 is not taken everywhere.
  for (const [accepts, first, times] of [
    ['2xx', 500, 6],
    ['200', 204, 6],
    ['2xx', 204, 1],
  ] as const) {
    const late = await open({ 'hook-accepts': accepts, 'hook-skew-minutes': '10' });
    status = first;
    await late.agreed();
    for (let minute = 0; minute < 7 * 60; minute += 10) {
      await late.server.sendHooks();
      late.server.advance(600);
    }
    expect(heard).toHaveLength(times);
    status = 200;
  }
  receiver.close();
  await once(receiver, 'close');
});

test('63, U27: a forged webhook names nothing: another signature, address, key or body; names beyond ASCII are signed in either layout', async () => {
  for (const layout of ['escaped', 'raw']) {
    const at = await play({ 'hook-escape': layout });
    const url = 'https://shop.example/events';
    const body = { topic: 'transaction_completed', data: { referenceId: 'ours', userName: 'Zoë Nuñez' } };
    const { body: text, headers } = at.server.bank.signed(url, body);
    expect(at.bank.events(text, headers, url)).toEqual(['ours']);
    const forged: [string, Record<string, string>, string][] = [
      [text, { 'ap-signature': 'f'.repeat(64) }, url],
      [text, {}, url],
      [text, { ...headers }, 'https://shop.example/other'],
      [text.replace('ours', 'another'), { ...headers }, url],
      ['[]', { ...headers }, url],
      [`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, { ...headers }, url],
      ['{', { ...headers }, url],
    ];
    for (const [sent, signed, to] of forged) expect(at.bank.events(sent, signed, to)).toBeNull();
    expect(isSignedByBank(text, headers['ap-signature']!, 'another-key', url)).toBe(false);
  }
});

test('66, 68–69: what no webhook told is found by a read; unknown topics, states and fields harm nothing, and an amount in a webhook is not believed', async () => {
  const at = await play({ 'hook-loss': 'all' });
  const payment = await at.agreed();
  expect([at.server.bank.takeHooks(), (await payment.look()).status]).toEqual([[], 'captured']);
  at.server.bank.marks(payment.reference, 'under_review');
  await payment.look();
  expect([payment.status, payment.last]).toEqual([
    'captured',
    { seen: 'silence', facts: { code: 'under_review' } },
  ]);
  at.server.bank.marks(payment.reference, 'processed');
  const url = 'https://shop.example/events';
  const strange = {
    topic: 'merchant_of_the_month',
    data: { referenceId: payment.reference, ...usd(999_999), extra: [1] },
  };
  const { body, headers } = at.server.bank.signed(url, strange);
  expect(at.bank.events(body, headers, url)).toEqual([payment.reference]);
  expect([(await payment.look()).keptCents, at.taken()]).toEqual([4_130, 4_130]);
  const nothing = at.server.bank.signed(url, { topic: 'user_active', data: { id: 1 } });
  expect(at.bank.events(nothing.body, nothing.headers, url)).toEqual([]);
});

test('71: the report of a day has fees, refunds and what was returned of an earlier week', async () => {
  const at = await play();
  const old = await at.captured();
  at.pass(7 * day);
  at.server.bank.returns(old.reference, 'R10');
  const fresh = await at.captured();
  await fresh.refund(130, false);
  const lines = await at.bank.settlements(new Date(at.clock.now()).toISOString().slice(0, 10));
  expect(lines).toEqual([
    { reference: old.reference, kind: 'return', amountCents: -4_130, feeCents: 0 },
    { reference: fresh.reference, kind: 'payment', amountCents: 4_130, feeCents: 41 },
    { reference: fresh.reference, kind: 'refund', amountCents: -130, feeCents: 0 },
  ]);
});

test('74–75: of two links of an order each pays, if both are agreed to and captured: the service opens one at a time, and cancels what is late', async () => {
  const at = await play();
  const [first, second] = [await at.agreed(), await at.agreed()];
  expect((await first.look()).status).toBe('captured');
  // The order is paid: the other is ended, and charges nothing.
  expect([(await second.cancel()).status, at.taken()]).toEqual(['canceled', 4_130]);
  const late = await at.agreed();
  const { id } = await at.preauthOf(late);
  await at.call('POST', '/capturePreauthTransaction', { id });
  await late.cancel();
  // Too late: it is captured, and a task of the service to give it back.
  expect([late.status, late.keptCents]).toEqual(['captured', 4_130]);
});
