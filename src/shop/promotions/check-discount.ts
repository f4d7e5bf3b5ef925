import { normalizeCode } from '../../engines/pricing/discounts/choose-discounts.ts';
import type { DiscountTargets } from '../../engines/pricing/discounts/discount-settings.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { type DiscountSetup, noTargets, refuseContradictions } from './discount-setup.ts';
import {
  lockGroupsOfDiscount,
  selectGroupsOfDiscount,
  selectKnownTargets,
  selectTakenCode,
} from './discount-setup-queries.ts';
import { ownNamesOf } from './own-terms.ts';

const lists = ['productIds', 'optionIds', 'categoryIds', 'brandIds', 'tagIds'] as const;

/**
 * Fails with INVALID_PARAMS for a setup that contradicts itself, names an unknown id, or uses a code of another
 * discount that has not ended. Ids that the discount already has are not looked up: they may be deleted since.
 * A caller that saves holds `lockDiscountSetup`, and with `lock` the customer groups that the discount names.
 */
export async function checkDiscount(
  tx: Pick<TenantTransaction, 'run'>,
  id: number,
  before: DiscountSetup | null,
  setup: DiscountSetup,
  nowMs: number,
  { lock }: { readonly lock: boolean } = { lock: true },
): Promise<void> {
  refuseContradictions(setup);
  const newIds = (sent: readonly number[], had: readonly number[] = []) =>
    sent.filter((each) => !had.includes(each));
  const placed = (['targets', ...ownNamesOf('targets')] as const).map((path) => {
    const sent = setup[path] ?? noTargets;
    const had = before?.[path] ?? noTargets;
    return { path, sent, wanted: mapLists((list) => newIds(sent[list], had[list])) };
  });
  const groupIds = newIds(setup.conditions.customerGroupIds, before?.conditions.customerGroupIds);
  const { endsAtMs } = setup.conditions;
  const isLive = endsAtMs === null || endsAtMs > nowMs;
  const codeKeys = isLive ? setup.codes.map(normalizeCode) : [];
  const wanted = mapLists((list) => placed.flatMap((place) => place.wanted[list]));
  const [known, groups, [taken]] = await tx.run(
    lists.some((list) => wanted[list].length > 0) ? selectKnownTargets({ ...wanted }) : null,
    groupIds.length > 0 ? (lock ? lockGroupsOfDiscount : selectGroupsOfDiscount)({ ids: groupIds }) : null,
    codeKeys.length > 0 ? selectTakenCode({ codeKeys, exceptId: id, at: isoTimestamp(nowMs) }) : null,
  );

  const isKnown = new Set(known.map((row) => `${row.list} ${row.id}`));
  for (const { path, sent, wanted } of placed) {
    for (const list of lists) {
      const unknown = wanted[list].find((each) => !isKnown.has(`${list} ${each}`));
      if (unknown === undefined) continue;
      const at = sent[list].indexOf(unknown);
      throw failure('INVALID_PARAMS', `${path}.${list}[${at}] is unknown.`);
    }
  }
  const unknownGroup = groupIds.find((each) => !groups.some((group) => group.id === each));
  if (unknownGroup !== undefined) {
    const at = setup.conditions.customerGroupIds.indexOf(unknownGroup);
    throw failure('INVALID_PARAMS', `conditions.customerGroupIds[${at}] is unknown.`);
  }
  if (taken !== undefined) {
    const at = setup.codes.findIndex((code) => normalizeCode(code) === taken.code_key);
    throw failure('INVALID_PARAMS', `codes[${at}] is a code of "${taken.name}", which has not ended.`);
  }
}

function mapLists(idsOf: (list: keyof DiscountTargets) => readonly number[]): DiscountTargets {
  return {
    productIds: idsOf('productIds'),
    optionIds: idsOf('optionIds'),
    categoryIds: idsOf('categoryIds'),
    brandIds: idsOf('brandIds'),
    tagIds: idsOf('tagIds'),
  };
}
