import type { BaseLogger } from 'pino';
import { Failure } from '../../kernel/failure.ts';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { addDays, isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { businessDays, closeBatch } from './close-batch.ts';
import { isOpen } from './intent-lifecycle.ts';
import {
  claimDueIntents,
  type IntentRow,
  lockPaidOrder,
  selectIntentsOfOrder,
  selectOrganizationsWithPayments,
} from './intent-queries.ts';
import { type PaymentDesk, paymentDeskOf } from './payment-desk.ts';
import { carryRefund } from './refund-intent.ts';
import { claimDueRefunds } from './refund-queries.ts';
import { settleDay } from './settle-day.ts';
import { claimOpenBatches, claimUnsettledConnections } from './settlement-queries.ts';
import { lookAtIntent } from './start-intent.ts';

const everyMs = 1_000;
/** Longer than a look takes: then another worker may look. */
const claimMs = 150_000;
const settleEveryMs = 3_600_000;
const atOnceMax = 50;
const ofOrganizationMax = 10;

const origin: Origin = { actor: 'job:payments', requestId: null };

export interface PaymentWork {
  readonly context: Context;
  /** Connected as the owner: lists organizations with work. */
  readonly operator: Pick<Database, 'global'>;
  /** Cancels an order that was not paid in time; the reason is shown to staff. */
  readonly cancelOrder: (organization: OrganizationId, orderId: string, reason: string) => Promise<void>;
  readonly logger: Pick<BaseLogger, 'error'>;
}

/** Looks at payments and refunds whose time has come, until each is known. Several processes may do so. */
export function startPayments(work: PaymentWork): { stop(): Promise<void> } {
  const { operator, logger, context } = work;
  const running = new Set<Promise<void>>();
  let look: Promise<void> | undefined;
  let isStopping = false;

  async function lookAround(): Promise<void> {
    try {
      const at = isoTimestamp(context.wallClock.now());
      for (const { id } of await operator.global(selectOrganizationsWithPayments({ at }))) {
        if (isStopping || running.size >= atOnceMax) return;
        const pass = passPayments(work, organizationId(id)).finally(() => running.delete(pass));
        running.add(pass);
      }
    } catch (error) {
      logger.error({ err: error }, 'organizations with payments could not be listed');
    }
  }

  const timer = setInterval(() => {
    look ??= lookAround().finally(() => {
      look = undefined;
    });
  }, everyMs);
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await look;
      await Promise.all(running);
      await paymentDeskOf(context).idle();
    },
  };
}

/** Looks at what is due in an organization. Never fails: what fails is logged, and looked at again. */
export async function passPayments(work: PaymentWork, organization: OrganizationId): Promise<void> {
  const { context, logger } = work;
  const desk = paymentDeskOf(context);
  const wallMs = context.wallClock.now();
  const claim = { at: isoTimestamp(wallMs), until: isoTimestamp(wallMs + claimMs), limit: ofOrganizationMax };
  const settled = async (id: number, looking: Promise<void>) => {
    try {
      await looking;
    } catch (error) {
      logger.error({ err: error, organizationId: organization, id }, 'a payment could not be looked at');
    }
  };
  try {
    const [intents, refunds] = await context.database.write(
      organization,
      async (tx) => tx.run(claimDueIntents(claim), claimDueRefunds(claim)),
      { countsAsChange: false },
    );
    await Promise.all([
      ...intents.map(({ id }) => settled(id, lookAndFollow(work, desk, organization, id))),
      ...refunds.map(({ id }) => settled(id, carryRefund(desk, origin, organization, id))),
    ]);
    await settleUntilYesterday(desk, organization, settled);
  } catch (error) {
    logger.error({ err: error, organizationId: organization }, 'payments could not be looked at');
  }
}

async function lookAndFollow(
  { context, cancelOrder }: PaymentWork,
  desk: PaymentDesk,
  organization: OrganizationId,
  id: number,
): Promise<void> {
  const intent = await lookAtIntent(desk, origin, organization, id);
  const { expiresAt, orderId, cancelAskedAt, capturedCents } = intent;
  const isOver = expiresAt !== null && expiresAt <= context.clock.now() && !isOpen(intent.status);
  // It was paid in time. What the bank takes back later opens the balance again, and staff decide.
  if (capturedCents > 0) return;
  // Ended before by a person or a change of the order: then the order waits for another payment.
  if (!isOver || cancelAskedAt !== null) return;
  if (await isUnpaid(context, organization, intent)) {
    await cancelOrder(organization, orderId, 'Not paid in time');
  }
}

/** Whether nothing pays the order: neither captured, nor under way. */
async function isUnpaid(
  { database }: Context,
  organization: OrganizationId,
  { id, orderId }: IntentRow,
): Promise<boolean> {
  const [[order], intents] = await database.write(
    organization,
    async (tx) => tx.run(lockPaidOrder({ orderId }), selectIntentsOfOrder({ orderId })),
    { countsAsChange: false },
  );
  const isWaiting = order?.status === 'draft' || order?.status === 'new';
  const isLast = intents.at(-1)?.id === id;
  return isWaiting && isLast && intents.every((it) => it.appliedCents === 0 && !isOpen(it.status));
}

/** Reads what banks paid out until yesterday, and closes the batches of terminals whose business day is over; where there is no report yet, an hour later again. */
async function settleUntilYesterday(
  desk: PaymentDesk,
  organization: OrganizationId,
  settled: (id: number, looking: Promise<void>) => Promise<void>,
): Promise<void> {
  const { database, clock, wallClock } = desk.context;
  const day = addDays(isoTimestamp(clock.now()).slice(0, 10), -1);
  const wallMs = wallClock.now();
  const claim = { day, at: isoTimestamp(wallMs), next: isoTimestamp(wallMs + settleEveryMs) };
  const [connections, terminals] = await database.write(
    organization,
    async (tx) => tx.run(claimUnsettledConnections(claim), claimOpenBatches(claim)),
    { countsAsChange: false },
  );
  for (const { id } of terminals) await settled(id, closeDay(desk, organization, id));
  for (const { id, daysBack } of connections) {
    await settled(id, settleDays(desk, organization, id, addDays(day, -daysBack), day));
  }
}

async function closeDay(
  desk: PaymentDesk,
  organization: OrganizationId,
  connectionId: number,
): Promise<void> {
  const { today } = await businessDays(desk.context, organization);
  await unlessRefused(closeBatch(desk, origin, organization, connectionId, addDays(today, -1)));
}

/** Each day in turn: what was captured on one is missed only once it was read. */
async function settleDays(
  desk: PaymentDesk,
  organization: OrganizationId,
  connectionId: number,
  firstDay: string,
  lastDay: string,
): Promise<void> {
  const settleAll = async () => {
    for (let day = firstDay; day <= lastDay; day = addDays(day, 1)) {
      await settleDay(desk, origin, organization, connectionId, day);
    }
  };
  await unlessRefused(settleAll());
}

/** A provider without a report yet is asked again. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
