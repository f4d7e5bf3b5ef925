import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { refuseLookAlikeName } from '../../kernel/look-alikes.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { NonBlankText } from '../../platform/http/schemas.ts';
import { insertOrganization } from './organization-queries.ts';

export const OrganizationName = NonBlankText({ max: 200 });

/**
 * The time zones of the interface: the four of the description, and every other zone of the United States by its IANA name (D96).
 * Denver, Chicago and New York are among the four.
 */
export const timeZones = [
  'America/Los_Angeles',
  'US/Mountain',
  'US/Central',
  'US/Eastern',
  'America/Anchorage',
  'America/Adak',
  'America/Boise',
  'America/Detroit',
  'America/Indiana/Indianapolis',
  'America/Indiana/Knox',
  'America/Indiana/Marengo',
  'America/Indiana/Petersburg',
  'America/Indiana/Tell_City',
  'America/Indiana/Vevay',
  'America/Indiana/Vincennes',
  'America/Indiana/Winamac',
  'America/Juneau',
  'America/Kentucky/Louisville',
  'America/Kentucky/Monticello',
  'America/Menominee',
  'America/Metlakatla',
  'America/Nome',
  'America/North_Dakota/Beulah',
  'America/North_Dakota/Center',
  'America/North_Dakota/New_Salem',
  'America/Phoenix',
  'America/Sitka',
  'America/Yakutat',
  'Pacific/Honolulu',
] as const;
export type TimeZone = (typeof timeZones)[number];

export interface NewOrganization {
  readonly name: string;
  readonly state: string;
  readonly tz: TimeZone;
  readonly customerEmail?: string;
  readonly customerPhone?: string;
  readonly licenseNumber?: string;
  readonly taxesIncluded?: boolean;
  readonly hasDelivery?: boolean;
  readonly hasPickup?: boolean;
  readonly statusOnCreation?: { readonly delivery: 'draft' | 'new'; readonly pickup: 'draft' | 'new' };
  readonly orderMinimumCents?: { readonly delivery: number; readonly pickup: number };
  readonly budtenderDiscountPercent?: string;
  readonly managerDiscountPercent?: string;
  readonly medicalTaxExempt?: boolean;
  /** A shop to practice in, such as a demo: no goods change hands, so that it sells at night and to strangers. */
  readonly isPractice?: boolean;
}

/** Creates an organization (operator only). Resolves to its id. */
export async function createOrganization(
  context: Context,
  origin: Origin,
  settings: NewOrganization,
): Promise<OrganizationId> {
  refuseLookAlikeName(settings.name);
  const id = organizationId(await context.ids.takeOne());
  const nowMs = context.clock.now();
  await context.database.write(id, async (tx) => {
    tx.queue(
      insertOrganization({
        name: settings.name,
        customerEmail: settings.customerEmail ?? '',
        customerPhone: settings.customerPhone ?? '',
        licenseNumber: settings.licenseNumber ?? '',
        state: settings.state,
        tz: settings.tz,
        taxesIncluded: settings.taxesIncluded ?? false,
        hasDelivery: settings.hasDelivery ?? true,
        hasPickup: settings.hasPickup ?? true,
        deliveryStatusOnCreation: settings.statusOnCreation?.delivery ?? 'draft',
        pickupStatusOnCreation: settings.statusOnCreation?.pickup ?? 'draft',
        deliveryMinimumCents: settings.orderMinimumCents?.delivery ?? 0,
        pickupMinimumCents: settings.orderMinimumCents?.pickup ?? 0,
        budtenderDiscountPercent: settings.budtenderDiscountPercent ?? null,
        managerDiscountPercent: settings.managerDiscountPercent ?? null,
        medicalTaxExempt: settings.medicalTaxExempt ?? false,
        dutySettings: JSON.stringify(settings.isPractice === true ? { isPractice: true } : {}),
        at: new Date(nowMs).toISOString(),
      }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'organization.created',
      subjectType: 'organization',
      subjectId: id,
      payload: { organizationId: id },
    });
  });
  return id;
}
