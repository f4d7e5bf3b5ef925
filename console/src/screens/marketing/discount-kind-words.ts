import type { Schema } from '../../api.ts';

type Discount = Schema['StaffDiscount'];
type Kind = Discount['kind'];
/** Fields that only some kinds have. */
type OwnField = 'buyQuantity' | 'getQuantity' | 'buyTargets';

/** The parts of a sentence on a discount. */
export interface EffectParts {
  readonly draft: Pick<Discount, 'type' | 'perUnit' | OwnField> & { readonly amount: string };
  /** `20%`, `$5` */
  readonly amount: string;
  /** The discount's own targets; null: everything. */
  readonly goods: string | null;
  /** What is to be bought; null: everything. */
  readonly bought: string | null;
  /** `pickup orders of $30 or more`; empty: all orders. */
  readonly orders: string;
}

interface DiscountKind {
  readonly label: string;
  readonly targetsHint: string;
  /** A flat amount may count for each unit. */
  readonly perUnit: boolean;
  readonly maximumOf: 'line' | 'order';
  /** What the uses per order count; null: nothing. */
  readonly usesCount: 'lines' | 'groups' | null;
  readonly own: readonly OwnField[];
  /** The sentence says which orders as a part of the effect. */
  readonly namesOrders: boolean;
  effect(parts: EffectParts): string;
}

function offGoods({ draft, amount, goods }: EffectParts): string {
  const each = draft.perUnit ? 'each unit of ' : draft.type === 'flat' ? 'each line of ' : '';
  return `${amount} off ${each}${goods ?? 'everything'}`;
}

const offLines = {
  targetsHint: 'Products in any of these lists. Leave empty for all products.',
  perUnit: true,
  maximumOf: 'line',
  usesCount: 'lines',
  own: [],
  namesOrders: false,
  effect: offGoods,
} as const;

/** What the console says and asks of each kind, in the order in which they are offered. A kind without it does not compile. */
export const discountKinds: Readonly<Record<Kind, DiscountKind>> = {
  order: {
    label: 'Off the whole order',
    targetsHint: 'The order must contain one of these. Leave empty for any order.',
    perUnit: false,
    maximumOf: 'order',
    usesCount: null,
    own: [],
    namesOrders: true,
    effect: ({ amount, goods, orders }) =>
      `${amount} off ${orders || 'every order'}${goods === null ? '' : ` with ${goods}`}`,
  },
  line: { label: 'Off each matching line', ...offLines },
  product: { label: 'Off selected products, line by line', ...offLines },
  'buy-x-get-y': {
    label: 'Buy some, get some cheaper',
    targetsHint: 'The products that get cheaper. Leave empty for all products.',
    perUnit: false,
    maximumOf: 'order',
    usesCount: 'groups',
    own: ['buyQuantity', 'getQuantity', 'buyTargets'],
    namesOrders: false,
    effect: ({ draft, amount, goods, bought }) => {
      const reduction = draft.type === 'percent' && draft.amount === '100' ? 'free' : `at ${amount} off`;
      const more = draft.buyTargets === null ? 'more' : `of ${goods ?? 'anything'}`;
      return `Buy ${draft.buyQuantity ?? '…'} of ${bought ?? 'anything'}, get ${draft.getQuantity ?? '…'} ${more} ${reduction}`;
    },
  },
};

/** Whether it is taken off each line by itself. */
export function isOffLines(kind: Kind): boolean {
  return discountKinds[kind].maximumOf === 'line';
}

/** Whether the kind has a field that others do not have. */
export function hasField(kind: Kind, field: OwnField): boolean {
  return discountKinds[kind].own.includes(field);
}
