import { assert } from '../../../kernel/assert.ts';
import { isAscending } from '../../../kernel/is-ascending.ts';
import type { Discount } from './discount-kinds.ts';
import {
  type DiscountedCart,
  type DiscountRefusalReason,
  type DiscountSituation,
  findRefusal,
  isApplicable,
} from './is-applicable.ts';

/** The discounts that a cart may use, and what they depend on besides the cart. */
export interface DiscountFacts {
  /** Each once for the same lines, in any order. */
  readonly offered: readonly Discount[];
  readonly situation: DiscountSituation;
  /** As the customer typed them. The caller refuses codes that no offered discount has. */
  readonly presentedCodes: readonly string[];
  /** Manual discounts that staff chose for this cart. */
  readonly chosenIds: readonly number[];
}

/** A requested discount that does not apply. */
export interface DiscountRefusal {
  readonly discountId: number;
  /** As typed; null when staff chose the discount. */
  readonly code: string | null;
  readonly reason: DiscountRefusalReason;
}

/**
 * The discounts that apply, by priority and then id, and the requested ones that do not. Several discounts may
 * share a code: the code is refused, with the reason of its first discount, if none of them applies.
 */
export function chooseDiscounts(
  { offered, situation, presentedCodes, chosenIds }: DiscountFacts,
  cart: DiscountedCart,
): { discounts: Discount[]; refusals: DiscountRefusal[] } {
  const inOrder = isAscending(offered, byPriority) ? offered : offered.toSorted(byPriority);
  assert(isAscending(inOrder, byPriority), 'a discount is offered twice');
  const codes = new Set(presentedCodes.map(normalizeCode));
  const discounts = inOrder.filter(
    (discount) => isTriggered(discount, codes, chosenIds) && isApplicable(discount, situation, cart),
  );

  const refusals: DiscountRefusal[] = [];
  const refuse = (candidates: readonly Discount[], code: string | null) => {
    const [first] = candidates;
    if (first === undefined || candidates.some((candidate) => discounts.includes(candidate))) return;
    const reason = findRefusal(first, situation, cart);
    if (reason !== null) refusals.push({ discountId: first.id, code, reason });
  };
  for (const code of presentedCodes) {
    const codeSet = new Set([normalizeCode(code)]);
    refuse(
      inOrder.filter((discount) => discount.trigger === 'code' && isTriggered(discount, codeSet, [])),
      code,
    );
  }
  for (const id of chosenIds) {
    refuse(
      inOrder.filter((discount) => discount.trigger === 'manual' && discount.id === id),
      null,
    );
  }
  return { discounts, refusals };
}

/** A discount can be there twice with other terms, for other lines. */
function byPriority(a: Discount, b: Discount): number {
  return a.priority - b.priority || a.id - b.id || firstLine(a) - firstLine(b);
}

function firstLine({ targets: { onlyOptionIds } }: Discount): number {
  return onlyOptionIds?.[0] ?? 0;
}

/** Codes are compared without case and outer spaces. */
export function normalizeCode(code: string): string {
  return code.trim().toLowerCase();
}

function isTriggered(
  { trigger, codes, id }: Discount,
  presentedCodes: ReadonlySet<string>,
  chosenIds: readonly number[],
): boolean {
  if (trigger === 'automatic') return true;
  if (trigger === 'manual') return chosenIds.includes(id);
  return codes.some((code) => presentedCodes.has(normalizeCode(code)));
}
