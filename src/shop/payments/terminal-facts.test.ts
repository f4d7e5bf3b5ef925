import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { paymentAccounts } from '../../hosting/payment-servers/payment-server.ts';
import {
  FollowedPayment,
  type PlayedProviders,
  playTerminal,
  saleBody as sale,
} from './played-providers.test-support.ts';

/*
 * What is known of terminals of this kind, statement by statement: the stand-in does it, and the adapter stays right. What else the
 * service makes of it, with orders, tasks and restarts, is in terminal-payments.test.ts and payment-schedules.test.ts.
 */

const played: PlayedProviders[] = [];
afterAll(() => Promise.all(played.map((it) => it.close())));

async function play(switches: Parameters<typeof playTerminal>[0] = {}) {
  const at = await playTerminal(switches);
  played.push(at);
  return at;
}

const atSale = 'POST /v2/Payment/Sale';

test('1–2: a sale holds its connection until the customer acts; a second one is told how long to wait, and harms nothing', async () => {
  const at = await play({ customer: 'waits' });
  const { payment, created } = await at.push();
  expect(await at.codeOf('Status', sale('other'))).toBe('1001');
  for (const type of ['number', 'text', 'missing']) {
    at.server.turn({ 'delay-type': type });
    const busy = (await at.ask('Sale', sale('second'))).GeneralResponse;
    expect([busy.StatusCode, Number(busy.DelayBeforeNextRequest ?? 1) <= 110]).toEqual(['2008', true]);
  }
  const other = await at.pay().create();
  expect([other.status, other.last.facts?.code]).toEqual(['failed', '2008']);
  at.does({ does: 'tap' });
  await created;
  expect([payment.status, at.taken()]).toEqual(['captured', 4_130]);
});

test('3–4: a wrong key, an unknown number, another environment and a terminal without a line are told at once; nothing is recorded', async () => {
  const at = await play();
  for (const status of ['200', '400']) {
    at.server.turn({ 'error-status': status });
    expect(await at.codeOf('Sale', { ...sale('a'), Authkey: 'q8Zr4TnWb3' })).toBe('2002');
    expect(await at.codeOf('Sale', { ...sale('a'), Tpn: '224900017739' })).toBe('2003');
    at.server.terminals.power(at.tpn, 'Offline');
    const refused = await at.pay().create();
    expect([refused.status, refused.last.facts?.code]).toEqual(['failed', '2001']);
    at.server.terminals.power(at.tpn, 'Online');
  }
  at.server.terminals.power(at.tpn, 'Offline');
  expect((await at.terminal.check()).state).toBe('offline');
  expect(at.taken()).toBe(0);
});

test('5: a line that is lost after the card was read is not known, until the terminal is back', async () => {
  const at = await play({ customer: 'waits' });
  const { payment, created } = await at.push();
  at.does({ does: 'tap', losesLine: true });
  at.server.advance(111);
  await created;
  expect([payment.status, payment.last.facts?.code]).toEqual(['unknown', '2007']);
  at.server.terminals.power(at.tpn, 'Online');
  expect((await payment.look()).status).toBe('captured');
});

test('6–7: silence is read, not repeated: captured, if it was; and where nothing was prompted, unknown until it is proven', async () => {
  const at = await play();
  const before = await at.pay().create();
  for (const kind of ['commit-then-hang', 'commit-then-close'] as const) {
    at.server.faults.plan({ kind, at: atSale });
    const payment = at.pay();
    const created = payment.create();
    if (kind === 'commit-then-hang') {
      await at.server.whenHeld();
      at.server.letGo();
    }
    await created;
    expect(payment.status).toBe('unknown');
    await payment.look();
    expect([payment.status, payment.last.facts?.authCode]).toEqual([
      'captured',
      expect.stringMatching(/^\d{6}$/),
    ]);
  }
  at.server.faults.plan({ kind: 'close', at: atSale });
  const never = await at.pay({ askedInBatch: '31' }).create();
  await never.look();
  expect([never.status, never.last.seen]).toEqual(['unknown', 'absent']);
  const knowing = at.terminalIn('31', before.reference);
  await never.look(knowing);
  expect(never.status).toBe('unknown');
  await never.look(knowing);
  expect([never.status, at.taken(never.reference)]).toEqual(['failed', 0]);
});

test('8, 10: a customer who taps late is captured late: after the proxy gave up, and after reads that knew nothing', async () => {
  const at = await play({ customer: 'waits' });
  const { payment, created } = await at.push();
  at.server.advance(111);
  await created;
  expect([payment.status, at.server.terminals.asked(at.tpn)?.reference]).toEqual([
    'unknown',
    payment.reference,
  ]);
  at.does({ does: 'tap', visibleAfterSeconds: 30 });
  expect((await payment.look()).last.seen).toBe('absent');
  at.server.advance(31);
  expect([(await payment.look()).status, at.taken()]).toEqual(['captured', 4_130]);
});

test('9: HTML, and JSON that ends in its middle, say nothing', async () => {
  const at = await play();
  for (const kind of ['commit-then-500', 'commit-then-cut'] as const) {
    at.server.faults.plan({ kind, at: atSale });
    const payment = await at.pay().create();
    expect(payment.status).toBe('unknown');
    expect((await payment.look()).status).toBe('captured');
  }
});

test('11: the proxy waits 120 seconds, 420 for a settlement, or as asked within 1 to 720', async () => {
  const at = await play({ customer: 'waits', 'settle-answer': 'lost' });
  expect(await at.codeOf('Sale', sale('a', { SPInProxyTimeout: 0 }))).toBe('2201');
  expect(await at.codeOf('Sale', sale('a', { SPInProxyTimeout: 721 }))).toBe('2201');
  const held = async (code: Promise<string>, seconds: number) => {
    at.server.advance(seconds - 1);
    const early = await Promise.race([code, at.codeOf('Status', sale('none'))]);
    at.server.advance(1);
    return [early, await code];
  };
  const asked = at.codeOf('Sale', sale('a'));
  await at.server.whenHeld();
  expect(await held(asked, 120)).toEqual(['1001', '2007']);
  at.does({ does: 'tap' });
  const settling = at.codeOf('Settle', {});
  await expect.poll(() => at.server.calls.at(-1)).toBe('POST /v2/Payment/Settle');
  expect(await held(settling, 420)).toEqual(['1001', '2007']);
});

test('12–13: a reference is used once in a batch, whatever its amount; in a later one as the switch says', async () => {
  const at = await play();
  const first = await at.pay().create();
  expect(await at.codeOf('Sale', sale(first.reference, { Amount: 5 }))).toBe('1011');
  // What the adapter is told so, it reads.
  expect((await first.create()).status).toBe('captured');
  expect(at.taken()).toBe(4_130);
  at.server.terminals.closeBatch(at.tpn);
  at.server.turn({ 'reference-in-later-batch': 'refused' });
  expect(await at.codeOf('Sale', sale(first.reference))).toBe('1011');
  at.server.turn({ 'reference-in-later-batch': 'allowed' });
  expect(await at.codeOf('Sale', sale(first.reference))).toBe('0000');
});

test('14: a status with another payment type is found or not; the adapter asks with the same one', async () => {
  for (const value of ['found', 'not-found']) {
    const at = await play({ 'status-of-other-type': value });
    const payment = await at.pay().create();
    const other = { ReferenceId: payment.reference, PaymentType: 'Credit' };
    expect(await at.codeOf('Status', other)).toBe(value === 'found' ? '0000' : '1001');
    expect((await payment.look()).last.seen).toBe('captured');
  }
});

test('15: a decline keeps the code of the host; a PIN that was wrong twice and right then is one record', async () => {
  const at = await play();
  for (const hostCode of ['05', '14', '41', '51', '54', '55', '57', '59', '61', '62', '75']) {
    at.does({ does: 'decline', hostCode });
    const payment = await at.pay().create();
    expect([payment.status, payment.last.facts?.code]).toEqual(['failed', hostCode]);
  }
  for (const does of ['wrong-pin', 'wrong-pin', 'tap'] as const) at.does({ does });
  expect((await at.pay().create()).status).toBe('captured');
  for (const _ of '123') at.does({ does: 'wrong-pin' });
  expect((await at.pay().create()).last.facts?.code).toBe('75');
  const listed = await at.ask('StatusList', {
    PaymentType: 'Card',
    TransactionFromIndex: 1,
    TransactionToIndex: 9,
  });
  expect([at.taken(), (listed.Transactions as unknown as []).length]).toEqual([4_130, 1]);
});

test('16: the customer cancels, or the cashier aborts before the card: nothing is recorded, whatever the sale answers', async () => {
  const at = await play({ customer: 'waits' });
  const first = await at.push();
  at.does({ does: 'cancel' });
  await first.created;
  expect(first.payment.status).toBe('canceled');
  for (const answer of ['1012', '2007', 'close']) {
    at.server.turn({ 'answer-after-abort': answer });
    const { payment, created } = await at.push();
    const aborted = at.codeOf('AbortTransaction', { ReferenceId: payment.reference });
    expect(await aborted).toBe('0000');
    await created;
    expect(payment.status).toBe(answer === '1012' ? 'canceled' : 'unknown');
  }
  expect(at.taken()).toBe(0);
});

test('17: an abort that comes too late proves nothing: what was taken is read, and what was reversed, too', async () => {
  for (const value of ['accepted', 'nothing-running', 'reversed']) {
    const at = await play({ 'late-abort': value });
    const payment = await at.pay().create();
    const code = await at.codeOf('AbortTransaction', { ReferenceId: payment.reference });
    expect(code).toBe(value === 'nothing-running' ? '2301' : '0000');
    await payment.look();
    expect([payment.status, payment.keptCents]).toEqual(
      value === 'reversed' ? ['returned', 0] : ['captured', 4_130],
    );
    expect(payment.keptCents).toBe(at.taken());
  }
});

test('18: an abort with nothing running, or of another sale, stops nothing', async () => {
  const at = await play({ customer: 'waits', 'late-abort': 'nothing-running' });
  expect(await at.codeOf('AbortTransaction', {})).toBe('2301');
  const { payment, created } = await at.push();
  expect(await at.codeOf('AbortTransaction', { ReferenceId: 'another' })).toBe('2301');
  at.does({ does: 'tap' });
  await created;
  expect(payment.status).toBe('captured');
});

test('19: a terminal that sticks after aborts refuses every sale until it is switched off and on', async () => {
  const at = await play({ customer: 'waits', 'sticks-after-aborts': '3' });
  for (const _ of '123') {
    const { payment, created } = await at.push();
    await at.codeOf('AbortTransaction', { ReferenceId: payment.reference });
    await created;
  }
  expect((await at.pay().create()).status).toBe('canceled');
  at.server.terminals.power(at.tpn, 'Online');
  const { payment, created } = await at.push();
  at.does({ does: 'tap' });
  await created;
  expect(payment.status).toBe('captured');
});

test('20–23: what was taken is what is booked: in part, with tip, cash back and a fee of the terminal, in each shape of the answer', async () => {
  for (const shape of ['object', 'array', 'missing']) {
    const at = await play({ 'extended-data': shape });
    at.does({ does: 'tap', approvedCents: 3_000, tipCents: 300, feeCents: 99 });
    const part = await at.pay().create();
    expect(part.state).toMatchObject({ capturedCents: 3_000, tipCents: 300, providerFeeCents: 99 });
    expect(await at.codeOf('Status', sale(part.reference))).toBe('0001');
    at.does({ does: 'tap', cashBackCents: 2_000 });
    const back = await at.pay().create();
    // Where the answer does not tell it from the sale, it is more than was due, and goes back by a task.
    expect(back.state).toMatchObject(
      shape === 'missing'
        ? { capturedCents: 6_130, appliedCents: 4_130 }
        : { capturedCents: 4_130, cashBackCents: 2_000 },
    );
    expect(part.keptCents + back.keptCents).toBe(at.taken());
  }
  // A tip that the request names is inside the amount or beside it.
  for (const [value, cents] of [
    ['yes', 4_130],
    ['no', 4_630],
  ] as const) {
    const at = await play({ 'tip-in-amount': value });
    const { Amounts } = await at.ask('Sale', sale('tipped', { TipAmount: 5 }));
    expect([Amounts, at.taken()]).toEqual([
      expect.objectContaining({ TipAmount: 5, TotalAmount: cents / 100 }),
      cents,
    ]);
  }
});

test('33: a terminal without paper has taken the money', async () => {
  const at = await play();
  at.does({ does: 'tap', paperOut: true });
  const payment = await at.pay().create();
  expect([payment.status, payment.last.facts?.code]).toEqual(['unknown', '1006']);
  expect((await payment.look()).status).toBe('captured');
});

test('33: a slip is printed again by a question about its payment: no money moves, and what keeps it from paper is told', async () => {
  const at = await play();
  const payment = await at.pay().create();
  const print = () => at.terminal.printSlip!(payment.asked);
  expect(await print()).toEqual({ seen: 'printed' });
  expect(await print()).toEqual({ seen: 'printed' });
  at.server.terminals.paper(at.tpn, false);
  expect(await print()).toMatchObject({ seen: 'refused', code: '1006' });
  at.server.terminals.paper(at.tpn, true);
  at.server.terminals.power(at.tpn, 'Offline');
  expect(await print()).toMatchObject({ seen: 'refused', code: '2001' });
  at.server.terminals.power(at.tpn, 'Online');
  at.server.turn({ 'slip-again': 'refused' });
  expect(await print()).toMatchObject({ seen: 'refused', code: '1003' });
  at.server.turn({ 'slip-again': 'printed' });
  at.server.faults.plan({ kind: 'close', at: 'POST /v2/Payment/Status' });
  expect(await print()).toEqual({ seen: 'silence' });
  at.server.terminals.closeBatch(at.tpn);
  expect(await print()).toMatchObject({ seen: 'gone', code: '1001' });
  at.server.turn({ 'status-after-close': 'found' });
  expect(await print()).toEqual({ seen: 'printed' });
  const { reference } = payment;
  expect([at.server.terminals.printed(at.tpn), at.taken()]).toEqual([
    [reference, reference, reference],
    4_130,
  ]);
});

test('34, 37, 39: codes and amounts as numbers or texts, exact to the cent, and no time of the terminal to depend on', async () => {
  const at = await play();
  for (const [code, amount] of [
    ['text', 'text'],
    ['number', 'number'],
  ] as const) {
    at.server.turn({ 'code-type': code, 'amount-type': amount });
    for (const cents of [1, 99_999, 1_000_000]) {
      const payment = await new FollowedPayment(at.terminal, cents).create();
      expect([payment.state.capturedCents, at.taken(payment.reference)]).toEqual([cents, cents]);
    }
  }
  expect((await new FollowedPayment(at.terminal, 0).create()).last.facts?.code).toBe('1013');
  expect(JSON.stringify(await at.ask('Sale', sale('plain')))).not.toMatch(/\d\d:\d\d|20\d\d-/);
});

test('35: no answer has a full card number; fields that are not known are refused where the proxy is strict', async () => {
  const at = await play({ 'unknown-fields': 'refused' });
  expect((await at.pay().create()).status).toBe('captured');
  expect(await at.codeOf('Sale', sale('surprise', { Surprise: true }))).toBe('2201');
  at.server.turn({ 'unknown-fields': 'ignored' });
  expect(JSON.stringify(await at.ask('Sale', sale('surprise', { Surprise: true })))).not.toMatch(/\d{13}/);
});

test('36: a callback that was asked for comes after the answer, before it, twice or instead of it, with all or with parts', async () => {
  const bodies: string[] = [];
  const receiver = createServer(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const CallbackInfo = { Url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` };
  for (const [callback, time, told, code] of [
    ['none', 'after', 0, '0000'],
    ['same', 'after', 1, '0000'],
    ['partial', 'before', 1, '0000'],
    ['same', 'twice', 2, '0000'],
    ['same', 'instead', 1, '2007'],
  ] as const) {
    bodies.length = 0;
    const at = await play({ callback, 'callback-time': time });
    const answered = at.codeOf('Sale', sale('called', { CallbackInfo }));
    await expect.poll(() => at.taken()).toBe(4_130);
    await at.server.sendHooks();
    at.server.advance(120);
    expect([await answered, bodies.length]).toEqual([code, told]);
    for (const body of bodies) {
      expect(JSON.parse(body)).toMatchObject({
        ReferenceId: 'called',
        GeneralResponse: { StatusCode: '0000' },
      });
      expect(body.includes('AuthCode')).toBe(callback === 'same');
    }
  }
  receiver.close();
  await once(receiver, 'close');
});

test('38: a push to one terminal never shows on another; a number that two devices have is refused', async () => {
  const at = await play({ customer: 'waits' });
  const { payment, created } = await at.push();
  const other = paymentAccounts.terminals[1].tpn;
  expect([at.server.terminals.asked(other), await at.codeOf('Status', sale(payment.reference), 1)]).toEqual([
    null,
    '1001',
  ]);
  at.does({ does: 'tap' });
  await created;
  at.server.terminals.power(at.tpn, 'Twice');
  const refused = await at.pay().create();
  expect([refused.status, refused.last.facts?.code, (await at.terminal.check()).state]).toEqual([
    'failed',
    '2005',
    'refused',
  ]);
});

test('40: after a restart what was being sent is unknown, and is resolved by a read: nothing is charged again', async () => {
  const at = await play();
  const payment = at.pay();
  // The process ends with the call: nothing of its answer is known, and nothing is sent by the next one.
  at.server.faults.plan({ kind: 'commit-then-close', at: atSale });
  await payment.create();
  const sales = () => at.server.calls.filter((call) => call === atSale).length;
  const before = sales();
  await payment.look(at.terminalIn('31', payment.reference));
  expect([payment.status, sales(), at.taken()]).toEqual(['captured', before, 4_130]);
});
