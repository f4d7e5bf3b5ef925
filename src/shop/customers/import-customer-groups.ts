import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import { insertCustomerGroups, insertGroupMembers } from './customer-group-queries.ts';

interface ImportedGroup {
  readonly name: string;
  readonly description: string | null;
  readonly memberIds: readonly number[];
}

/** Imports groups with their members: all or nothing. Resolves to the ids of the groups, by name. */
export async function importCustomerGroups(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  groups: readonly ImportedGroup[],
): Promise<ReadonlyMap<string, number>> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const ids = await context.ids.take(groups.length);
  const imported = groups.map((group, index) => ({ ...group, id: ids[index]! }));
  await context.database.write(organization, async (tx) => {
    tx.queue(
      ...insertCustomerGroups(
        imported.map(({ id, name, description }) => ({
          id,
          name,
          description,
          createdAt: at,
          updatedAt: at,
        })),
      ),
      ...insertGroupMembers(
        imported.flatMap(({ id, memberIds }) =>
          memberIds.map((userId) => ({ userId, customerGroupId: id, addedAt: at })),
        ),
      ),
    );
    const announcements = imported.flatMap(({ id, memberIds }): Announcement[] => {
      const subject = { subjectType: 'customer_group' as const, subjectId: id };
      return [
        { event: 'customer_group.created', ...subject, payload: { customerGroupId: id } },
        ...memberIds.map(
          (customerId): Announcement => ({
            event: 'customer_group.customer_added',
            ...subject,
            payload: { customerGroupId: id, customerId },
          }),
        ),
      ];
    });
    await announce(tx, context, origin, nowMs, ...announcements);
  });
  return new Map(imported.map(({ name, id }) => [name, id]));
}
