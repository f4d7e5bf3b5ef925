import { afterEach, expect, test, vi } from 'vitest';
import { createStaffClient } from '../../../../sdk/src/staff-client.ts';
import type { PaymentType } from '../../parts/use-payment-types.ts';
import { type Charge, chargeProviders } from './charge-providers.ts';

// The client requests by path, which needs an origin here.
vi.mock('../../api.ts', async (original) => {
  const api = createStaffClient({ baseUrl: 'http://shop.example', fetch: (request) => fetch(request) });
  return { ...(await original<object>()), api };
});

afterEach(() => void vi.unstubAllGlobals());

const card = { id: 2, method: 'card', name: 'Debit', fee: 25, feePercent: '0' } as unknown as PaymentType;

/** A terminal that approves in full, unless told what of the next payment it approves. */
function openTerminal() {
  const asked: number[] = [];
  const approvals: number[] = [];
  const charges: Charge[] = [];
  const reply = (data: unknown) => Response.json({ data });
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/payment-connections')) {
      return reply([{ archivedAt: null, paymentTypeId: card.id, registerId: null }]);
    }
    if (request.method === 'GET') return reply(charges);
    const { amount } = (await request.json()) as { amount: number };
    asked.push(amount);
    const captured = approvals.shift() ?? amount + card.fee;
    charges.push({
      ...{
        id: charges.length,
        paymentTypeId: card.id,
        amount,
        feeAmount: card.fee,
        captured,
        applied: captured,
      },
      ...{ status: captured === 0 ? 'failed' : 'captured', advice: null, code: null },
    } as unknown as Charge);
    return reply(charges.at(-1));
  });
  return { asked, approvals };
}

const pay = (...amounts: number[]) =>
  chargeProviders(
    'id-0',
    amounts.map((amount, key) => ({ key, paymentTypeId: card.id, amount, tendered: null })),
    [card],
    { onCharge: () => {}, isLeft: () => false },
  );

test.each([
  [4_000, 4_000],
  [3_000, 7_000],
  [7_000, 3_000],
])(
  'a sale paid by two cards of one terminal, %i and %i cents, asks for each amount once',
  async (...amounts) => {
    const { asked } = openTerminal();
    await pay(...amounts);
    await pay(...amounts);
    expect(asked).toEqual(amounts);
  },
);

test('the card that was declined is asked for again, and the other is not', async () => {
  const { asked, approvals } = openTerminal();
  approvals.push(3_025, 0);
  await expect(pay(3_000, 7_000)).rejects.toMatchObject({ code: 'NOT_CHARGED' });
  await pay(3_000, 7_000);
  expect(asked).toEqual([3_000, 7_000, 7_000]);
});

test('after two approvals in part, what both come to is what the payment can be', async () => {
  const { approvals } = openTerminal();
  approvals.push(6_000, 2_000);
  await expect(pay(9_975)).rejects.toThrow('$60.00 was approved. Set this payment to $59.75');
  await expect(pay(9_975)).rejects.toThrow('$80.00 was approved. Set this payment to $79.75');
});
