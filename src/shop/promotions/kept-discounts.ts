import {
  type DiscountFacts,
  isOpen,
  normalizeCode,
} from '../../engines/pricing/discounts/choose-discounts.ts';
import { discountKinds } from '../../engines/pricing/discounts/discount-kinds.ts';
import type { DiscountRule } from '../../engines/pricing/discounts/discount-settings.ts';
import { localMomentAt } from '../../kernel/local-time.ts';
import { discountFacts, type PromotionRequest } from './cart-promotions.ts';
import type { OfferedDiscountRow } from './promotion-queries.ts';

/* Which discounts an edited order may have, and with which terms (D88). Pure. */

/** A discount as an order used it. */
interface DiscountOfOrder {
  readonly row: Omit<OfferedDiscountRow, 'used' | 'only_option_ids'>;
  /** The options whose lines may have it on these terms; null: it is on the order. */
  readonly optionIds: readonly number[] | null;
}

/** The discounts of an order's time. */
export interface DiscountTerms {
  /** When the order was priced as a whole. */
  readonly atMs: number;
  /** The options of its lines that were priced then; later ones have the terms of the edit that added them. */
  readonly optionIds: readonly number[];
  /** The ids of all discounts that it was offered then, or asked for since. */
  readonly offered: readonly number[];
  /** Those that it uses. */
  readonly discounts: readonly DiscountOfOrder[];
}

/** What an edit does to the promotions of an order. */
interface PromotionEdit {
  readonly former: Pick<PromotionRequest, 'discountCodes' | 'chosenDiscountIds'>;
  readonly request: Pick<PromotionRequest, 'discountCodes' | 'chosenDiscountIds'>;
  /** The options of lines that stay, in whatever quantity. */
  readonly keptOptionIds: readonly number[];
  readonly newOptionIds: readonly number[];
  readonly timeZone: string;
  readonly nowMs: number;
}

/** A discount that the edited order is offered, as the engine gets it and as the order keeps it if it is used. */
export interface KeptDiscount {
  readonly offered: OfferedDiscountRow;
  readonly ofOrder: DiscountOfOrder;
}

/**
 * The discounts of an edited order. Lines that stay have those of the order's time: the ones that it uses as they were, whatever
 * became of them since, and the others that were in force then if they are unchanged. New lines have those that are in force now.
 * Discounts on the order are those of its time. A code or a discount that the edit asks for is for the whole order, as it is now.
 *
 * @param present the discounts of `terms`, as they are now
 * @param offeredNow the discounts that a new order would be offered
 */
export function keptDiscounts(
  terms: DiscountTerms,
  present: readonly OfferedDiscountRow[],
  offeredNow: readonly OfferedDiscountRow[],
  edit: PromotionEdit,
): KeptDiscount[] {
  const { keptOptionIds, newOptionIds } = edit;
  const allIds = [...keptOptionIds, ...newOptionIds];
  const used = terms.discounts.map(({ row, optionIds }) => ({
    row: { ...present.find(({ id }) => id === row.id), ...row } as OfferedDiscountRow,
    optionIds: isOnOrder(row)
      ? null
      : (optionIds ?? keptOptionIds).filter((id) => keptOptionIds.includes(id)),
  }));
  const isUsed = (id: number) => terms.discounts.some(({ row }) => row.id === id);
  const unused = present.filter((row) => terms.offered.includes(row.id) && !isUsed(row.id));
  const former = [
    ...used.map((it) => ({ ...it, offered: withoutConditions(it.row) })),
    ...unused.flatMap((row) => {
      const optionIds = isOnOrder(row) ? null : keptOptionIds.filter((id) => terms.optionIds.includes(id));
      // It was asked for, so it applied.
      if (row.trigger !== 'automatic') return [{ row, optionIds, offered: withoutConditions(row) }];
      return wasInForce(row, terms.atMs, edit.timeZone)
        ? [{ row, optionIds, offered: { ...row, ...always } }]
        : [];
    }),
  ];
  const kept: KeptDiscount[] = [];
  const taken = new Set<OfferedDiscountRow>();
  for (const { row, optionIds, offered } of former) {
    const again = offeredNow.find((it) => it.id === row.id && sameTerms(it, row));
    // One discount for old and new lines, so that both can fulfil its condition together.
    const joins = again !== undefined && optionIds !== null && isOpenAt(again, edit.nowMs, edit.timeZone);
    if (joins) taken.add(again);
    const ids = joins ? [...optionIds, ...newOptionIds] : optionIds;
    if (ids?.length === 0) continue;
    kept.push({
      offered: ids === null || ids.length === allIds.length ? offered : { ...offered, only_option_ids: ids },
      ofOrder: { row: stored(row), optionIds: ids },
    });
  }
  for (const row of offeredNow) {
    if (taken.has(row)) continue;
    const isAskedFor = isNewlyAskedFor(row, edit);
    if (isOnOrder(row) ? !isAskedFor : !isAskedFor && newOptionIds.length === 0) continue;
    if (isAskedFor && former.some((it) => it.row.id === row.id)) continue;
    // The order counts as one use already.
    const offered = isUsed(row.id) ? { ...row, uses_total: null, uses_per_customer: null } : row;
    kept.push({
      offered: isAskedFor ? offered : { ...offered, only_option_ids: newOptionIds },
      ofOrder: { row: stored(row), optionIds: isOnOrder(row) ? null : isAskedFor ? allIds : newOptionIds },
    });
  }
  return kept.sort(
    (one, other) => one.offered.priority - other.offered.priority || one.offered.id - other.offered.id,
  );
}

/** The discounts that an order uses, on its terms and without the conditions of its time: for some of its goods. */
export function discountsOnLines(
  { discounts }: DiscountTerms,
  orderType: PromotionRequest['type'],
  asked: {
    readonly discountCodes: readonly string[];
    readonly discountIds: readonly number[];
    readonly discountAmounts?: PromotionRequest['givenAmounts'];
  },
): DiscountFacts | undefined {
  const offered = discounts.map(({ row, optionIds }): OfferedDiscountRow => {
    const whole = withoutConditions({ ...row, used: null });
    return optionIds === null ? whole : { ...whole, only_option_ids: optionIds };
  });
  const request = {
    type: orderType,
    discountCodes: asked.discountCodes,
    chosenDiscountIds: asked.discountIds.filter((id) => offered.some((row) => row.id === id)),
    givenAmounts: (asked.discountAmounts ?? []).filter(({ discountId }) =>
      offered.some(({ id }) => id === discountId),
    ),
  };
  return discountFacts(request, { offered, rewards: [] }, null, 'UTC', 0);
}

/** The discounts as an order keeps them, of those that it was offered without an edit. */
export function usedTerms(
  offered: readonly OfferedDiscountRow[],
  usedIds: readonly number[],
  optionIds: readonly number[],
): DiscountOfOrder[] {
  return offered
    .filter(({ id }) => usedIds.includes(id))
    .map((row) => ({ row: stored(row), optionIds: isOnOrder(row) ? null : optionIds }));
}

function stored({ used: _used, only_option_ids: _ids, ...row }: OfferedDiscountRow): DiscountOfOrder['row'] {
  return row;
}

function isOnOrder({ kind }: Pick<OfferedDiscountRow, 'kind'>): boolean {
  const rule: DiscountRule = discountKinds[kind];
  return rule.level === 'order';
}

/** Conditions of the time and limits of uses that held when the order was priced. */
const always = { schedule: [], starts_at: null, ends_at: null };
const ofAnyCustomer = {
  customer_group_ids: [],
  customer_type: null,
  first_order: false,
  birthday_month: false,
};

function withoutConditions(row: OfferedDiscountRow): OfferedDiscountRow {
  return { ...row, ...always, ...ofAnyCustomer, uses_total: null, uses_per_customer: null };
}

/** Whether a discount that the order did not use was in force, for everybody, with the terms that it has now. */
function wasInForce(row: OfferedDiscountRow, atMs: number, timeZone: string): boolean {
  const { customer_group_ids: groupIds, customer_type: customerType } = row;
  const isForSome = groupIds.length > 0 || customerType !== null || row.first_order || row.birthday_month;
  return !isForSome && isOpenAt(row, atMs, timeZone) && (row.updated_at <= atMs || onlyEnded(row, atMs));
}

/** An end that was set later is the only change that is known to leave the other terms as they were. */
function onlyEnded(
  { ends_at: endsAtMs, updated_at: updatedAtMs }: OfferedDiscountRow,
  atMs: number,
): boolean {
  return endsAtMs !== null && endsAtMs > atMs && endsAtMs === updatedAtMs;
}

function isOpenAt(row: OfferedDiscountRow, atMs: number, timeZone: string): boolean {
  const { starts_at: startsAtMs, ends_at: endsAtMs, schedule } = row;
  if ((startsAtMs !== null && atMs < startsAtMs) || (endsAtMs !== null && atMs >= endsAtMs)) return false;
  const moment = localMomentAt(atMs, timeZone);
  return schedule.length === 0 || schedule.some((window) => isOpen(window, moment));
}

function sameTerms(one: OfferedDiscountRow, other: OfferedDiscountRow): boolean {
  const termsOf = ({ updated_at: _at, code_keys: _keys, ends_at: _end, ...row }: DiscountOfOrder['row']) =>
    JSON.stringify(Object.entries(row).sort(([name], [next]) => (name < next ? -1 : 1)));
  return termsOf(stored(one)) === termsOf(stored(other));
}

function isNewlyAskedFor(row: OfferedDiscountRow, { former, request }: PromotionEdit): boolean {
  if (row.trigger === 'automatic') return false;
  if (row.trigger === 'manual') {
    return !!request.chosenDiscountIds?.includes(row.id) && !former.chosenDiscountIds?.includes(row.id);
  }
  const before = new Set(former.discountCodes.map(normalizeCode));
  return row.code_keys.some((key) => !before.has(key));
}
