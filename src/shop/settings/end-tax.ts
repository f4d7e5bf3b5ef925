import { lockOrganization } from '../../access/organizations/organizations.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { selectTaxSettings, updateTax } from './tax-queries.ts';
import { hasEnded, type SavedTax, savedTax, toldTax } from './tax-settings.ts';

/**
 * Ends a tax now; an ended one stays unchanged, a future one never begins. Orders keep their charges. Fails with
 * TAX_NOT_FOUND.
 */
export async function endTax(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  taxId: number,
): Promise<SavedTax> {
  return context.database.write(organization, async (tx) => {
    const [, rows] = await tx.run(lockOrganization({}), selectTaxSettings({}));
    const nowMs = context.clock.now();
    const row = rows.find(({ id }) => id === taxId);
    if (row === undefined) throw failure('TAX_NOT_FOUND', 'There is no such tax.');
    const tax = savedTax(row);
    if (hasEnded(tax, nowMs)) return tax;
    const ended = withEnd(tax, nowMs, nowMs);
    tx.queue(endOf(ended));
    await announce(tx, context, origin, nowMs, taxEnded(tax, ended));
    return ended;
  });
}

/** The tax with another end. */
export function withEnd(tax: SavedTax, endsAtMs: number | null, nowMs: number): SavedTax {
  return { ...tax, endsAtMs, updatedAtMs: nowMs };
}

/** The update of a tax's end, description and source. */
export function endOf(tax: SavedTax) {
  return updateTax({
    id: tax.id,
    description: tax.description,
    endsAt: tax.endsAtMs === null ? null : isoTimestamp(tax.endsAtMs),
    patients: tax.patients && JSON.stringify(tax.patients),
    source: tax.ownSource && JSON.stringify(tax.ownSource),
    at: isoTimestamp(tax.updatedAtMs),
  });
}

/** The event of a tax that gets its end. */
export function taxEnded(former: SavedTax, ended: SavedTax): Announcement {
  const { id, description } = former;
  const { endsAt } = toldTax(ended);
  return {
    event: 'tax.ended',
    subjectType: 'tax',
    subjectId: id,
    payload: { taxId: id, endsAt },
    details: { taxId: id, description, ...changesOf(toldTax(former), toldTax(ended)) },
  };
}
