import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Origin } from '../../platform/database/context.ts';
import { isOpen } from './intent-lifecycle.ts';
import {
  askToCancel,
  type IntentRow,
  selectIntent,
  selectIntentsOfOrder,
  selectPayer,
} from './intent-queries.ts';
import { announceIntent, lockedIntent, noteSighting } from './note-sighting.ts';
import type { PaymentDesk } from './payment-desk.ts';
import type { AskedIntent, PaymentProvider, Sighting } from './provider.ts';
import type { Act } from './weigh-sighting.ts';

/** Sends a committed payment to its provider, once, and takes what is authorized. */
export async function startIntent(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<IntentRow> {
  const { provider, intent, asked } = await open(desk, organization, id);
  const started = await note(
    desk,
    origin,
    intent,
    provider,
    await provider.create(asked),
    'start',
    organization,
  );
  return goOn(desk, origin, organization, provider, started);
}

/**
 * Looks at a payment whose time has come, and does what is to be done: a payment that a process left behind becomes unknown, a wish
 * to end it is passed on, what is authorized is taken.
 */
export async function lookAtIntent(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<IntentRow> {
  const { provider, intent, asked } = await open(desk, organization, id);
  const nowMs = desk.context.clock.now();
  let present = intent;
  if (intent.status === 'sending') {
    present = await note(desk, origin, intent, provider, { seen: 'silence' }, 'start', organization);
  }
  const isLate = present.expiresAt !== null && present.expiresAt <= nowMs;
  const ends = present.cancelAskedAt !== null || isLate;
  if (ends && isOpen(present.status) && present.status !== 'unknown') {
    return note(desk, origin, present, provider, await provider.cancel(asked), 'cancel', organization);
  }
  const sighting = await provider.read(asked);
  const seen = await note(desk, origin, present, provider, sighting, 'read', organization);
  // Agreed to after it had ended here: nothing has moved, and nothing shall.
  if (sighting.seen === 'authorized' && !isOpen(seen.status)) await provider.cancel(asked);
  return goOn(desk, origin, organization, provider, seen);
}

/** Passes on the wish to end a payment, which may come too late. The state is what the provider says. */
export async function cancelIntent(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<IntentRow> {
  const { context } = desk;
  await context.database.write(organization, async (tx) => {
    const { intent } = await lockedIntent(tx, id);
    if (!isOpen(intent.status) || intent.cancelAskedAt !== null) return;
    const nowMs = context.clock.now();
    const lookAt = isoTimestamp(context.wallClock.now());
    tx.queue(askToCancel({ id, at: isoTimestamp(nowMs), lookAt }));
    await announceIntent(tx, context, origin, intent, nowMs, { isCancelAsked: true });
  });
  const { provider, intent, asked } = await open(desk, organization, id);
  if (!isOpen(intent.status)) return intent;
  // A terminal that is asking its customer answers the request that is still held.
  if (intent.status === 'sending' && provider.capabilities.inPerson) {
    await provider.cancel(asked);
    return intent;
  }
  if (intent.status === 'unknown') return lookAtIntent(desk, origin, organization, id);
  return note(desk, origin, intent, provider, await provider.cancel(asked), 'cancel', organization);
}

async function goOn(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  provider: PaymentProvider,
  intent: IntentRow,
): Promise<IntentRow> {
  if (intent.status !== 'authorized' || !provider.capabilities.captures) return intent;
  const { asked } = await open(desk, organization, intent.id);
  const captured = await provider.capture(asked);
  return note(desk, origin, intent, provider, captured, 'capture', organization);
}

function note(
  desk: PaymentDesk,
  origin: Origin,
  { id }: IntentRow,
  { capabilities }: PaymentProvider,
  sighting: Sighting,
  act: Act,
  organization: OrganizationId,
): Promise<IntentRow> {
  return noteSighting(desk.context, origin, organization, id, sighting, act, capabilities.captures);
}

/** The payment as it is now, with its provider. */
export async function open(
  desk: PaymentDesk,
  organization: OrganizationId,
  id: number,
): Promise<{ readonly provider: PaymentProvider; readonly intent: IntentRow; readonly asked: AskedIntent }> {
  const [[intent], [payer]] = await desk.context.database.read(
    organization,
    selectIntent({ id }),
    selectPayer({ id }),
  );
  assert(intent !== undefined, 'a payment that is worked on exists');
  const provider = await desk.open(organization, intent.connectionId);
  const { reference, amountCents, feeAmountCents, providerId, facts } = intent;
  const asked = {
    ...{ reference, providerId, facts, askedCents: amountCents + feeAmountCents },
    label: String(payer?.number ?? intent.id),
    ...{ phone: payer?.phone ?? null, email: payer?.email ?? null },
    lacksLink:
      intent.link === null &&
      intent.cancelAskedAt === null &&
      intent.status !== 'authorized' &&
      isOpen(intent.status),
  };
  return { provider, intent, asked };
}

/**
 * Ends the payments of an order that are under way, before its amounts change, at the provider. A request with an Idempotency-Key waits
 * for the provider inside its transaction: where that is rolled back, the next look finds what has ended. One that cannot be ended stays;
 * the change is refused then.
 */
export async function endOpenPayments(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  orderId: string,
): Promise<void> {
  const [intents] = await desk.context.database.read(organization, selectIntentsOfOrder({ orderId }));
  for (const { id, status } of intents) {
    if (isOpen(status)) await cancelIntent(desk, origin, organization, id);
  }
}
