import { assert } from '../../kernel/assert.ts';
import type { EventType } from '../../kernel/event-catalog.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import type { Attempt, StaffCaller } from '../../platform/http/endpoint.ts';
import { queueMail } from '../../platform/mail/mail.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { selectOrganization } from '../organizations/organizations.ts';
import { proveStaffSession, revokeSessionsOfStaff } from '../sessions/sessions.ts';
import type { StaffSessions } from '../sessions/staff-sessions.ts';
import { selectStaffMember } from '../staff/staff.ts';
import { type FactorNotice, factorMail } from './factor-mails.ts';
import { deletePasskeys, lockMemberForPasskeys, selectPasskeys } from './passkey-queries.ts';
import { makeRecoveryCodes, recoveryCodeDigest } from './recovery-codes.ts';
import {
  confirmTotpSecret,
  deleteHalfSignIns,
  deleteRecoveryCodes,
  deleteTotpSecret,
  insertRecoveryCodes,
  lockTotpSecret,
  upsertTotpSecret,
} from './second-factor-queries.ts';
import { makeTotpSecret, stepOfCode } from './totp.ts';
import { wrongSecondFactor } from './use-second-factor.ts';

type CountAttempt = (attempt: Attempt) => Promise<{ giveBack(): void }>;

/** What the person's authenticator app gets; shown once. */
interface ShownTotpSecret {
  readonly secret: string;
  readonly uri: string;
}

/**
 * Makes a secret for the authenticator app of the signed-in member. It counts from the first right code on; until then
 * another call replaces it. Fails with SECOND_FACTOR_EXISTS.
 */
export async function beginTotp(
  context: Context,
  keys: MasterKeys,
  origin: Origin,
  staff: StaffCaller,
): Promise<ShownTotpSecret> {
  const { organizationId, staffId } = staff;
  const [[organization]] = await context.database.read(organizationId, selectOrganization({}));
  assert(organization !== undefined, 'the organization of a session exists');
  const issuer = { id: organizationId, name: organization.name };
  const { text, uri, sealed } = await makeTotpSecret(keys, context.randomBytes, issuer, staff);
  const nowMs = context.clock.now();
  await context.database.write(organizationId, async (tx) => {
    const { masterKeyId, wrapped: secret } = sealed;
    const [made] = await tx.run(upsertTotpSecret({ staffId, secret, masterKeyId, at: isoTimestamp(nowMs) }));
    if (made.length === 0) {
      throw failure('SECOND_FACTOR_EXISTS', 'You have an authenticator app already: remove it first.');
    }
    await announceOf(tx, context, origin, nowMs, 'staff.second_factor_begun', staffId);
  });
  return { secret: text, uri };
}

/**
 * Takes the first code of the app: from now on the member signs in with it. Ends the member's other sessions. Resolves to
 * the recovery codes, which are in the result only. Fails with SECOND_FACTOR_NOT_FOUND, SECOND_FACTOR_EXISTS,
 * WRONG_SECOND_FACTOR.
 */
export async function confirmTotp(
  context: Context,
  sessions: StaffSessions,
  keys: MasterKeys,
  origin: Origin,
  staff: StaffCaller,
  code: string,
  countAttempt: CountAttempt,
): Promise<readonly string[]> {
  const { organizationId, staffId, sessionId } = staff;
  const attempt = await countAttempt({ kind: 'factor', name: `${organizationId}/${staffId}` });
  const masters = await keys.load(context.randomBytes);
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const codes = makeRecoveryCodes(context.randomBytes);
  try {
    const ended = await context.database.write(organizationId, async (tx) => {
      const [[row]] = await tx.run(lockTotpSecret({ staffId }));
      if (row === undefined) {
        throw failure('SECOND_FACTOR_NOT_FOUND', 'There is no secret to confirm: ask for one first.');
      }
      if (row.confirmed_at !== null) {
        throw failure('SECOND_FACTOR_EXISTS', 'The authenticator app is confirmed already.');
      }
      const sealed = { masterKeyId: row.secret_master_key_id, wrapped: row.secret };
      const digits = code.replace(/[\s-]/g, '');
      const step = stepOfCode(masters, organizationId, staffId, { sealed, lastStep: 0 }, digits, nowMs);
      if (step === null) throw wrongSecondFactor();
      const [ended] = await tx.run(revokeSessionsOfStaff({ staffId, except: sessionId, at }));
      tx.queue(
        confirmTotpSecret({ staffId, step, at }),
        proveStaffSession({ id: sessionId, at }),
        deleteHalfSignIns({ staffId }),
        ...replacedRecoveryCodes(staffId, codes),
      );
      await tellOfFactor(tx, context, nowMs, staffId, 'added');
      await announceOf(tx, context, origin, nowMs, 'staff.second_factor_added', staffId);
      return ended;
    });
    attempt.giveBack();
    for (const session of ended) sessions.forget(session.id);
    return codes;
  } catch (error) {
    if ((error as Partial<Failure>).code !== 'WRONG_SECOND_FACTOR') attempt.giveBack();
    throw error;
  }
}

/** Replaces the recovery codes. They are in the result only. Fails with SECOND_FACTOR_NOT_FOUND. */
export async function renewRecoveryCodes(
  context: Context,
  origin: Origin,
  { organizationId, staffId }: StaffCaller,
): Promise<readonly string[]> {
  const codes = makeRecoveryCodes(context.randomBytes);
  const nowMs = context.clock.now();
  await context.database.write(organizationId, async (tx) => {
    const [[row], passkeys] = await tx.run(lockTotpSecret({ staffId }), selectPasskeys({ staffId }));
    if ((row?.confirmed_at ?? null) === null && passkeys.length === 0) {
      throw failure('SECOND_FACTOR_NOT_FOUND', 'There is no second factor that the codes could stand for.');
    }
    tx.queue(...replacedRecoveryCodes(staffId, codes));
    await tellOfFactor(tx, context, nowMs, staffId, 'recovery-codes');
    await announceOf(tx, context, origin, nowMs, 'staff.recovery_codes_renewed', staffId);
  });
  return codes;
}

/** Removes the authenticator app of the signed-in member; recovery codes stay for passkeys only. Nothing happens without one. */
export async function removeTotp(
  context: Context,
  origin: Origin,
  { organizationId, staffId }: StaffCaller,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(organizationId, async (tx) => {
    const [, removed, passkeys] = await tx.run(
      lockMemberForPasskeys({ staffId }),
      deleteTotpSecret({ staffId }),
      selectPasskeys({ staffId }),
    );
    if (removed.length === 0) return;
    if (passkeys.length === 0) tx.queue(deleteRecoveryCodes({ staffId }));
    tx.queue(deleteHalfSignIns({ staffId }));
    if (removed[0]!.was_confirmed) await tellOfFactor(tx, context, nowMs, staffId, 'removed');
    await announceOf(tx, context, origin, nowMs, 'staff.second_factor_removed', staffId);
  });
}

/**
 * An owner removes the second factor of a member who has lost it. The member's sessions end, and a mail tells of it.
 * Nothing happens without a factor. Fails with STAFF_NOT_FOUND.
 */
export async function resetSecondFactor(
  context: Context,
  sessions: StaffSessions,
  origin: Origin,
  organization: OrganizationId,
  staffId: number,
): Promise<void> {
  const nowMs = context.clock.now();
  const ended = await context.database.write(organization, async (tx) => {
    const [[member], apps, passkeys] = await tx.run(
      selectStaffMember({ id: staffId }),
      deleteTotpSecret({ staffId }),
      deletePasskeys({ staffId }),
    );
    if (member === undefined) throw failure('STAFF_NOT_FOUND', 'There is no such member of staff.');
    if (apps.length + passkeys.length === 0) return [];
    const [ended] = await tx.run(revokeSessionsOfStaff({ staffId, except: null, at: isoTimestamp(nowMs) }));
    tx.queue(deleteRecoveryCodes({ staffId }), deleteHalfSignIns({ staffId }));
    await tellOfFactor(tx, context, nowMs, staffId, 'reset');
    await announceOf(tx, context, origin, nowMs, 'staff.second_factor_reset', staffId);
    return ended;
  });
  for (const session of ended) sessions.forget(session.id);
}

function replacedRecoveryCodes(staffId: number, codes: readonly string[]) {
  const rows = codes.map((code) => ({ staffId, digest: recoveryCodeDigest(code)! }));
  return [deleteRecoveryCodes({ staffId }), ...insertRecoveryCodes(rows)];
}

/** A notice by mail to the person. */
/** A mail tells the person what has happened to their factors. */
export async function tellOfFactor(
  tx: TenantTransaction,
  context: Context,
  nowMs: number,
  staffId: number,
  notice: FactorNotice,
): Promise<void> {
  const [[member], [organization]] = await tx.run(selectStaffMember({ id: staffId }), selectOrganization({}));
  assert(member !== undefined && organization !== undefined, 'a member with a factor exists');
  const content = factorMail(organization.name, notice);
  await queueMail(tx, context, nowMs, { ...content, to: member.email, expiresAtMs: null });
}

function announceOf(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  event: Extract<EventType, `staff.second_factor_${string}` | 'staff.recovery_codes_renewed'>,
  staffId: number,
): Promise<void> {
  return announce(tx, context, origin, nowMs, {
    ...{ event, subjectType: 'staff', subjectId: staffId },
    payload: { staffId },
  });
}
