import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type StaffRole, staffRoles } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { statement } from '../../platform/statements/statement.ts';

/* What an organization asks of the sign-in of its staff (D72). */

interface SignInRules {
  /** Roles whose people need a second factor. */
  readonly secondFactorRoles: readonly StaffRole[];
  /** Cents. A refund of more needs a recent proof; null: none does. */
  readonly refundProofAbove: number | null;
  /** IP addresses and ranges that staff sign in and act from; empty: from everywhere. */
  readonly allowedAddresses: readonly string[];
}

interface SignInRulesRow {
  second_factor_roles: StaffRole[];
  refund_proof_cents: number | null;
  allowed_addresses: string[];
}

export const selectSignInRules = statement<Record<never, never>, SignInRulesRow>(
  'select_sign_in_rules',
  `select second_factor_roles, refund_proof_cents, allowed_addresses from staff_sign_in_rules
    where organization_id = :organizationId`,
);

/** Two owners who change the rules at once do so one after the other. */
const lockSignInRules = statement<Record<never, never>, SignInRulesRow>(
  'lock_sign_in_rules',
  `select second_factor_roles, refund_proof_cents, allowed_addresses from staff_sign_in_rules
    where organization_id = :organizationId for update`,
);

const insertNoRules = statement<{ at: string }, never>(
  'insert_no_sign_in_rules',
  `insert into staff_sign_in_rules (organization_id, updated_at) values (:organizationId, :at)
    on conflict (organization_id) do nothing`,
);

const setSignInRules = statement<
  {
    secondFactorRoles: readonly StaffRole[];
    refundProofCents: number | null;
    allowedAddresses: readonly string[];
    at: string;
  },
  never
>(
  'set_sign_in_rules',
  `update staff_sign_in_rules
      set second_factor_roles = :secondFactorRoles, refund_proof_cents = :refundProofCents,
          allowed_addresses = :allowedAddresses, updated_at = :at
    where organization_id = :organizationId`,
);

/** The rules of a row; without one, nothing is asked beyond the password. */
export function rulesOf(row: SignInRulesRow | undefined): SignInRules {
  return {
    secondFactorRoles: staffRoles.filter((role) => row?.second_factor_roles.includes(role)),
    refundProofAbove: row?.refund_proof_cents ?? null,
    allowedAddresses: row?.allowed_addresses ?? [],
  };
}

/** Changes the rules that are given. They hold for open sessions as well, within a second. */
export async function updateSignInRules(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  changes: Partial<SignInRules>,
): Promise<SignInRules> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  return context.database.write(
    organization,
    async (tx) => {
      const [, [row]] = await tx.run(insertNoRules({ at }), lockSignInRules({}));
      const former = rulesOf(row);
      const given = { ...former, ...changes };
      const rules = {
        secondFactorRoles: staffRoles.filter((role) => given.secondFactorRoles.includes(role)),
        refundProofAbove: given.refundProofAbove,
        allowedAddresses: [...new Set(given.allowedAddresses)],
      };
      const told = changesOf({ ...former }, rules);
      if (told === null) return former;
      tx.queue(
        setSignInRules({
          secondFactorRoles: rules.secondFactorRoles,
          refundProofCents: rules.refundProofAbove,
          allowedAddresses: rules.allowedAddresses,
          at,
        }),
      );
      await announce(tx, context, origin, nowMs, {
        event: 'staff.sign_in_rules_changed',
        subjectType: 'organization',
        subjectId: organization,
        payload: {},
        details: { ...told },
      });
      return rules;
    },
    { countsAsChange: false },
  );
}
