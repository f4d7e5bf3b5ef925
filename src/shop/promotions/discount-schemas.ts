import Type, { type TSchema } from 'typebox';
import { discountKindNames } from '../../engines/pricing/discounts/discount-kinds.ts';
import type { OwnTerm } from '../../engines/pricing/discounts/discount-settings.ts';
import {
  Cents,
  DecimalNumber,
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { DecimalAmount } from './decimal-amount.ts';
import { kindsInWords, type OwnNameOf, ownNamesOf } from './own-terms.ts';

const targetsMax = 1000;
const codesMax = 1000;
const windowsMax = 50;
const usesMax = 1_000_000_000;

const idLists = {
  productIds: List(Id(), { max: targetsMax }),
  optionIds: List(Id(), { max: targetsMax }),
  categoryIds: List(Id(), { max: targetsMax }),
  brandIds: List(Id(), { max: targetsMax }),
  tagIds: List(Id(), { max: targetsMax }),
};

const Targets = Named('DiscountTargets', Type.Object(idLists));
const TargetsBody = Named(
  'DiscountTargetsBody',
  Type.Partial(Type.Object(idLists), {
    description: 'A line matches when any list names it; with empty lists, every line matches',
  }),
);

function ClockTime(pattern: string, expected: string) {
  return Type.String({ maxLength: 5, pattern, 'x-expected': expected });
}

const ScheduleWindow = Named(
  'DiscountWindow',
  Type.Object({
    days: List(WholeNumber({ min: 1, max: 7 }), {
      min: 1,
      max: 7,
      description: 'The days on which the window opens: 1 (Monday) to 7 (Sunday)',
    }),
    from: ClockTime('^([01][0-9]|2[0-3]):[0-5][0-9]$', 'a time from 00:00 to 23:59'),
    to: ClockTime('^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', 'a time from 00:00 to 24:00'),
  }),
);

const conditionFields = {
  orderTypes: List(OneOf(['delivery', 'pickup', 'in-store']), { max: 3 }),
  customerGroupIds: List(Id(), { max: targetsMax, description: 'The customer is in at least one of them' }),
  customerType: Nullable(
    OneOf(['adult-use', 'medical'], {
      description:
        '`medical`: only for patients; `adult-use`: only for everyone else, also a customer who is not known. Null: for both',
    }),
  ),
  minimumSubtotal: Nullable(
    Cents({
      description:
        'Minimum sum, before any discount, of the lines that the discount touches: those that it reduces, and those that it asks to be bought',
    }),
  ),
  minimumQuantity: Nullable(
    WholeNumber({ min: 1, max: 10_000, description: 'Minimum number of units of these lines' }),
  ),
  countsWholeCart: Flag({
    description: 'Both minimums count every line of the cart, not only those that the discount touches',
  }),
  excludeSaleItems: Flag({
    description: 'What sells at a sale price is not reduced, and counts for neither minimum of touched lines',
  }),
  firstOrder: Flag({ description: 'Only for the first order of a customer' }),
  birthdayMonth: Flag({ description: "Only in the month of the customer's birthday" }),
  schedule: List(ScheduleWindow, {
    max: windowsMax,
    description:
      "Open windows, in the organization's local time; a `to` that is not after `from` is on the next day",
  }),
};

const timeFields = {
  startsAt: Nullable(Timestamp()),
  endsAt: Nullable(Timestamp({ description: 'The first instant at which it no longer applies' })),
};

function kindsThatCount(what: 'lines' | 'groups'): string {
  return kindsInWords(({ usesCount }) => usesCount === what);
}

function ownFields<Is extends OwnTerm['is'], Schema extends TSchema>(is: Is, schemaOf: () => Schema) {
  const fields = ownNamesOf(is).map((name) => [name, schemaOf()] as const);
  return Object.fromEntries(fields) as Record<OwnNameOf<Is>, Schema>;
}

const ownUnits = ownFields('units', () => Nullable(WholeNumber({ min: 1, max: 10_000 })));

const scalarFields = {
  perUnit: Flag({
    description: `For ${kindsInWords(({ perUnit }) => perUnit)} and type flat: the amount counts for each unit`,
  }),
  maximumAmount: Nullable(
    Cents({
      min: 1,
      description: `The maximum reduction of each line (${kindsInWords(({ maximumOf }) => maximumOf === 'line')}), or of the order`,
    }),
  ),
  trigger: OneOf(['automatic', 'code', 'manual']),
  codes: List(Text({ min: 1, max: 50 }), { max: codesMax }),
  stackable: Flag({
    description: '`false`: applies alone, if it is better than all stackable ones together',
  }),
  priority: WholeNumber({ min: -1_000_000, max: 1_000_000, description: 'Lower applies first' }),
  usesPerOrder: Nullable(
    WholeNumber({
      min: 1,
      max: usesMax,
      description: `The maximum number of lines of an order (${kindsThatCount('lines')}), or groups of one (${kindsThatCount('groups')})`,
    }),
  ),
  usesPerCustomer: Nullable(
    WholeNumber({ min: 1, max: usesMax, description: 'The maximum number of orders of one customer' }),
  ),
  usesTotal: Nullable(
    WholeNumber({ min: 1, max: usesMax, description: 'The maximum number of orders of all customers' }),
  ),
  ...ownUnits,
};

const coreFields = {
  name: Text({ min: 1, max: 200, description: 'Shown to the customer' }),
  kind: OneOf(discountKindNames),
  type: OneOf(['flat', 'percent']),
  amount: DecimalAmount({
    sign: 'positive',
    description:
      'Whole cents when flat; percent, up to 6 decimals, when percent. Of kind bundle: the price of a group in cents',
  }),
};

const optionalFields = {
  ...Type.Partial(
    Type.Object({
      ...scalarFields,
      ...timeFields,
      ...conditionFields,
      targets: TargetsBody,
      conditions: Named(
        'DiscountConditionsBody',
        Type.Partial(Type.Object({ ...conditionFields, ...timeFields })),
      ),
    }),
  ).properties,
  ...ownFields('targets', () => Type.Optional(Nullable(TargetsBody))),
};

/**
 * A whole discount: absent fields get their defaults. Conditions are read inside `conditions` or on the top
 * level.
 */
export const DiscountBody = Named('DiscountBody', Type.Object({ ...coreFields, ...optionalFields }));

/** A part of a discount: absent fields stay, also within `targets` and `conditions`. */
export const DiscountChanges = Type.Object({
  ...Type.Partial(Type.Object(coreFields)).properties,
  ...optionalFields,
});

export const StaffDiscount = Named(
  'StaffDiscount',
  Type.Object({
    id: Id(),
    ...coreFields,
    amount: DecimalNumber({ min: 0, max: 1_000_000_000, description: 'Whole cents, or percent' }),
    ...scalarFields,
    ...ownFields('targets', () => Nullable(Targets)),
    targets: Targets,
    conditions: Type.Object({ ...conditionFields, ...timeFields }),
    ...timeFields,
    uses: Type.Object({
      total: WholeNumber({
        min: 0,
        max: Number.MAX_SAFE_INTEGER,
        description: 'Number of orders that used it, without canceled ones',
      }),
    }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);
