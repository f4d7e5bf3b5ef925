import { discountKinds } from '../../../../sdk/src/staff-discount-kinds.ts';
import type { Schema } from '../../api.ts';
import { hasField } from './discount-kind-fields.ts';

export type Discount = Schema['StaffDiscount'];
export type Targets = Schema['DiscountTargets'];
export type ScheduleWindow = Schema['DiscountWindow'];

/** A discount being edited: the amount is text, percent or whole cents by type. */
export type DiscountDraft = Pick<
  Discount,
  | 'name'
  | 'kind'
  | 'type'
  | 'perUnit'
  | 'maximumAmount'
  | 'trigger'
  | 'codes'
  | 'stackable'
  | 'priority'
  | 'usesPerOrder'
  | 'usesPerCustomer'
  | 'usesTotal'
  | 'buyQuantity'
  | 'getQuantity'
  | 'buyTargets'
  | 'bundleQuantity'
  | 'targets'
  | 'conditions'
> & { readonly amount: string };

export const noTargets: Targets = {
  productIds: [],
  optionIds: [],
  categoryIds: [],
  brandIds: [],
  tagIds: [],
};

/** A new discount: automatic, stackable, on everything, without conditions. */
export const blankDiscount: DiscountDraft = {
  name: '',
  kind: 'order',
  type: 'percent',
  amount: '',
  perUnit: false,
  maximumAmount: null,
  trigger: 'automatic',
  codes: [],
  stackable: true,
  priority: 0,
  usesPerOrder: null,
  usesPerCustomer: null,
  usesTotal: null,
  buyQuantity: null,
  getQuantity: null,
  buyTargets: null,
  bundleQuantity: null,
  targets: noTargets,
  conditions: {
    orderTypes: [],
    customerGroupIds: [],
    customerType: null,
    minimumSubtotal: null,
    minimumQuantity: null,
    countsWholeCart: false,
    excludeSaleItems: false,
    firstOrder: false,
    birthdayMonth: false,
    schedule: [],
    startsAt: null,
    endsAt: null,
  },
};

/** The editable part of a saved discount. */
export function draftOf(discount: Discount): DiscountDraft {
  const { id: _id, uses: _uses, createdAt: _made, updatedAt: _changed, amount, ...others } = discount;
  const { startsAt: _starts, endsAt: _ends, ...draft } = others;
  return { ...draft, amount: String(amount) };
}

/** Empties the fields that the kind, type and trigger do not use and the form hides. */
export function withoutForeignFields(draft: DiscountDraft): DiscountDraft {
  const { kind } = draft;
  return {
    ...draft,
    type: discountKinds[kind].amountIsPrice ? 'flat' : draft.type,
    perUnit: draft.perUnit && discountKinds[kind].perUnit && draft.type === 'flat',
    codes: draft.trigger === 'code' ? draft.codes : [],
    buyQuantity: hasField(kind, 'buyQuantity') ? draft.buyQuantity : null,
    getQuantity: hasField(kind, 'getQuantity') ? draft.getQuantity : null,
    buyTargets: hasField(kind, 'buyTargets') ? draft.buyTargets : null,
    bundleQuantity: hasField(kind, 'bundleQuantity') ? draft.bundleQuantity : null,
  };
}

/** The changed fields, with all changes that follow from them. */
export function discountChanges(
  draft: DiscountDraft,
  changes: Partial<DiscountDraft>,
): Partial<DiscountDraft> {
  const { type, perUnit, codes, buyQuantity, getQuantity, buyTargets, bundleQuantity } =
    withoutForeignFields(draft);
  return { ...changes, type, perUnit, codes, buyQuantity, getQuantity, buyTargets, bundleQuantity };
}

/** The state of a discount at a moment: `live`, `coming` or `ended`. */
export function stateOf(
  { conditions }: Pick<Discount, 'conditions'>,
  nowMs: number,
): 'live' | 'coming' | 'ended' {
  const { startsAt, endsAt } = conditions;
  if (endsAt !== null && Date.parse(endsAt) <= nowMs) return 'ended';
  return startsAt !== null && Date.parse(startsAt) > nowMs ? 'coming' : 'live';
}

/** The discount as a request body; blank fields are left out, so the service reports them as missing. */
export function bodyOf(draft: DiscountDraft): Schema['DiscountBody'] {
  const { name, amount, ...others } = withoutForeignFields(draft);
  return { ...others, ...(name && { name }), ...(amount && { amount }) } as Schema['DiscountBody'];
}
