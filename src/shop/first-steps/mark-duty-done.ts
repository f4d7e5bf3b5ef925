import { lockOrganization, setDutySettings } from '../../access/organizations/organizations.ts';
import { type DutyName, dutyOn, dutyTraits } from '../../engines/jurisdictions/duty.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';

/**
 * Keeps that people have done what a duty asks for, with who and when; the audit has every time. Fails with INVALID_PARAMS for a duty that the
 * service itself enforces or records today.
 */
export async function markDutyDone(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  staffId: number,
  duty: DutyName,
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const [[row]] = await tx.run(lockOrganization({}));
    assert(row !== undefined, 'the organization exists');
    const today = localDateAt(nowMs, row.tz);
    const known = dutyOn(context.law.current.find(row.state)?.duties, duty, today);
    const kind = known.known === 'value' ? known.duty.kind : null;
    if (kind === 'enforced' || kind === 'recorded') {
      const { name } = dutyTraits[duty];
      throw failure(
        'INVALID_PARAMS',
        `duty must be one that people meet by hand: ${name} is ${kind} by the service`,
      );
    }
    const { duty_settings: stored } = row;
    const before = stored.done?.[duty];
    const dutySettings = { ...stored, done: { ...stored.done, [duty]: { at: nowMs, staffId } } };
    tx.queue(setDutySettings({ dutySettings: JSON.stringify(dutySettings), at: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: 'organization.updated',
      subjectType: 'organization',
      subjectId: organization,
      payload: { organizationId: organization },
      details: {
        organizationId: organization,
        dutyDone: {
          from: before === undefined ? null : { duty, at: isoTimestamp(before.at) },
          to: { duty, at: isoTimestamp(nowMs) },
        },
      },
    });
  });
}
