import type { OrganizationId } from '../../kernel/ids.ts';
import { refuseLookAlikes } from '../../kernel/look-alikes.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { hashPassword } from './passwords.ts';
import { emailDigest, normalizedEmail } from './staff-email.ts';
import { insertStaffEmailDigests, insertStaffMembers } from './staff-queries.ts';

interface NewStaffMember {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: StaffRole;
  /** Null: cannot sign in. */
  readonly password: string | null;
}

/** Adds staff of an organization; passwords are stored as argon2id hashes. Resolves to the ids, in order. */
export async function createStaff(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  members: readonly NewStaffMember[],
): Promise<number[]> {
  for (const member of members) refuseLookAlikes(member);
  const ids = await context.ids.take(members.length);
  const nowMs = context.clock.now();
  const createdAt = new Date(nowMs).toISOString();
  const rows = await Promise.all(
    members.map(async (member, index) => ({
      id: ids[index]!,
      email: member.email.trim(),
      emailNormalized: normalizedEmail(member.email),
      firstName: member.firstName,
      lastName: member.lastName,
      role: member.role,
      passwordHash: member.password === null ? null : await hashPassword(member.password),
      createdAt,
    })),
  );
  await context.database.write(organization, async (tx) => {
    tx.queue(
      ...insertStaffMembers(rows),
      ...insertStaffEmailDigests(
        rows.map(({ id, emailNormalized }) => ({ digest: emailDigest(emailNormalized), staffId: id })),
      ),
    );
    await announce(
      tx,
      context,
      origin,
      nowMs,
      ...rows.map((row) => ({
        event: 'staff.created' as const,
        subjectType: 'staff' as const,
        subjectId: row.id,
        payload: { staffId: row.id, role: row.role },
      })),
    );
  });
  return ids;
}
