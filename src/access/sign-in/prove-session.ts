import { type Failure, failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { Attempt, StaffCaller } from '../../platform/http/endpoint.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { findStaffAccount, proveStaffSession } from '../sessions/sessions.ts';
import { isPasswordOf } from '../staff/staff.ts';
import { takeSecondFactor, wrongSecondFactor } from './use-second-factor.ts';

interface Proof {
  readonly password: string;
  readonly code?: string | undefined;
}

/**
 * Takes a proof of who uses the session: the password, and a code of the second factor if the person has one. Wrong
 * passwords count for the session, wrong codes for the member. Resolves to the time of the proof.
 */
export async function proveSession(
  context: Context,
  keys: MasterKeys,
  origin: Origin,
  { organizationId, staffId, sessionId }: StaffCaller,
  { password, code }: Proof,
  countAttempt: (attempt: Attempt) => Promise<{ giveBack(): void }>,
): Promise<number> {
  const attempt = await countAttempt({
    kind: 'session',
    name: String(sessionId),
    account: `${organizationId}/${staffId}`,
  });
  let isRight = true;
  let hasFactor = false;
  try {
    const [[account]] = await context.database.read(organizationId, findStaffAccount({ id: staffId }));
    isRight = await isPasswordOf(account?.password_hash ?? null, password);
    hasFactor = account?.has_app === true || account?.has_passkey === true;
  } finally {
    if (isRight) attempt.giveBack();
  }
  if (!isRight) throw failure('INVALID_PARAMS', 'password must be the current password.');
  if (hasFactor && code === undefined) throw wrongSecondFactor();
  const masters = hasFactor ? await keys.load(context.randomBytes) : [];
  const nowMs = context.clock.now();
  const ofCode = hasFactor
    ? await countAttempt({ kind: 'factor', name: `${organizationId}/${staffId}` })
    : undefined;
  try {
    await context.database.write(
      organizationId,
      async (tx) => {
        if (hasFactor) await takeSecondFactor(tx, masters, organizationId, staffId, code!, nowMs);
        tx.queue(proveStaffSession({ id: sessionId, at: isoTimestamp(nowMs) }));
        await announce(tx, context, origin, nowMs, {
          event: 'staff.proved',
          subjectType: 'staff',
          subjectId: staffId,
          payload: { staffId, sessionId },
        });
      },
      { countsAsChange: false },
    );
    ofCode?.giveBack();
  } catch (error) {
    if ((error as Partial<Failure>).code !== 'WRONG_SECOND_FACTOR') ofCode?.giveBack();
    throw error;
  }
  return nowMs;
}
