import { isDeepStrictEqual } from 'node:util';
import { lockOrganization } from '../../access/organizations/organizations.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { taxCreated, taxValues } from './create-tax.ts';
import { addTaxToZones } from './delivery-zone-queries.ts';
import { endOf, taxEnded, withEnd } from './end-tax.ts';
import { insertTaxes, selectTaxedCategories, selectTaxSettings } from './tax-queries.ts';
import {
  assertCategoriesExist,
  assertTaxFits,
  chargeTheSame,
  type DatedTax,
  hasEnded,
  type SavedTax,
  savedTax,
  toldTax,
} from './tax-settings.ts';

/** The changed fields; a start of null stays unchanged. */
export type TaxChanges = Partial<DatedTax>;

/**
 * Changes a tax. Description, end, source and the note on patients change in place. Any other change ends the tax and
 * starts another one at the same instant, so that the taxes of placed orders stay explainable. Resolves to the current
 * tax: the other one, if there is one. Fails with TAX_NOT_FOUND, TAX_ENDED, INVALID_PARAMS.
 */
export async function changeTax(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  taxId: number,
  sent: TaxChanges | ((former: SavedTax) => TaxChanges),
): Promise<SavedTax> {
  return context.database.write(organization, async (tx) => {
    const [, rows, categories] = await tx.run(
      lockOrganization({}),
      selectTaxSettings({}),
      selectTaxedCategories({}),
    );
    const nowMs = context.clock.now();
    const taxes = rows.map(savedTax);
    const former = taxes.find(({ id }) => id === taxId);
    if (former === undefined) throw failure('TAX_NOT_FOUND', 'There is no such tax.');
    refuseStaleEdit(origin, former.updatedAtMs);
    const changes = typeof sent === 'function' ? sent(former) : sent;
    const others = taxes.filter((tax) => tax !== former);
    const wanted = { ...former, ...changes, startsAtMs: changes.startsAtMs ?? former.startsAtMs };
    const movesStart = wanted.startsAtMs !== former.startsAtMs;
    const movesEnd = wanted.endsAtMs !== former.endsAtMs;
    const isReplaced = movesStart || !chargeTheSame(wanted, former);
    const isNoted =
      wanted.patients !== former.patients || !isDeepStrictEqual(wanted.ownSource, former.ownSource);
    if (!isReplaced && !movesEnd && !isNoted && wanted.description === former.description) return former;

    if (hasEnded(former, nowMs)) {
      throw failure('TAX_ENDED', `This tax ended at ${isoTimestamp(former.endsAtMs!)}; it cannot change.`);
    }
    assertCategoriesExist(wanted, categories, [
      ...former.excludedProductCategoryIds,
      ...former.nonExemptableProductCategoryIds,
    ]);
    if (isReplaced) return replaceTax(tx, context, origin, { former, wanted, others, movesStart }, nowMs);

    if (movesEnd && wanted.endsAtMs !== null && wanted.endsAtMs <= nowMs) {
      throw failure('INVALID_PARAMS', 'endsAt must be in the future; DELETE ends a tax now');
    }
    assertTaxFits(wanted, others, nowMs);
    const changed = { ...wanted, updatedAtMs: nowMs };
    tx.queue(endOf(changed));
    await announce(tx, context, origin, nowMs, taxUpdated(former, changed));
    return changed;
  });
}

/** The event of a tax whose description or end changes. */
export function taxUpdated(former: SavedTax, changed: SavedTax): Announcement {
  const { id, description } = former;
  const { endsAt } = toldTax(changed);
  return {
    event: 'tax.updated',
    subjectType: 'tax',
    subjectId: id,
    payload: { taxId: id, endsAt },
    details: { taxId: id, description, ...changesOf(toldTax(former), toldTax(changed)) },
  };
}

interface Replacement {
  readonly former: SavedTax;
  readonly wanted: SavedTax;
  readonly others: readonly SavedTax[];
  readonly movesStart: boolean;
}

async function replaceTax(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  { former, wanted, others, movesStart }: Replacement,
  nowMs: number,
): Promise<SavedTax> {
  const hasBegun = former.startsAtMs === null || former.startsAtMs <= nowMs;
  if (movesStart && wanted.startsAtMs! < nowMs) {
    throw failure(
      'INVALID_PARAMS',
      'startsAt must not be in the past: orders were charged at the former rate',
    );
  }
  if (movesStart && hasBegun && chargeTheSame(wanted, former)) {
    throw failure('INVALID_PARAMS', 'startsAt cannot be moved after the tax has begun');
  }
  const startsAtMs = movesStart ? wanted.startsAtMs! : Math.max(nowMs, former.startsAtMs ?? nowMs);
  const ended = withEnd(former, hasBegun ? startsAtMs : nowMs, nowMs);
  const begun: SavedTax = {
    ...wanted,
    id: await context.ids.takeOne(),
    startsAtMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  assertTaxFits(begun, [...others, ended], nowMs);
  tx.queue(
    endOf(ended),
    ...insertTaxes([taxValues(begun)]),
    addTaxToZones({ formerId: former.id, id: begun.id, at: isoTimestamp(nowMs) }),
  );
  await announce(tx, context, origin, nowMs, taxEnded(former, ended), taxCreated(begun, former));
  return begun;
}
