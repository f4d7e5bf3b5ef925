import type { ChosenReward } from '../../engines/pricing/pricing-facts.ts';
import { failure } from '../../kernel/failure.ts';

/** A loyalty reward as staff set it up. */
export interface RewardSetup {
  readonly name: string;
  readonly type: ChosenReward['type'];
  /** Decimal text with at most 2 decimals, as points have. */
  readonly pointsRequirement: string;
  /** Decimal text: cents per point, cents or percent by type; null for a free product. */
  readonly discountAmount: string | null;
  readonly productOptionId: number | null;
}

/** Throws INVALID_PARAMS for the first contradiction; the message names the field. */
export function refuseRewardContradictions(setup: RewardSetup): void {
  const contradiction = findRewardContradiction(setup);
  if (contradiction !== null) throw failure('INVALID_PARAMS', contradiction);
}

function findRewardContradiction(setup: RewardSetup): string | null {
  const { name, type, pointsRequirement, discountAmount, productOptionId } = setup;
  if (name === '') return 'name must not be blank.';
  if (!/^\d+(\.\d{1,2})?$/.test(pointsRequirement)) return 'pointsRequirement must have at most 2 decimals.';
  if (type === 'free-product') {
    if (productOptionId === null) return 'productOptionId is required for type free-product.';
    if (discountAmount !== null) return 'discountAmount is not for type free-product.';
    return null;
  }
  if (productOptionId !== null) return 'productOptionId is for type free-product only.';
  if (discountAmount === null) return `discountAmount is required for type ${type}.`;
  if (type === 'flat' && discountAmount.includes('.')) {
    return 'discountAmount must be whole cents for type flat.';
  }
  if (type === 'percent' && !/^(100|[0-9]{1,2}(\.[0-9]+)?)$/.test(discountAmount)) {
    return 'discountAmount must be at most 100 for type percent.';
  }
  return null;
}
