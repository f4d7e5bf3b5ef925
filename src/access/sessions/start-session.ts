import { digestOf, type Environment, makeKey } from '../../kernel/api-keys.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { deleteOldStaffSessions, insertStaffSessionDigests, insertStaffSessions } from './session-queries.ts';
import { rememberDevice } from './staff-devices.ts';
import { sessionAgeMsMax } from './staff-sessions.ts';

/** Where a session is begun, as its person and the owners see it. */
interface SessionPlace {
  readonly clientAddress: string;
  /** As the browser names itself. */
  readonly userAgent: string | null;
}

/** How a session starts. */
export interface SessionStart {
  /** The device that it is started with, to be remembered. */
  readonly deviceToken?: string | undefined;
  readonly place?: SessionPlace;
  /** The proof at an identity provider: when the person gave it, and whether with a second factor; default: now, without. */
  readonly proof?: { readonly atMs: number; readonly hasProviderFactor: boolean } | undefined;
  /** When the sign-in was that this session goes on with; default: now. */
  readonly beganAtMs?: number | undefined;
  /** What has to succeed in the same transaction. */
  readonly first?: ((tx: TenantTransaction) => Promise<void>) | undefined;
}

/** Longer names say no more. */
const userAgentLengthMax = 300;

/**
 * Starts a session of an authenticated member of staff, and records the device, if there is one. The token is in the
 * result only. Begins with a proof of who the person is.
 */
export async function startSession(
  context: Context,
  environment: Environment,
  origin: Origin,
  organization: OrganizationId,
  staffId: number,
  { deviceToken, place, first, proof, beganAtMs }: SessionStart = {},
): Promise<{ sessionId: number; token: string }> {
  const token = makeKey('dcs', environment, context.randomBytes);
  const sessionId = await context.ids.takeOne();
  const nowMs = context.clock.now();
  const at = new Date(nowMs).toISOString();
  await context.database.write(organization, async (tx) => {
    await first?.(tx);
    tx.queue(
      deleteOldStaffSessions({ staffId, before: new Date(nowMs - sessionAgeMsMax).toISOString() }),
      ...insertStaffSessions([
        {
          ...{ id: sessionId, staffId, createdAt: isoTimestamp(beganAtMs ?? nowMs), lastUsedAt: at },
          provenAt: isoTimestamp(proof?.atMs ?? nowMs),
          hasProviderFactor: proof?.hasProviderFactor ?? false,
          clientAddress: place?.clientAddress ?? null,
          userAgent: place?.userAgent?.slice(0, userAgentLengthMax) ?? null,
        },
      ]),
      ...insertStaffSessionDigests([{ digest: digestOf(token), sessionId }]),
      ...(deviceToken === undefined ? [] : rememberDevice(deviceToken, staffId, at)),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'staff.signed_in',
      subjectType: 'staff',
      subjectId: staffId,
      payload: { staffId, sessionId },
    });
  });
  return { sessionId, token };
}
