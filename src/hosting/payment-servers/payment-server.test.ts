import { afterAll, expect, test } from 'vitest';
import { ManualClock } from '../../kernel/clock.ts';
import { paymentAccounts, startPaymentServer } from './payment-server.ts';

/* What the stand-in does beyond what the adapters of the service ask of it: for integrators, and for switches of what is not known. */

const server = await startPaymentServer({ clock: new ManualClock(Date.parse('2026-03-01T18:00:00Z')) });
afterAll(() => server.close());

const [{ tpn, authkey }] = paymentAccounts.terminals;
let references = 0;

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}`, {
    ...{ method, headers: { 'content-type': 'application/json', ...headers } },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, never> & {
    readonly GeneralResponse: { readonly StatusCode: string };
    readonly error?: { readonly code: string };
  };
}

const ask = async (action: string, body: object) =>
  call('POST', `/v2/Payment/${action}`, { Tpn: tpn, Authkey: authkey, ...body });
const codeOf = async (action: string, body: object) => (await ask(action, body)).GeneralResponse.StatusCode;

async function sold(PaymentType: string): Promise<string> {
  references += 1;
  const ReferenceId = `reference${references}`;
  expect(await codeOf('Sale', { ReferenceId, PaymentType, Amount: 41.3 })).toBe('0000');
  return ReferenceId;
}

test('a tip is replaced and never added, on credit of the open batch, by who knows the card; on debit as the switch says', async () => {
  const [credit, debit] = [await sold('Credit'), await sold('Debit')];
  const taken = () => server.terminals.ledger.entries.reduce((sum, { cents }) => sum + cents, 0);
  const adjust = (ReferenceId: string, TipAmount: number, CardLast4 = '0017') =>
    codeOf('TipAdjust', { ReferenceId, Amount: 41.3, TipAmount, CardLast4, PaymentType: 'Credit' });
  expect(await adjust(credit, 5, '9999')).toBe('1001');
  expect([await adjust(credit, 5), await adjust(credit, 5), taken()]).toEqual(['0000', '0000', 8_760]);
  expect([await adjust(credit, 2), taken()]).toEqual(['0000', 8_460]);
  expect(await adjust(debit, 5)).toBe('1003');
  server.turn({ 'debit-tip-adjust': '1004' });
  expect(await adjust(debit, 5)).toBe('1004');
  server.terminals.closeBatch(tpn);
  expect(await adjust(credit, 1)).toBe('1001');
});

test('the list of a batch is in the order of its indexes, omits nothing, and survives a range beyond its end', async () => {
  const references = [await sold('Debit'), await sold('Debit'), await sold('Credit')];
  const list = async (TransactionFromIndex: number, TransactionToIndex: number) => {
    const reply = await ask('StatusList', { PaymentType: 'Card', TransactionFromIndex, TransactionToIndex });
    const rows = (reply.Transactions ?? []) as readonly { readonly ReferenceId: string }[];
    return [reply.GeneralResponse.StatusCode, rows.map(({ ReferenceId }) => ReferenceId)];
  };
  expect(await list(1, 5_000)).toEqual(['0000', references]);
  expect(await list(2, 2)).toEqual(['0000', [references[1]]]);
  expect(await list(9, 12)).toEqual(['0000', []]);
  expect(await list(0, 3)).toEqual(['1013', []]);
});

test('a status with another payment type, and a field that is not known, are answered as the switches say', async () => {
  const ReferenceId = await sold('Debit');
  const other = { ReferenceId, PaymentType: 'Credit' };
  expect(await codeOf('Status', other)).toBe('0000');
  server.turn({ 'status-of-other-type': 'not-found', 'unknown-fields': 'refused' });
  expect(await codeOf('Status', other)).toBe('1001');
  expect(await codeOf('Status', { ReferenceId, PaymentType: 'Debit' })).toBe('0000');
  const sale = { ReferenceId: 'another', PaymentType: 'Debit', Amount: 1 };
  expect(await codeOf('Sale', { ...sale, Surprise: true })).toBe('2201');
  expect(await codeOf('Sale', { ...sale, Amount: 0 })).toBe('1013');
  for (const Amount of [0.01, 999.99, 10_000]) {
    const exact = await ask('Sale', { ...sale, ReferenceId: `exact${Amount * 100}`, Amount });
    expect(exact.Amounts).toMatchObject({ TotalAmount: Amount });
  }
});

test('an authorization is lowered, never raised; a customer who may not pay is refused with status 200; a key says what it did', async () => {
  const { apiKey, apiSecret, merchantId } = paymentAccounts.bank;
  const token = await call('POST', '/v2/token', { apiKey, apiSecret, scope: 'merchant', id: merchantId });
  const bank = (method: string, path: string, body?: object, headers = {}) =>
    call(method, `/v2${path}`, body, { authorization: `Bearer ${String(token.token)}`, ...headers });
  const amount = (cents: number) => ({ amount: { amount: cents, currency: 'USD' } });
  await bank('POST', '/paymentLink', { merchantId, ...amount(4_130), referenceId: 'one' });
  expect([server.bank.confirm('one'), server.bank.confirm('one')]).toEqual([true, false]);
  const listed = (await bank('GET', '/preauthTransactions')).preauthTransactions as unknown as {
    id: string;
  }[];
  const [{ id }] = listed as [{ id: string }];
  expect((await bank('PATCH', `/preauthTransaction/${id}`, amount(4_131))).error?.code).toBe('AP308');
  expect((await bank('PATCH', `/preauthTransaction/${id}`, amount(3_000))).error).toBeUndefined();
  for (const code of ['AP109', 'AP300', 'AP302', 'AP307'] as const) {
    server.bank.refuses(code);
    expect((await bank('POST', '/capturePreauthTransaction', { id })).error?.code).toBe(code);
  }
  server.bank.refuses(null);
  const captured = await bank('POST', '/capturePreauthTransaction', { id });
  expect(captured.transaction).toMatchObject(amount(3_000));
  expect((await bank('PATCH', `/preauthTransaction/${id}`, amount(2_000))).error?.code).toBe('AP313');
  const key = '0b6f2c1e-4a1d-4f6a-9a31-5d1f0c7e9b10';
  const lookUp = () => bank('GET', `/transaction/idempotency/${key}`);
  expect(await lookUp()).toEqual({});
  const reversed = await bank(
    'POST',
    '/reverseTransaction',
    { id, ...amount(1_000) },
    { 'Idempotency-Key': key },
  );
  expect(await lookUp()).toEqual(reversed);
  server.advance(24 * 3_600);
  expect(server.bank.ledger.entries.map(({ cents }) => cents)).toEqual([3_000, -1_000]);
});
