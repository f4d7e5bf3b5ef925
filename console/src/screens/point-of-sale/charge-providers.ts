import { ApiFailure, api, dataOf, type Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { atOwnRegister } from '../../parts/own-register.ts';
import { paymentFee } from '../../parts/payment-fee.ts';
import type { PaymentRow } from '../../parts/payment-sums.ts';
import type { PaymentType } from '../../parts/use-payment-types.ts';
import { t } from '../../words/words.ts';

export type Charge = Schema['StaffPaymentIntent'];

/** What the counter does about a charge while it waits. */
export interface ChargeWatch {
  /** Called with each news of the charge; null: none is waited for. */
  readonly onCharge: (charge: Charge | null) => void;
  /** A manager has said that another tender is taken, whatever became of the charge. */
  readonly isLeft: () => boolean;
}

type Connections = Schema['PaymentConnection'][];

const askEveryMs = 1_000;
const keptMs = 60_000;
let kept: { readonly connections: Connections; readonly untilMs: number } | null = null;

/** The accounts at providers, kept for a minute: a sale does not wait for them. */
export async function loadConnections(): Promise<Connections> {
  if (kept !== null && kept.untilMs > performance.now()) return kept.connections;
  const connections = await dataOf(api.GET('/staff/v1/payment-connections'));
  kept = { connections, untilMs: performance.now() + keptMs };
  return connections;
}

const open = ['created', 'sending', 'waiting', 'authorized', 'unknown'];
const paid = ['captured', 'settled'];

/**
 * Takes the payments of a placed order that go through a provider: by the terminal of this register, or by a link. What was taken before
 * is not asked for again, and what is under way is waited for. Fails with the reason, in words, when one is not taken in full.
 */
export async function chargeProviders(
  orderId: string,
  rows: readonly PaymentRow[],
  types: readonly PaymentType[],
  watch: ChargeWatch,
): Promise<void> {
  const connections = await loadConnections();
  const { registerId } = atOwnRegister();
  /** What the payments before have of the charges, by type: two cards can pay by one terminal. */
  const used = new Map<number, number>();
  for (const { paymentTypeId, amount } of rows) {
    const type = types.find(({ id }) => id === paymentTypeId);
    const isHere = (it: (typeof connections)[number]) =>
      it.archivedAt === null &&
      it.paymentTypeId === paymentTypeId &&
      (it.registerId === null || it.registerId === registerId);
    if (type === undefined || amount === null || amount === 0 || !connections.some(isHere)) continue;
    const fee = paymentFee(type, amount);
    const usedBefore = used.get(paymentTypeId) ?? 0;
    used.set(paymentTypeId, usedBefore + amount + fee);
    await chargeOne(orderId, { paymentTypeId, amount, fee, usedBefore }, watch);
  }
}

interface Owed {
  readonly paymentTypeId: number;
  readonly amount: number;
  readonly fee: number;
  /** What other payments of the type have of its charges. */
  readonly usedBefore: number;
}

async function chargeOne(
  orderId: string,
  { paymentTypeId, amount, fee, usedBefore }: Owed,
  { onCharge, isLeft }: ChargeWatch,
): Promise<void> {
  const params = { path: { orderId } };
  const all = await dataOf(api.GET('/staff/v1/orders/{orderId}/payment-intents', { params }));
  const ofType = all.filter((it) => it.paymentTypeId === paymentTypeId);
  const taken = Math.max(0, ofType.reduce((sum, it) => sum + it.applied, 0) - usedBefore);
  if (taken >= amount + fee) return;
  let charge =
    all.find(({ status }) => open.includes(status)) ??
    (await dataOf(
      api.POST('/staff/v1/payment-intents', {
        body: { orderId, paymentTypeId, amount: amount - taken, ...atOwnRegister() },
      }),
    ));
  try {
    for (;;) {
      onCharge(charge);
      if (!open.includes(charge.status) || isLeft()) break;
      await new Promise((resolve) => setTimeout(resolve, askEveryMs));
      const path = { paymentIntentId: charge.id };
      charge = await dataOf(api.GET('/staff/v1/payment-intents/{paymentIntentId}', { params: { path } }));
    }
  } finally {
    onCharge(null);
  }
  if (paid.includes(charge.status) && charge.captured + taken >= amount + fee) return;
  throw new ApiFailure({
    code: 'NOT_CHARGED',
    status: 409,
    requestId: null,
    message: reasonOf(charge, taken, fee),
  });
}

/** `taken`: what was approved of this payment before. */
function reasonOf({ status, captured, advice, code }: Charge, taken: number, fee: number): string {
  if (paid.includes(status)) {
    const approved = taken + captured;
    return t`${dollars(approved)} was approved. Set this payment to ${dollars(approved - fee)}, and take the rest another way.`;
  }
  if (status === 'unknown')
    return t`It is not known yet whether this payment was taken. Take another tender.`;
  if (status === 'canceled') return t`The payment was canceled. Nothing was taken.`;
  const said = advice ?? (code === null ? '' : t`Code ${code}.`);
  return `${t`The payment was declined. Nothing was taken.`} ${said}`.trim();
}
