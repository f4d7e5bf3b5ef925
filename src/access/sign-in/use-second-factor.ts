import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { MasterKey } from '../../platform/storage/envelope.ts';
import { recoveryCodeDigest } from './recovery-codes.ts';
import { lockTotpSecret, noteTotpStep, takeRecoveryCode } from './second-factor-queries.ts';
import { stepOfCode } from './totp.ts';

/**
 * Uses up a code of a member's second factor, with the transaction: six digits of the authenticator app, or a recovery code.
 * Fails with WRONG_SECOND_FACTOR if it is wrong, was used before, or the member has no factor.
 */
export async function takeSecondFactor(
  tx: TenantTransaction,
  masters: readonly MasterKey[],
  organization: OrganizationId,
  staffId: number,
  code: string,
  nowMs: number,
): Promise<void> {
  if (!(await isTaken(tx, masters, organization, staffId, code, nowMs))) throw wrongSecondFactor();
}

/** The refusal of a wrong code. */
export function wrongSecondFactor() {
  return failure(
    'WRONG_SECOND_FACTOR',
    'code must be the one that the app shows now and not used before, or an unused recovery code.',
  );
}

async function isTaken(
  tx: TenantTransaction,
  masters: readonly MasterKey[],
  organization: OrganizationId,
  staffId: number,
  code: string,
  nowMs: number,
): Promise<boolean> {
  const digits = code.replace(/[\s-]/g, '');
  if (/^\d{6}$/.test(digits)) {
    const [[row]] = await tx.run(lockTotpSecret({ staffId }));
    if (row === undefined || row.confirmed_at === null) return false;
    const sealed = { masterKeyId: row.secret_master_key_id, wrapped: row.secret };
    const known = { sealed, lastStep: row.last_step };
    const step = stepOfCode(masters, organization, staffId, known, digits, nowMs);
    if (step === null) return false;
    tx.queue(noteTotpStep({ staffId, step }));
    return true;
  }
  const digest = recoveryCodeDigest(code);
  if (digest === null) return false;
  const [taken] = await tx.run(takeRecoveryCode({ staffId, digest }));
  return taken.length > 0;
}
