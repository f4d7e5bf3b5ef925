import { lockOrganization, updateOrganizationRow } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { emailProblem, refuseLookAlikeName } from '../../kernel/look-alikes.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import {
  deleteOrderTypeLocations,
  insertOrderTypeLocations,
  selectLocations,
  selectOrderTypeLocations,
} from '../inventory/stock.ts';
import {
  assertSettingsFit,
  mergeSettings,
  type OrganizationChanges,
  type OrganizationSettings,
  orderTypes,
  organizationSettings,
} from './organization-settings.ts';

/**
 * Changes the given settings of an organization; unchanged values write nothing. Carts and orders follow at once.
 * Fails with INVALID_PARAMS when the settings would contradict each other.
 */
export async function updateOrganization(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  changes: OrganizationChanges,
): Promise<void> {
  if (changes.name !== undefined) refuseLookAlikeName(changes.name);
  const emailOdds = changes.customerEmail === undefined ? null : emailProblem(changes.customerEmail);
  if (emailOdds !== null) throw failure('INVALID_PARAMS', `customerEmail ${emailOdds}.`);
  await context.database.write(organization, async (tx) => {
    const [[row], drawnFrom, locations] = await tx.run(
      lockOrganization({}),
      selectOrderTypeLocations({}),
      selectLocations({}),
    );
    assert(row !== undefined, 'an organization with staff exists');
    refuseStaleEdit(origin, row.updated_at);
    const nowMs = context.clock.now();
    const before = organizationSettings(row, drawnFrom);
    const after = mergeSettings(before, changes);
    const told = changesOf(before, after);
    if (told === null) return;
    assertSettingsFit(
      after,
      before,
      locations.map(({ id }) => id),
    );
    tx.queue(updateOrganizationRow({ ...columnsOf(after), at: isoTimestamp(nowMs) }));
    if ('locationsByOrderType' in told) {
      tx.queue(
        deleteOrderTypeLocations({ orderTypes }),
        ...insertOrderTypeLocations(
          orderTypes.flatMap((orderType) =>
            after.locationsByOrderType[orderType].map((locationId, position) => ({
              orderType,
              position,
              locationId,
            })),
          ),
        ),
      );
    }
    await announce(tx, context, origin, nowMs, {
      event: 'organization.updated',
      subjectType: 'organization',
      subjectId: organization,
      payload: { organizationId: organization },
      details: { organizationId: organization, ...told },
    });
  });
}

function columnsOf(settings: OrganizationSettings) {
  const { statusOnCreation, orderMinimums, discountLimits, locationsByOrderType, customerMails, ...rest } =
    settings;
  const { needsTimeSlot, ...columns } = rest;
  return {
    ...columns,
    leftTaxesDismissed: JSON.stringify(columns.leftTaxesDismissed),
    deliveryStatusOnCreation: statusOnCreation.delivery,
    pickupStatusOnCreation: statusOnCreation.pickup,
    deliveryMinimumCents: orderMinimums.delivery,
    pickupMinimumCents: orderMinimums.pickup,
    deliveryNeedsTimeSlot: needsTimeSlot.delivery,
    pickupNeedsTimeSlot: needsTimeSlot.pickup,
    budtenderDiscountPercent: discountLimits.budtenderPercent,
    managerDiscountPercent: discountLimits.managerPercent,
    maximumDiscountPercent: discountLimits.maximumPercent,
    mailsReceipts: customerMails.receipts,
    mailsReady: customerMails.ready,
    mailsOutForDelivery: customerMails.outForDelivery,
    mailsCanceled: customerMails.canceled,
  };
}
