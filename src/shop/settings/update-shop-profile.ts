import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { type LabelTemplates, readLabels } from './label-templates.ts';
import { type OpeningHours, type ShopAddress, sortedHours } from './shop-profile.ts';
import { insertShopProfile, lockShopProfile, updateShopProfile } from './shop-profile-queries.ts';

/** Some of the profile; what is undefined stays. */
interface ShopProfileChanges {
  readonly address?: ShopAddress | null;
  readonly hours?: readonly OpeningHours[];
  readonly logoLocation?: string | null;
  readonly labels?: LabelTemplates;
}

/** Changes what web shops show of the organization. Unchanged values write nothing. Fails with STALE_EDIT. */
export async function changeShopProfile(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { hours, labels, ...changes }: ShopProfileChanges,
): Promise<void> {
  const asked = {
    ...changes,
    ...(hours !== undefined && { hours: sortedHours(hours) }),
    ...(labels !== undefined && { labels: readLabels(labels) }),
  };
  await context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const at = isoTimestamp(nowMs);
    const [, [row]] = await tx.run(insertShopProfile({ at }), lockShopProfile({}));
    assert(row !== undefined, 'the profile has a row');
    refuseStaleEdit(origin, row.updated_at);
    const before = {
      ...{ address: row.address, hours: row.hours, logoLocation: row.logo_location },
      labels: row.labels,
    };
    const after = { ...before, ...asked };
    const told = changesOf(before, after);
    if (told === null) return;
    tx.queue(
      updateShopProfile({
        address: after.address && JSON.stringify(after.address),
        hours: JSON.stringify(after.hours),
        logoLocation: after.logoLocation,
        labels: after.labels && JSON.stringify(after.labels),
        at,
      }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'organization.updated',
      subjectType: 'organization',
      subjectId: organization,
      payload: { organizationId: organization },
      details: { organizationId: organization, ...told },
    });
  });
}
