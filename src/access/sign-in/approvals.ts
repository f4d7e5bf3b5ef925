import type { ApprovalKind } from '../../kernel/approval-kinds.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { Attempt, StaffCaller } from '../../platform/http/endpoint.ts';
import type { Approve } from '../../platform/http/staff-admission.ts';
import { findStaffAccount } from '../sessions/sessions.ts';
import { findByPin } from '../staff/staff.ts';

/** How long an approval counts: the length of a sale. */
const lifeMs = 600_000;
/** Between the id of the key and what it seals. */
const separator = '.';

/** Sealed for one session and one kind of act: it opens for no other. */
const labelOf = ({ organizationId, sessionId }: StaffCaller, kind: ApprovalKind): string =>
  `approval ${organizationId} ${sessionId} ${kind}`;

const approvers: readonly StaffRole[] = ['owner', 'manager'];

export interface GivenApproval {
  readonly token: string;
  readonly expiresAt: string;
  readonly approvedBy: { readonly id: number; readonly firstName: string; readonly lastName: string };
}

/**
 * A manager's word on the spot, by PIN, for acts of a kind in the session of another member: neither signs in or out. Fails with
 * INVALID_PARAMS for a wrong PIN, and with INSUFFICIENT_PERMISSIONS when its member may not approve.
 */
export async function giveApproval(
  context: Context,
  origin: Origin,
  staff: StaffCaller,
  { pin, kind }: { readonly pin: string; readonly kind: ApprovalKind },
  countAttempt: (attempt: Attempt) => Promise<{ giveBack(): void }>,
): Promise<GivenApproval> {
  const { organizationId, staffId } = staff;
  const id = await findByPin(context, origin, staff, pin, countAttempt);
  const [[member]] = await context.database.read(organizationId, findStaffAccount({ id }));
  if (member === undefined || !approvers.includes(member.role as StaffRole)) {
    throw failure('INSUFFICIENT_PERMISSIONS', 'Only owners and managers approve.');
  }
  const nowMs = context.clock.now();
  const untilMs = nowMs + lifeMs;
  const sealer = await context.sealing.load();
  const { sealed, masterKeyId } = sealer.seal(JSON.stringify({ id, untilMs }), labelOf(staff, kind));
  await context.database.write(
    organizationId,
    (tx) =>
      announce(tx, context, origin, nowMs, {
        event: 'staff.approved',
        subjectType: 'staff',
        subjectId: id,
        payload: { staffId: id, forStaffId: staffId },
        details: { kind, forStaffId: staffId },
      }),
    { countsAsChange: false },
  );
  return {
    token: [masterKeyId, Buffer.from(sealed).toString('base64url')].join(separator),
    expiresAt: isoTimestamp(untilMs),
    approvedBy: { id, firstName: member.first_name, lastName: member.last_name },
  };
}

/** Reads approvals. Who approved must still be in the shop, with the role that they have now. */
export function approveBy({ database, sealing, clock }: Context): Approve {
  return async (token, staff, kind) => {
    const at = token.lastIndexOf(separator);
    const sealed = {
      masterKeyId: token.slice(0, at),
      sealed: Buffer.from(token.slice(at + 1), 'base64url'),
    };
    const opened = at < 1 ? null : (await sealing.load()).open(sealed, labelOf(staff, kind));
    if (opened === null) return staff;
    const { id, untilMs } = JSON.parse(opened) as { id: number; untilMs: number };
    if (clock.now() >= untilMs) return staff;
    const [[member]] = await database.read(staff.organizationId, findStaffAccount({ id }));
    if (member === undefined || member.disabled_at !== null) return staff;
    return { ...staff, role: member.role as StaffRole, approvedByStaffId: id };
  };
}
