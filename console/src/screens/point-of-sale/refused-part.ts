import { ApiFailure } from '../../api.ts';
import type { Cart, CartChange } from './cart.ts';

/** A part of a cart that the service refuses, while the rest can be priced. */
export type RefusedPart =
  | { readonly kind: 'line'; readonly productOptionIds: readonly number[] }
  | { readonly kind: 'discount'; readonly id: number }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'reward'; readonly id: number }
  /** Manual discounts and adjustments together exceed the limit of the role. */
  | { readonly kind: 'by-hand' }
  | { readonly kind: 'exemption' };

export interface Refusal {
  readonly part: RefusedPart;
  readonly failure: ApiFailure;
}

const named =
  /^(lineItems|discountIds|discountAmounts|discountCodes|loyaltyRewards|adjustments|taxExempt)\b(?:\[(\d+)\])?/;

/** The part of the cart that a pricing refusal is about; null: something else, or the whole cart. */
export function refusedPart(cart: Cart, error: unknown): RefusedPart | null {
  if (!(error instanceof ApiFailure)) return null;
  const { status, code, message, meta } = error;
  if (code === 'PRODUCT_IS_INACTIVE') {
    return lineOf(cart, ({ option }) => option.productId === meta.productId);
  }
  if (code === 'INSUFFICIENT_PERMISSIONS') {
    if (/\btaxExempt\b/.test(message)) return cart.taxExempt && { kind: 'exemption' };
    return cart.discountIds.length + cart.adjustments.length > 0 ? { kind: 'by-hand' } : null;
  }
  if (![400, 404, 422].includes(status)) return null;
  const [, name, at] = named.exec(message) ?? [];
  const index = Number(at);
  const line = cart.lines[index];
  const id = cart.discountIds[index];
  const discountCode = cart.discountCodes[index];
  const reward = cart.rewards[index];
  if (name === 'lineItems' && line) return lineOf(cart, (it) => it === line);
  if (name === 'discountIds' && id !== undefined) return { kind: 'discount', id };
  if (name === 'discountAmounts') return { kind: 'by-hand' };
  if (name === 'discountCodes' && discountCode !== undefined) return { kind: 'code', code: discountCode };
  if (name === 'loyaltyRewards' && reward) return { kind: 'reward', id: reward.rewardId };
  if (name === 'adjustments' && cart.adjustments.length > 0) return { kind: 'by-hand' };
  return name === 'taxExempt' && cart.taxExempt ? { kind: 'exemption' } : null;
}

function lineOf(cart: Cart, isMeant: (line: Cart['lines'][number]) => boolean): RefusedPart | null {
  const productOptionIds = cart.lines.filter(isMeant).map(({ option }) => option.productOptionId);
  return productOptionIds.length > 0 ? { kind: 'line', productOptionIds } : null;
}

/** The cart without a part of it. */
export function without(cart: Cart, part: RefusedPart): Cart {
  if (part.kind !== 'line') return { ...cart, ...valuesWithout(cart, part) };
  const lines = cart.lines.filter(({ option }) => !part.productOptionIds.includes(option.productOptionId));
  return { ...cart, lines };
}

/** The change that removes a refused part from the cart permanently. */
export function takeOut(cart: Cart, part: RefusedPart): readonly CartChange[] {
  if (part.kind !== 'line') return [{ type: 'set', values: valuesWithout(cart, part) }];
  return part.productOptionIds.map((optionId) => ({ type: 'quantity', optionId, quantity: 0 }));
}

function valuesWithout(cart: Cart, part: Exclude<RefusedPart, { kind: 'line' }>): Partial<Cart> {
  switch (part.kind) {
    case 'discount':
      return { discountIds: cart.discountIds.filter((id) => id !== part.id) };
    case 'code':
      return { discountCodes: cart.discountCodes.filter((code) => code !== part.code) };
    case 'reward':
      return { rewards: cart.rewards.filter(({ rewardId }) => rewardId !== part.id) };
    case 'by-hand':
      return { discountIds: [], discountParts: undefined, adjustments: [] };
    case 'exemption':
      return { taxExempt: null };
  }
}
