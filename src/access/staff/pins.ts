import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { Attempt, StaffCaller } from '../../platform/http/endpoint.ts';
import { statement } from '../../platform/statements/statement.ts';
import { lockOrganization } from '../organizations/organizations.ts';
import { hashPin } from './passwords.ts';

/*
 * PINs change who is at a shared register, and are a manager's word there. All of an organization have one salt, so whose a PIN is takes
 * one slow hash and one look-up, and no two people have the same one. What is short is protected by the limit of guesses
 * (`pinsOfAll`), and opens nothing without a session of a member in the shop.
 */

const saltBytes = 16;

const selectPinSalt = statement<Record<never, never>, { salt: string }>(
  'select_pin_salt',
  `select split_part(pin_hash, '$', 5) as salt from staff_members
    where organization_id = :organizationId and pin_hash is not null order by id limit 1`,
);

const findStaffByPin = statement<{ pinHash: string }, { id: number; is_disabled: boolean }>(
  'find_staff_by_pin',
  `select id, disabled_at is not null as is_disabled from staff_members
    where organization_id = :organizationId and pin_hash = :pinHash`,
);

/** Null: the member has none. */
export const setStaffPin = statement<{ id: number; pinHash: string | null }, never>(
  'set_staff_pin',
  'update staff_members set pin_hash = :pinHash where organization_id = :organizationId and id = :id',
);

type CountAttempt = (attempt: Attempt) => Promise<{ giveBack(): void }>;

const attemptOf = ({ organizationId, sessionId }: StaffCaller): Attempt => ({
  kind: 'pin',
  name: String(sessionId),
  account: String(organizationId),
});

/** Fewer digits for those whose word opens nothing to others. */
const digitsMinOf = (role: StaffRole): number => (role === 'owner' || role === 'manager' ? 6 : 4);

/** Whether a PIN of the former role may have too few digits for the new one. */
export function needsLongerPin(former: StaffRole, role: StaffRole): boolean {
  return digitsMinOf(role) > digitsMinOf(former);
}

function refuseWeakPin(pin: string, role: StaffRole): void {
  const digitsMin = digitsMinOf(role);
  if (pin.length < digitsMin) {
    throw failure('INVALID_PARAMS', `pin must have at least ${digitsMin} digits for the role ${role}.`);
  }
  const steps = new Set([...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index])));
  if (steps.size === 1 && Math.abs([...steps][0]!) <= 1) {
    throw failure('INVALID_PARAMS', 'pin must not be one digit repeated, nor digits in a row.');
  }
}

/**
 * Sets or removes the PIN of the signed-in member. A PIN that is taken is refused, and counts as a wrong guess; that of a disabled
 * member is not taken.
 */
export async function setPin(
  context: Context,
  origin: Origin,
  staff: StaffCaller,
  pin: string | null,
  countAttempt: CountAttempt,
): Promise<void> {
  const { organizationId, staffId, role } = staff;
  if (pin !== null) refuseWeakPin(pin, role);
  const attempt = await countAttempt(attemptOf(staff));
  await context.database.write(organizationId, async (tx) => {
    // Two first PINs at once would have two salts.
    const [, [known]] = await tx.run(lockOrganization({}), selectPinSalt({}));
    const salt = known === undefined ? context.randomBytes(saltBytes) : Buffer.from(known.salt, 'base64');
    const pinHash = pin === null ? null : await hashPin(pin, salt);
    const [[taken]] = await tx.run(pinHash === null ? null : findStaffByPin({ pinHash }));
    if (taken !== undefined && taken.id !== staffId) {
      if (!taken.is_disabled) {
        throw failure('INVALID_PARAMS', 'pin must be another one: this one cannot be used.');
      }
      tx.queue(setStaffPin({ id: taken.id, pinHash: null }));
    }
    tx.queue(setStaffPin({ id: staffId, pinHash }));
    await announce(tx, context, origin, context.clock.now(), {
      event: 'staff.pin_changed',
      subjectType: 'staff',
      subjectId: staffId,
      payload: { staffId },
    });
  });
  attempt.giveBack();
}

/**
 * The member whose PIN it is. A wrong one counts for the session and the shop, is in the audit log, and fails with INVALID_PARAMS; too many,
 * with RATE_LIMITED.
 */
export async function findByPin(
  context: Context,
  origin: Origin,
  staff: StaffCaller,
  pin: string,
  countAttempt: CountAttempt,
): Promise<number> {
  const { organizationId, staffId } = staff;
  const attempt = await countAttempt(attemptOf(staff));
  const id = await idOfPin(context, organizationId, pin);
  if (id !== null) {
    attempt.giveBack();
    return id;
  }
  await context.database.write(
    organizationId,
    (tx) =>
      announce(tx, context, origin, context.clock.now(), {
        event: 'staff.pin_refused',
        subjectType: 'staff',
        subjectId: staffId,
        payload: { staffId },
      }),
    { countsAsChange: false },
  );
  throw failure('INVALID_PARAMS', 'pin must be the PIN of a member of staff.');
}

/** As long for a shop without PINs. */
async function idOfPin(
  { database, randomBytes }: Context,
  organizationId: OrganizationId,
  pin: string,
): Promise<number | null> {
  const [[known]] = await database.read(organizationId, selectPinSalt({}));
  const salt = known === undefined ? randomBytes(saltBytes) : Buffer.from(known.salt, 'base64');
  const pinHash = await hashPin(pin, salt);
  const [[found]] = await database.read(organizationId, findStaffByPin({ pinHash }));
  return found === undefined || found.is_disabled ? null : found.id;
}
