import { afterEach, expect, test, vi } from 'vitest';
import { createStaffClient } from '../../../../sdk/src/staff-client.ts';
import type { PaymentType } from '../../parts/use-payment-types.ts';
import type { PendingSale } from './saved-sale.ts';
import { sell } from './sell.ts';

// The client requests by path, which needs an origin here.
vi.mock('../../api.ts', async (original) => {
  const { watchedFetch } = await import('../../parts/watched-fetch.ts');
  const api = createStaffClient({ baseUrl: 'http://shop.example', fetch: watchedFetch });
  return { ...(await original<object>()), api };
});

type Outcome = 'answered' | 'answer lost' | 'never arrived' | 'refused';

/** A service that places an order once per key and takes its payment once, or goods that come back for it. */
function openService() {
  const exchanges: { returned: object }[] = [];
  const orders = new Map<string, { id: string; number: number; isPaid: boolean }>();
  const outcomes: Outcome[] = [];
  const json = (status: number, body: unknown) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  const refusal = (code: string, meta = {}) => json(409, { error: { message: 'No.', code, meta } });
  const place = (key: string) => {
    if (!orders.has(key))
      orders.set(key, { id: `id-${orders.size}`, number: orders.size + 1, isPaid: false });
    return json(201, { data: orders.get(key) });
  };
  const fulfill = (id: string) => {
    const order = [...orders.values()].find((it) => it.id === id)!;
    if (order.isPaid) return refusal('INVALID_ORDER_TRANSITION', { status: 'fulfilled' });
    order.isPaid = true;
    return json(200, { data: { ...order, change: 1_000 } });
  };
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return json(200, {});
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/payment-connections')) return json(200, { data: [] });
    if (request.method === 'GET') {
      const exchange = exchanges.length > 0 ? { refund: 1_253, amount: 0 } : null;
      return json(200, { data: { id: pathname.split('/')[4], exchange } });
    }
    const outcome = outcomes.shift() ?? 'answered';
    if (outcome === 'never arrived') throw new TypeError('Failed to fetch');
    if (outcome === 'refused') return refusal('OUT_OF_STOCK');
    const body = (await request.json()) as { idempotencyKey: string; returned: object };
    if (pathname.endsWith('/exchange')) {
      exchanges.push(body);
      return json(200, { data: { change: 0 } });
    }
    const reply = pathname.endsWith('/fulfill')
      ? fulfill(pathname.split('/')[4]!)
      : place(body.idempotencyKey);
    if (outcome === 'answer lost') throw new TypeError('Failed to fetch');
    return reply;
  });
  return { orders, outcomes, exchanges };
}

const types = [{ id: 1, method: 'cash', fee: 0, feePercent: '0' } as unknown as PaymentType];
const payments = [{ key: 0, paymentTypeId: 1, amount: 9_000, tendered: 10_000 }];
const first: PendingSale = {
  idempotencyKey: 'k-1',
  body: '{"type":"in-store","lineItems":[]}',
  customerGrandTotal: 9_000,
  due: 9_000,
  payments: [],
  isSent: false,
  placed: null,
  sentPayments: null,
};

afterEach(() => void vi.unstubAllGlobals());

/** Sells, and continues like a reloaded page: with the last saved sale. */
async function sellUntilSold(attempts: number) {
  let kept = first;
  const failures: string[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      const sold = await sell(kept, payments, types, (sale) => {
        kept = JSON.parse(JSON.stringify(sale)) as PendingSale;
      });
      return { sold, failures, kept };
    } catch (error) {
      failures.push((error as Error).name);
    }
  }
  return { sold: null, failures, kept };
}

test.each<[Outcome[], string[]]>([
  [[], []],
  [['answer lost'], ['UnansweredWrite']],
  [['never arrived'], ['UnansweredWrite']],
  [['answered', 'answer lost'], ['UnansweredWrite']],
  [
    ['answered', 'never arrived', 'answer lost'],
    ['UnansweredWrite', 'UnansweredWrite'],
  ],
  [
    ['answer lost', 'never arrived', 'answered', 'answer lost'],
    ['UnansweredWrite', 'UnansweredWrite', 'UnansweredWrite'],
  ],
  [
    ['refused', 'answer lost'],
    ['ApiFailure', 'UnansweredWrite'],
  ],
])('with outcomes %j, a retried sale is sold once, with the same change', async (outcomes, failed) => {
  const service = openService();
  service.outcomes.push(...outcomes);
  const { sold, failures } = await sellUntilSold(5);
  expect(failures).toEqual(failed);
  expect(sold).toMatchObject({ id: 'id-0', change: 1_000 });
  expect([...service.orders.values()]).toEqual([{ id: 'id-0', number: 1, isPaid: true }]);
});

test('only an unanswered sale needs a decision; a refused one does not', async () => {
  const service = openService();
  service.outcomes.push('refused', 'never arrived');
  expect((await sellUntilSold(1)).kept).toMatchObject({ isSent: false, placed: null });
  expect((await sellUntilSold(1)).kept).toMatchObject({ isSent: true, placed: null });
});

test('offline nothing is sent, and the sale does not change', async () => {
  openService().outcomes.push('never arrived');
  vi.stubGlobal('navigator', { onLine: false });
  const { kept, failures } = await sellUntilSold(1);
  expect([kept.isSent, failures]).toEqual([false, ['ApiFailure']]);
});

test('goods that come back go where staff said, and cash that is given back is rounded', async () => {
  const service = openService();
  const line = {
    ...{ orderLineItemId: 71, quantity: 1, inventoryAction: 'inventory' as const },
    ...{ reason: 'Another one', name: 'Moonlit Grove' },
  };
  const goodsBack = {
    ...{ orderId: 'id-former', orderNumber: 11, lineItems: [line], takesRewardsBack: false },
    ...{ inventoryLocationId: 8, refund: 1_253 },
  };
  const rounded = types.map((type) => ({ ...type, cashRounding: 'symmetric' as const }));
  const refund = [{ key: 0, paymentTypeId: 1, amount: null, tendered: null }];
  const sold = await sell({ ...first, due: -1_253, goodsBack }, refund, rounded, () => {});
  expect(service.exchanges).toMatchObject([
    { refundPaymentTypeId: 1, returned: { orderId: 'id-former', inventoryLocationId: 8 } },
  ]);
  expect(sold.back).toBe(1_255);
});
