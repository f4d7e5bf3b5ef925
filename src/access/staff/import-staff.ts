import Type, { type Static } from 'typebox';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { ImportOutcome } from '../../kernel/import-outcome.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { refuseLookAlikes } from '../../kernel/look-alikes.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { requestValidator } from '../../platform/http/request-validation.ts';
import { NonBlankText, Nullable, OneOf } from '../../platform/http/schemas.ts';
import { emailDigest, normalizedEmail, StaffEmail } from './staff-email.ts';
import { insertStaffEmailDigests, insertStaffMembers, selectStaffOfEmails } from './staff-queries.ts';

/** Whom a file may bring. An owner may do everything, so owners are invited by hand. */
const roles = ['manager', 'budtender', 'inventory'] as const;

const Row = Type.Object({
  email: StaffEmail,
  firstName: NonBlankText({ max: 200 }),
  lastName: NonBlankText({ max: 200 }),
  role: Type.Optional(Nullable(OneOf(roles))),
});

const validate = requestValidator({ body: Row, resourceParams: {} });

/** A member of staff of an import. */
export interface StaffRowToImport {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: (typeof roles)[number];
}

/** The row of a member as the staff's list and an export have one. Null: it is none; a text: why it is left out. */
export function exportedStaff(
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | string | null {
  const { email, firstName, lastName, role, disabledAt } = values;
  if (!('hasSecondFactor' in values) || disabledAt === undefined) return null;
  if (role === 'owner') return 'is an owner, whom no file makes, and was left out';
  if (disabledAt !== null) return 'is a member of staff who was disabled, and was left out';
  return { email, firstName, lastName, role };
}

/** Parses a member of staff of an import: a budtender, unless the file says more. Fails with MISSING_PARAMS and INVALID_PARAMS. */
export function readStaffRow(body: unknown): StaffRowToImport {
  const sent = validate({}, {}, body, true).body as Static<typeof Row>;
  refuseLookAlikes(sent);
  return { ...sent, email: sent.email.trim(), role: sent.role ?? 'budtender' };
}

/** A file names a person by the email. */
export function staffRowKeys({ email }: StaffRowToImport): readonly string[] {
  return [normalizedEmail(email)];
}

/**
 * Adds members of staff who cannot sign in yet: an owner sends each an invitation. One whose email is on file stays as they are.
 * Resolves to the result of each, in order; `isTrial` writes nothing.
 */
export async function importStaff(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  rows: readonly StaffRowToImport[],
  { isTrial }: { readonly isTrial: boolean },
): Promise<ImportOutcome[]> {
  const ids = await context.ids.take(rows.length);
  return context.database.write(
    organization,
    async (tx) => {
      const nowMs = context.clock.now();
      const [known] = await tx.run(
        selectStaffOfEmails({ emails: rows.map(({ email }) => normalizedEmail(email)) }),
      );
      const idOf = new Map(known.map((row) => [row.email_normalized, row.id]));
      const outcomes = rows.map(({ email }, at): ImportOutcome => {
        const here = idOf.get(normalizedEmail(email));
        return here === undefined ? { kind: 'created', id: ids[at]! } : { kind: 'known', id: here };
      });
      const fresh = outcomes.flatMap(({ kind }, at) =>
        kind === 'created' ? [{ id: ids[at]!, ...rows[at]! }] : [],
      );
      if (isTrial || fresh.length === 0) return outcomes;
      tx.queue(
        ...insertStaffMembers(
          fresh.map((member) => ({
            ...member,
            emailNormalized: normalizedEmail(member.email),
            passwordHash: null,
            createdAt: isoTimestamp(nowMs),
          })),
        ),
        ...insertStaffEmailDigests(
          fresh.map(({ id, email }) => ({ digest: emailDigest(normalizedEmail(email)), staffId: id })),
        ),
      );
      await announce(
        tx,
        context,
        origin,
        nowMs,
        ...fresh.map(({ id, role }) => ({
          event: 'staff.created' as const,
          subjectType: 'staff' as const,
          subjectId: id,
          payload: { staffId: id, role },
        })),
      );
      return outcomes;
    },
    { retryOnConstraints: ['staff_members_organization_id_email_normalized_key'] },
  );
}
