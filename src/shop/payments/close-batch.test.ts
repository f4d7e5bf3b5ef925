import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { compareBatch } from './close-batch.ts';
import { openPayingShop } from './paying-shop.test-support.ts';

const service = await startTestService();
const at = await openPayingShop(service, {
  switches: { 'debit-void': 'allow', 'debit-tip-adjust': 'allow' },
});
afterAll(async () => {
  await at.server.close();
  await service.close();
});
const { server, tpn } = at;

const { data: connections } = await at.manager.call('GET', '/staff/v1/payment-connections');
const idOf = (provider: string) =>
  connections.find((it: { provider: string }) => it.provider === provider).id;
const path = `/staff/v1/payment-connections/${idOf('terminal')}/settlements`;
const close = () => at.manager.call('POST', path, {});
const sold = async () => at.ask((await at.placed()).id, at.debit);
const referenceOf = async (id: number) => {
  const { database } = service.context;
  const [row] = await tenantSql(
    database,
    at.shop.organizationId,
    'select reference from payment_intents where id = $1',
    id,
  );
  return String(row!.reference);
};
/** Something that is done at the terminal by hand, beside the program. */
const byHand = (action: string, ReferenceId: string, Amount: number, more = {}) =>
  fetch(`${server.url}/v2/Payment/${action}`, {
    method: 'POST',
    body: JSON.stringify({ ...at.terminalKeys, PaymentType: 'Debit', ReferenceId, Amount, ...more }),
  });
const rows = async () =>
  (await at.tasks())
    .filter(({ kind }) => kind === 'settlement')
    .map(({ reason, amount, orderId }) => [reason, amount, orderId]);
/** People have seen to all of them. */
const done = async () => {
  for (const { id } of await at.tasks()) {
    await at.manager.call('POST', `/staff/v1/payment-tasks/${id}/done`, { note: 'Seen to' });
  }
};
const statusOf = async (id: number) => (await at.read(id)).status;

test('a batch that holds what our books hold is settled; closed twice, the second time finds nothing', async () => {
  server.terminals.customer(tpn, { does: 'tap', tipCents: 250 });
  const [tipped, plain] = [await sold(), await sold()];
  const { status, data } = await close();
  expect([status, data]).toEqual([
    200,
    expect.objectContaining({ payments: 7250, refunds: 0, net: 7250, differences: 0, agreedFees: null }),
  ]);
  expect([await statusOf(tipped.id), await statusOf(plain.id), await rows()]).toEqual([
    'settled',
    'settled',
    [],
  ]);
  expect((await close()).data).toMatchObject({ payments: 0, net: 0, differences: 0 });
  expect(await rows()).toEqual([]);
  // Two who close at once compare it once.
  await sold();
  const both = await Promise.all([close(), close()]);
  expect(both.map(({ data: it }) => it.net).toSorted()).toEqual([0, 3500]);
  expect(await rows()).toEqual([]);
});

test('a payment that the batch lacks, one that is not ours and one of another amount are rows with their orders, once', async () => {
  const [fits, lacks, other] = [await sold(), await sold(), await sold()];
  await byHand('Void', await referenceOf(lacks.id), 35);
  await byHand('Sale', 'stranger', 9.99);
  await byHand('TipAdjust', await referenceOf(other.id), 35, { TipAmount: 1, CardLast4: '0017' });
  const { data } = await close();
  expect(data).toMatchObject({ payments: 3500 + 3600 + 999, net: 8099, differences: 3 });
  expect(new Set(await rows())).toEqual(
    new Set([
      ['not-ours', 999, null],
      ['amount-differs', 100, other.orderId],
      ['not-paid-out', 3500, lacks.orderId],
    ]),
  );
  expect([await statusOf(fits.id), await statusOf(lacks.id)]).toEqual(['settled', 'captured']);
  await done();
  // What people were told of is theirs: the next batch is compared without it.
  await sold();
  expect((await close()).data).toMatchObject({ net: 3500, differences: 0 });
  expect(await rows()).toEqual([]);
});

test('what was returned with the card on another day, and what was voided, fits its batch', async () => {
  const returned = await sold();
  await close();
  const [voided, kept] = [await sold(), await sold()];
  for (const { orderId } of [returned, voided]) {
    await at.manager.call('POST', `/staff/v1/orders/${orderId}/cancel`, { reason: 'Changed their mind' });
  }
  for (const { id, kind } of await at.tasks()) {
    if (kind !== 'refund') continue;
    await at.manager.call('POST', `/staff/v1/payment-tasks/${id}/refund`, { hasCard: true });
    await at.idle();
  }
  expect([await statusOf(returned.id), await statusOf(voided.id)]).toEqual(['refunded', 'refunded']);
  expect((await close()).data).toMatchObject({ payments: 3500, refunds: -3500, net: 0, differences: 0 });
  expect([await statusOf(kept.id), await rows()]).toEqual(['settled', []]);
});

test('a terminal that is silent, busy or waits for tips has closed nothing, and says so; an answer that is lost is found', async () => {
  const { id } = await sold();
  const refused = async () => (await close()).error;
  for (const fault of ['close', 'close'] as const)
    server.faults.plan({ kind: fault, at: 'POST /v2/Payment/Settle' });
  expect(await refused()).toMatchObject({
    code: 'PAYMENT_NOT_REPORTED',
    message: expect.stringContaining('did not answer'),
  });
  server.terminals.power(tpn, 'Offline');
  expect(await refused()).toMatchObject({
    code: 'PAYMENT_NOT_REPORTED',
    message: expect.stringContaining('2001'),
  });
  server.terminals.power(tpn, 'Online');
  server.terminals.hinder(tpn, 'untipped');
  expect(await refused()).toMatchObject({
    message: expect.stringContaining('Enter their tips first. (1022)'),
  });
  server.terminals.hinder(tpn, null);
  expect([await statusOf(id), await rows()]).toEqual(['captured', []]);
  server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/Payment/Settle' });
  expect((await close()).data).toMatchObject({ net: 3500, differences: 0 });
  expect([await statusOf(id), await rows()]).toEqual(['settled', []]);
});

test('a batch that closed by itself, or that lists nothing, is compared by its total; one payment that explains a difference is named', async () => {
  const { id } = await sold();
  server.terminals.closeBatch(tpn);
  expect((await close()).data).toMatchObject({ net: 3500, differences: 0 });
  expect(await statusOf(id)).toBe('settled');
  // One has closed by itself, and another was begun: both are compared. What is in doubt explains its difference.
  const earlier = await sold();
  server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/Payment/Sale' });
  const doubtful = await sold();
  server.terminals.closeBatch(tpn);
  const later = await sold();
  expect((await close()).data).toMatchObject({ net: 10_500, differences: 1 });
  expect([
    await statusOf(earlier.id),
    await statusOf(doubtful.id),
    await statusOf(later.id),
    await rows(),
  ]).toEqual([...['captured', 'unknown', 'settled'], [['batch-differs', 3500, doubtful.orderId]]]);
  await done();
  // The batch that follows lists nothing, and lacks one of ours.
  server.turn({ 'batch-list': 'refused' });
  server.terminals.customer(tpn, { does: 'tap', tipCents: 100 });
  const [lacks] = [await sold(), await sold()];
  await byHand('Void', await referenceOf(lacks.id), 36);
  expect((await close()).data).toMatchObject({ net: 3500, differences: 1 });
  expect(await rows()).toEqual([['batch-differs', -3600, lacks.orderId]]);
  await done();
  await sold();
  expect((await close()).data).toMatchObject({ net: 3500, differences: 0 });
  server.turn({ 'batch-list': 'given' });
});

test('a batch of which a host settles only a part is compared in two parts', async () => {
  const debit = await sold();
  await byHand('Sale', 'credit', 5, { PaymentType: 'Credit' });
  server.terminals.hinder(tpn, null, 'Debit');
  expect((await close()).data).toMatchObject({ net: 500, differences: 1 });
  expect([await rows(), await statusOf(debit.id)]).toEqual([[['not-ours', 500, null]], 'captured']);
  server.terminals.hinder(tpn, null);
  expect((await close()).data).toMatchObject({ net: 3500, differences: 0 });
  expect(await statusOf(debit.id)).toBe('settled');
  await done();
});

test('the worker closes it once the business day is over, and again an hour later where the terminal was off', async () => {
  const { id } = await sold();
  const settledDay = async () =>
    (await at.manager.call('GET', '/staff/v1/payment-connections')).data.find(
      (it: { provider: string }) => it.provider === 'terminal',
    ).settledDay;
  const before = await settledDay();
  server.terminals.power(tpn, 'Offline');
  await at.later(24 * 3_600);
  expect([await statusOf(id), await settledDay()]).toEqual(['captured', before]);
  server.terminals.power(tpn, 'Online');
  await at.later(1_800);
  expect(await statusOf(id)).toBe('captured');
  await at.later(1_801);
  expect([await statusOf(id), await settledDay()]).toEqual(['settled', before]);
  expect(await rows()).toEqual([]);
  expect((await at.manager.call('POST', path, { day: '2026-03-01' })).error).toMatchObject({
    code: 'INVALID_PARAMS',
  });
  const ofBank = path.replace(String(idOf('terminal')), String(idOf('bank')));
  expect((await at.manager.call('POST', ofBank, {})).error).toMatchObject({ code: 'INVALID_PARAMS' });
});

test('whatever a batch holds, its lines add up to its total, and its rows to the difference from our books', () => {
  const cents = fc.integer({ min: -5_000, max: 5_000 });
  const reference = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const batch = fc.record({
    lines: fc.option(
      fc.uniqueArray(fc.tuple(reference, cents), { selector: ([name]) => name, maxLength: 5 }),
    ),
    books: fc.uniqueArray(fc.tuple(reference, cents), { selector: ([name]) => name, maxLength: 5 }),
    totalCents: fc.option(cents),
    isNone: fc.boolean(),
  });
  fc.assert(
    fc.property(batch, ({ lines, books, totalCents, isNone }) => {
      const listed = lines?.map(([name, amountCents]) => {
        return { reference: name, kind: 'payment' as const, amountCents, feeCents: 0 };
      });
      const sum = (all: readonly { readonly amountCents: number }[]) =>
        all.reduce((total, { amountCents }) => total + amountCents, 0);
      const compared = compareBatch({
        seen: {
          ...{
            seen: isNone ? 'none' : 'closed',
            batch: '31',
            leftOpen: [],
            totalCents,
            beforeCents: totalCents,
          },
          lines: isNone ? null : (listed ?? null),
        },
        books: books.map(([name, own], index) => ({
          ...{ references: [name], intentId: index, orderId: name, status: 'captured' as const, cents: own },
          ...{ batch: '31', askedCents: own },
        })),
        ...{ reported: [], told: [], batchBefore: '31', day: '2026-03-02' },
      });
      const booked = books.reduce((total, [, own]) => total + own, 0);
      fc.pre(!isNone || books.some(([, own]) => own !== 0));
      const known = isNone || listed === undefined ? booked : sum(listed);
      expect(sum(compared.lines)).toBe(totalCents ?? known);
      const over = compared.differences.reduce(
        (total, { reason, amountCents }) => total + (reason === 'not-paid-out' ? -amountCents : amountCents),
        0,
      );
      expect(over).toBe(sum(compared.lines) - booked);
    }),
  );
});
