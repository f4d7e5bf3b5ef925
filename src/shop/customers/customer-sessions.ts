import { timingSafeEqual } from 'node:crypto';
import { digestOf, isKeyText, makeKey } from '../../kernel/api-keys.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  deleteCustomerSession,
  dropOldCustomerSessions,
  findCustomerSession,
  insertCustomerSessions,
} from './customer-session-queries.ts';

/* Sessions of customers (D62): the bearer has proven that an email or phone is theirs, to one integrator of one organization. */

const lifeMs = 30 * 86_400_000;
/** Sessions of one contact; a new one ends the oldest. */
const sessionsMax = 20;

interface Whose {
  readonly organizationId: OrganizationId;
  readonly integratorId: number;
}

/** Who says that an email or phone is theirs, and to whom. */
export interface Claim extends Whose {
  /** An email, normalized, or a phone number in E.164. */
  readonly contact: string;
}

export interface StartedSession {
  /** In this result only. */
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Queues a session for a contact that was proven. */
export async function startCustomerSession(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  { integratorId, contact }: Claim,
): Promise<StartedSession> {
  const token = makeKey('dcu', 'production', context.randomBytes);
  const id = await context.ids.takeOne();
  const at = isoTimestamp(nowMs);
  const expiresAtMs = nowMs + lifeMs;
  const expiresAt = isoTimestamp(expiresAtMs);
  tx.queue(
    dropOldCustomerSessions({ contact, kept: sessionsMax - 1, at }),
    ...insertCustomerSessions([
      { id, integratorId, contact, digest: digestOf(token), createdAt: at, expiresAt },
    ]),
  );
  await announce(tx, context, origin, nowMs, {
    event: 'customer_session.started',
    subjectType: 'customer_session',
    subjectId: id,
    payload: { sessionId: id, integratorId },
  });
  return { token, expiresAtMs };
}

/** The email or phone that a token proves. Fails with CUSTOMER_SESSION_ENDED for one that is unknown here, or over. */
export async function provenContact(
  context: Pick<Context, 'database' | 'wallClock'>,
  { organizationId, integratorId }: Whose,
  token: string,
): Promise<string> {
  if (!isKeyText(token, 'dcu')) throw ended();
  const digest = digestOf(token);
  const at = isoTimestamp(context.wallClock.now());
  const find = findCustomerSession({ digest, integratorId, at });
  const [[session]] = await context.database.read(organizationId, find);
  if (session === undefined || !timingSafeEqual(session.digest, digest)) throw ended();
  return session.contact;
}

/** Ends a session at once. Fails with CUSTOMER_SESSION_ENDED if there is none. */
export async function endCustomerSession(
  context: Context,
  origin: Origin,
  { organizationId, integratorId }: Whose,
  token: string,
): Promise<void> {
  const nowMs = context.wallClock.now();
  await context.database.write(organizationId, async (tx) => {
    const [[session]] = await tx.run(deleteCustomerSession({ digest: digestOf(token), integratorId }));
    if (session === undefined) throw ended();
    await announce(tx, context, origin, nowMs, {
      event: 'customer_session.ended',
      subjectType: 'customer_session',
      subjectId: session.id,
      payload: { sessionId: session.id, integratorId },
    });
  });
}

function ended() {
  return failure('CUSTOMER_SESSION_ENDED', 'The customer session is over: the customer must sign in again.');
}
