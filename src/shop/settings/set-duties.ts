import type { OrganizationRow, StoredDuties } from '../../access/organizations/organization-queries.ts';
import { lockOrganization, setDutySettings } from '../../access/organizations/organizations.ts';
import type { OverridableDuty } from '../../engines/duties/shop-duties.ts';
import { type ClockWindow, type DutyName, dutyOn } from '../../engines/jurisdictions/duty.ts';
import type { Jurisdiction } from '../../engines/jurisdictions/jurisdiction.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';

/** How an owner says that the shop meets its duties. */
export interface DutySettings {
  /** Narrower hours than those of the law; null: the law's. */
  readonly saleHours: ClockWindow | null;
  /** Duties that the owner answers for, each with its reason. */
  readonly overrides: readonly { readonly duty: OverridableDuty; readonly reason: string }[];
  /** An ID is seen before cannabis is handed over, also where the law does not ask for it. */
  readonly idCheck: boolean;
  /** The most cannabis that a vehicle carries, in cents; null: as the law says. */
  readonly vehicleValue: number | null;
}

/** What stays as it is where it is not sent. */
type Kept = 'idCheck' | 'vehicleValue';

/**
 * Sets how the shop meets its duties (D93); the audit keeps the reasons. Unchanged settings write nothing. Fails with INVALID_PARAMS for hours
 * without a length, and for a duty that the law lets no owner answer for.
 */
export async function setDuties(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  {
    saleHours,
    overrides,
    ...asked
  }: Omit<DutySettings, Kept> & { readonly [Name in Kept]?: DutySettings[Name] | undefined },
): Promise<void> {
  if (saleHours !== null && saleHours.from === saleHours.to) {
    throw failure('INVALID_PARAMS', 'saleHours.to must not equal saleHours.from');
  }
  await context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const [[row]] = await tx.run(lockOrganization({}));
    assert(row !== undefined, 'the organization exists');
    const jurisdiction = context.law.current.find(row.state);
    refuseLaxer(jurisdiction, overrides, localDateAt(nowMs, row.tz));
    const before = shownDuties(row);
    const { idCheck = before.idCheck, vehicleValue = before.vehicleValue } = asked;
    const told = changesOf(before, { saleHours, overrides, idCheck, vehicleValue });
    if (told === null) return;
    const stored: StoredDuties = {
      ...row.duty_settings,
      saleHours,
      idCheck,
      vehicleValueCents: vehicleValue,
      overrides: Object.fromEntries(overrides.map(({ duty, reason }) => [duty, reason])),
    };
    tx.queue(setDutySettings({ dutySettings: JSON.stringify(stored), at: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: 'organization.updated',
      subjectType: 'organization',
      subjectId: organization,
      payload: { organizationId: organization },
      details: { organizationId: organization, ...told },
    });
  });
}

/** The settings of a row, as an owner sent them. */
export function shownDuties({ duty_settings: stored }: Pick<OrganizationRow, 'duty_settings'>): DutySettings {
  const overrides = Object.entries(stored.overrides ?? {}) as [OverridableDuty, string][];
  return {
    saleHours: stored.saleHours ?? null,
    idCheck: stored.idCheck ?? false,
    vehicleValue: stored.vehicleValueCents ?? null,
    overrides: overrides.map(([duty, reason]) => ({ duty, reason })),
  };
}

/** The named buyer is the shop's own way to keep a limit: its owner may answer for another one in any state. */
function refuseLaxer(
  jurisdiction: Jurisdiction | null,
  overrides: DutySettings['overrides'],
  today: string,
): void {
  for (const [index, { duty }] of overrides.entries()) {
    const field = `overrides[${index}].duty`;
    if (overrides.findIndex((other) => other.duty === duty) !== index) {
      throw failure('INVALID_PARAMS', `${field} must name each duty once`);
    }
    if (duty === 'buyer') continue;
    const known = dutyOn(jurisdiction?.duties, duty satisfies DutyName, today);
    if (known.known === 'value' && known.duty.ownerMayOverride) continue;
    const law = jurisdiction === null ? 'the law' : `the law of ${jurisdiction.name}`;
    throw failure('INVALID_PARAMS', `${field}: ${law} lets no owner answer for ${duty}`);
  }
}
