import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { plural, t } from '../../words/words.ts';

export type Reward = Schema['LoyaltyReward'];

/** A reward being edited: numbers are text, as typed. */
export interface RewardDraft {
  readonly name: string;
  readonly type: Reward['type'];
  readonly pointsRequirement: string;
  /** Cents per point, cents or percent, by the type; empty for a free product. */
  readonly discountAmount: string;
  readonly productOptionId: number | null;
}

export const blankReward: RewardDraft = {
  name: '',
  type: 'flat',
  pointsRequirement: '',
  discountAmount: '',
  productOptionId: null,
};

export function rewardDraftOf(reward: Reward): RewardDraft {
  const { name, type, pointsRequirement, discountAmount, productOptionId } = reward;
  return {
    name,
    type,
    pointsRequirement: String(pointsRequirement),
    discountAmount: discountAmount === null ? '' : String(discountAmount),
    productOptionId,
  };
}

/**
 * The request body of a reward. Fields of other types are emptied; blank fields are left out, so the service reports them as
 * missing.
 */
export function rewardBody(draft: RewardDraft) {
  const { name, type, pointsRequirement, discountAmount, productOptionId } = draft;
  const isFree = type === 'free-product';
  return {
    type,
    ...(name && { name }),
    ...(pointsRequirement && { pointsRequirement }),
    discountAmount: isFree || discountAmount === '' ? null : discountAmount,
    productOptionId: isFree ? productOptionId : null,
  } as { name: string; type: Reward['type']; pointsRequirement: string };
}

/** The value of a reward in words. */
export function rewardInWords(
  { type, discountAmount, productOptionId }: Pick<RewardDraft, 'type' | 'discountAmount' | 'productOptionId'>,
  optionName: (id: number) => string,
): string {
  switch (type) {
    case 'cash-back':
      return plural(Number(discountAmount || 0), {
        one: t`${discountAmount} cent off per point`,
        other: t`${discountAmount || '…'} cents off per point`,
      });
    case 'flat':
      return t`${/^\d+$/.test(discountAmount) ? dollars(Number(discountAmount)) : '$…'} off`;
    case 'percent':
      return t`${discountAmount || '…'}% off the order`;
    case 'free-product':
      return productOptionId === null ? t`A free product` : t`${optionName(productOptionId)} for free`;
  }
}
