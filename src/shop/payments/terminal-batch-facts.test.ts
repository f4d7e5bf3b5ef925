import { afterAll, expect, test } from 'vitest';
import { type PlayedProviders, playTerminal, saleBody as sale } from './played-providers.test-support.ts';
import { voidSeen } from './terminal-answers.ts';
import { terminalKind } from './terminal-provider.ts';

/* What is known of the batch of a terminal, statement by statement: tips, voids, returns, and how it is closed. */

const played: PlayedProviders[] = [];
afterAll(() => Promise.all(played.map((it) => it.close())));

async function play(switches: Parameters<typeof playTerminal>[0] = {}) {
  const at = await playTerminal(switches);
  played.push(at);
  return at;
}

const atSale = 'POST /v2/Payment/Sale';

test('24: a tip is replaced and never added, on credit of the open batch, by who knows the card; on debit as the switch says', async () => {
  const at = await play();
  const credit = 'credit';
  expect(await at.codeOf('Sale', sale(credit, { PaymentType: 'Credit' }))).toBe('0000');
  const debit = (await at.pay().create()).reference;
  const adjust = (ReferenceId: string, TipAmount: number, CardLast4 = '0017') =>
    at.codeOf('TipAdjust', { ReferenceId, Amount: 41.3, TipAmount, CardLast4, PaymentType: 'Credit' });
  expect(await adjust(credit, 5, '9999')).toBe('1001');
  expect([await adjust(credit, 5), await adjust(credit, 5), at.taken(credit)]).toEqual([
    '0000',
    '0000',
    4_630,
  ]);
  expect([await adjust(credit, 2), at.taken(credit)]).toEqual(['0000', 4_330]);
  for (const value of ['1003', '1004', 'allow']) {
    at.server.turn({ 'debit-tip-adjust': value });
    expect(await adjust(debit, 5)).toBe(value === 'allow' ? '0000' : value);
  }
  at.server.terminals.closeBatch(at.tpn);
  expect(await adjust(credit, 1)).toBe('1001');
});

test('25: a void has one effect, in its batch, of the same amount; on debit as the switch says', async () => {
  for (const value of ['1004', '1008', 'allow']) {
    const at = await play({ 'debit-void': value });
    const payment = await at.pay().create();
    const refund = await payment.refund(4_130, false);
    expect(refund).toEqual(value === 'allow' ? { seen: 'paid' } : { seen: 'needs-card', code: value });
    expect(at.taken()).toBe(value === 'allow' ? 0 : 4_130);
    expect((await payment.readRefund(4_130)).seen).toBe(value === 'allow' ? 'paid' : 'absent');
  }
  const at = await play({ 'debit-void': 'allow' });
  const payment = await at.pay().create();
  const voids = (Amount: number) => at.codeOf('Void', sale(payment.reference, { Amount }));
  expect([await voids(40), await voids(41.3), await voids(41.3), at.taken()]).toEqual([
    '1013',
    '0000',
    '1001',
    0,
  ]);
  const second = await at.pay().create();
  at.server.terminals.closeBatch(at.tpn);
  expect(await at.codeOf('Void', sale(second.reference))).toBe('1001');
});

test('25: money goes back once: a void without a clear answer is asked about, and what was voided at the terminal is not returned, too', async () => {
  for (const fault of ['commit-then-500', 'commit-then-close'] as const) {
    for (const hasCard of [true, false]) {
      const at = await play({ 'debit-void': 'allow' });
      const payment = await at.pay().create();
      at.server.faults.plan({ kind: fault, at: 'POST /v2/Payment/Void' });
      expect((await payment.refund(4_130, hasCard)).seen).toBe('silence');
      expect([(await payment.readRefund(4_130)).seen, at.taken()]).toEqual(['paid', 0]);
    }
  }
  for (const cents of [4_130, 1_000]) {
    const at = await play({ 'debit-void': 'allow' });
    const payment = await at.pay().create();
    expect(await at.codeOf('Void', sale(payment.reference))).toBe('0000');
    expect([await payment.refund(cents, true), at.taken()]).toEqual([{ seen: 'paid' }, 0]);
  }
});

test('a void is refused by a clear word only: a silent host, a printer without paper and a lost line are none', () => {
  const seenOf = (code: string) => voidSeen({ code, body: {} });
  expect(seenOf('0000')).toBe('done');
  for (const code of ['1001', '1004', '1008', '1013', '1015', '2001', '2008', '2009']) {
    expect([code, seenOf(code)]).toEqual([code, 'refused']);
  }
  for (const code of ['0001', '1006', '1012', '1014', '1018', '1030', '1999', '2007', '2010', '4321']) {
    expect([code, seenOf(code)]).toEqual([code, 'silence']);
  }
});

test('a return that is canceled, or was interrupted after the card, is looked at once more', async () => {
  const at = await play({ customer: 'waits' });
  const { payment, created } = await at.push();
  at.does({ does: 'tap' });
  await created;
  const canceled = payment.refund(1_000, true, 'r1');
  await at.server.whenHeld();
  at.does({ does: 'cancel' });
  expect(await canceled).toEqual({ seen: 'rejected', code: '1012' });
  const answers = ['1001', '1012', '0000'].map((StatusCode) =>
    JSON.stringify({ GeneralResponse: { StatusCode }, Amounts: { TotalAmount: 10 } }),
  );
  const account = { baseUrl: '', account: {}, secrets: {}, batch: null, batchReference: null };
  const interrupted = terminalKind.open(
    account,
    async () => ({ status: 200, text: answers.shift()! }),
    () => 0,
  );
  const given = { reference: 'r2', amountCents: 1_000, isWhole: false, hasCard: true };
  expect(await interrupted.refund(payment.asked, given)).toEqual({ seen: 'paid' });
});

test('26–28: once a batch has closed, money goes back by a return with the card, of any amount; its silence is read like that of a sale', async () => {
  const at = await play({ customer: 'waits' });
  const { payment, created } = await at.push();
  at.does({ does: 'tap' });
  await created;
  at.server.terminals.closeBatch(at.tpn);
  expect((await payment.refund(4_130, false)).seen).toBe('needs-card');
  const returning = payment.refund(4_130, true);
  await at.server.whenHeld();
  expect(at.server.terminals.asked(at.tpn)).toEqual({ reference: `r${payment.reference}`, cents: 4_130 });
  at.does({ does: 'tap' });
  expect([(await returning).seen, at.taken()]).toEqual(['paid', 0]);
  // More than was ever taken: the service must have prevented it.
  at.server.turn({ customer: 'taps' });
  expect([await at.codeOf('Return', sale('more', { Amount: 99 })), at.taken()]).toEqual(['0000', -9_900]);
  at.server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/Payment/Return' });
  expect((await payment.refund(100, true, 'r2')).seen).toBe('silence');
  expect((await payment.readRefund(100, 'r2')).seen).toBe('paid');
  at.server.faults.plan({ kind: 'close', at: 'POST /v2/Payment/Return' });
  expect((await payment.refund(100, true, 'r3')).seen).toBe('silence');
  expect((await payment.readRefund(100, 'r3')).seen).toBe('absent');
  at.does({ does: 'tap', visibleAfterSeconds: 60 });
  at.server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/Payment/Return' });
  await payment.refund(100, true, 'r4');
  expect((await payment.readRefund(100, 'r4')).seen).toBe('absent');
  at.server.advance(61);
  expect((await payment.readRefund(100, 'r4')).seen).toBe('paid');
});

test('29: a batch is settled by application, and not while something is left in it', async () => {
  const at = await play({ customer: 'waits' });
  const settle = (more = {}) => at.codeOf('Settle', more);
  expect(await settle()).toBe('1020');
  const { created } = await at.push();
  expect(await settle()).toBe('1000');
  at.does({ does: 'tap' });
  await created;
  for (const [left, code] of [
    ['untipped', '1022'],
    ['open-tab', '1023'],
    ['offline-items', '1021'],
  ] as const) {
    at.server.terminals.hinder(at.tpn, left);
    expect(await settle()).toBe(code);
  }
  at.does({ does: 'tap' });
  await at.ask('Sale', sale('credit', { PaymentType: 'Credit' }));
  at.server.terminals.hinder(at.tpn, null, 'Credit');
  expect(await settle()).toBe('0001');
  expect(await settle()).toBe('1015');
  at.server.terminals.hinder(at.tpn, null);
  for (const [type, good, bad] of [
    ['boolean', true, 'No'],
    ['string', 'No', true],
  ] as const) {
    at.server.turn({ 'settle-receipt': type });
    expect(await settle({ GetReceipt: bad })).toBe('1007');
    if (type === 'string') expect(await settle({ GetReceipt: good })).toBe('0000');
  }
});

test('30: a batch closes by itself, before or after a sale that is under way; numbers begin again', async () => {
  for (const [value, batch] of [
    ['after-sale', '31'],
    ['at-once', '32'],
  ] as const) {
    const at = await play({ customer: 'waits', 'auto-close': value });
    at.server.terminals.closeBatchIn(at.tpn, 10);
    const { payment, created } = await at.push();
    at.server.advance(11);
    at.does({ does: 'tap' });
    await created;
    expect(payment.last.facts?.batch).toBe(batch);
    at.server.advance(0);
    at.server.turn({ customer: 'taps' });
    const { BatchNumber, TransactionNumber } = await at.ask('Sale', sale('next'));
    expect([BatchNumber, TransactionNumber]).toEqual(['32', value === 'at-once' ? '2' : '1']);
  }
});

test('31: a settlement whose answer is lost is told by the next one, and by the report', async () => {
  const at = await play({ 'settle-answer': 'lost' });
  await at.pay().create();
  const settling = at.codeOf('Settle', {});
  await expect.poll(() => at.server.calls.at(-1)).toBe('POST /v2/Payment/Settle');
  at.server.advance(420);
  expect([await settling, await at.codeOf('Settle', {})]).toEqual(['2007', '1020']);
  const report = await at.ask('Report/Summary', {});
  expect(report.SettleDetails).toMatchObject([
    { TransactionsReports: { TransactionsCount: 1, SaleAmount: 41.3 } },
  ]);
});

test('32: the list of a batch is in the order of its indexes, omits nothing, and survives a range beyond its end', async () => {
  const at = await play();
  const references = [(await at.pay().create()).reference, (await at.pay().create()).reference];
  const list = async (TransactionFromIndex: number, TransactionToIndex: number) => {
    const reply = await at.ask('StatusList', {
      PaymentType: 'Card',
      TransactionFromIndex,
      TransactionToIndex,
    });
    const rows = (reply.Transactions ?? []) as readonly { readonly ReferenceId: string }[];
    return [reply.GeneralResponse.StatusCode, rows.map(({ ReferenceId }) => ReferenceId)];
  };
  expect(await list(1, 5_000)).toEqual(['0000', references]);
  expect(await list(2, 2)).toEqual(['0000', [references[1]]]);
  expect(await list(9, 12)).toEqual(['0000', []]);
  expect(await list(0, 3)).toEqual(['1013', []]);
});

test('U12: a batch is closed by the adapter with its list, or without; by its totals, their parts, or no sums at all', async () => {
  for (const [name, value, lines, totalCents] of [
    ['batch-list', 'given', 1, 4_130],
    ['batch-list', 'refused', null, 4_130],
    ['batch-sums', 'parts', 1, 4_130],
    ['batch-sums', 'missing', 1, null],
  ] as const) {
    const at = await play({ [name]: value });
    await at.pay().create();
    const closed = await at.terminal.closeBatch!();
    expect([closed.seen, closed.lines?.length ?? null, closed.totalCents]).toEqual([
      'closed',
      lines,
      totalCents,
    ]);
    expect((await at.terminal.closeBatch!()).seen).toBe('none');
  }
});

test('a batch that has closed takes its payments with it, or still knows them; a sale that no request waits for is found late', async () => {
  for (const value of ['not-found', 'found']) {
    const at = await play({ 'status-after-close': value });
    at.server.faults.plan({ kind: 'commit-then-close', at: atSale });
    const payment = await at.pay().create();
    at.server.terminals.closeBatch(at.tpn);
    await payment.look();
    expect(payment.status).toBe(value === 'found' ? 'captured' : 'unknown');
  }
  // A terminal without a line keeps the sale, and asks the customer once it is back.
  const at = await play({ 'ghost-prompt-seconds': '20' });
  at.server.terminals.power(at.tpn, 'Offline');
  const ghost = await at.pay().create();
  expect(ghost.status).toBe('failed');
  at.server.terminals.power(at.tpn, 'Online');
  at.server.advance(21);
  expect([(await ghost.look()).status, ghost.keptCents]).toEqual(['captured', at.taken()]);
});
