import type { BaseLogger } from 'pino';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
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
import { lookAtIntent } from './start-intent.ts';

const everyMs = 1_000;
/** Longer than a look takes: then another worker may look. */
const claimMs = 150_000;
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
  const { expiresAt, orderId, cancelAskedAt } = intent;
  const isOver = expiresAt !== null && expiresAt <= context.clock.now() && !isOpen(intent.status);
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
