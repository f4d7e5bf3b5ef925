import Type, { type Static } from 'typebox';
import { Flag, Id, List, Named, NonBlankText, Nullable, OneOf, Text, Timestamp } from '../http/schemas.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { localityField, ownSourceField } from './locality-schemas.ts';
import { PercentText } from './settings-schemas.ts';
import type { DatedTax, SavedTax } from './tax-settings.ts';

/* Taxes as staff read and write them. */

const categoriesMax = 1000;

/** What a tax charges, as it is sent and shown. */
export const taxFields = {
  description: NonBlankText({ max: 200, description: 'What customers read' }),
  rate: PercentText({ description: 'Percent' }),
  tier: OneOf(['1', '2', '3', '4', '5'], { description: 'Taxes are charged by tier, ascending' }),
  type: OneOf(['standard', 'excise', 'california-excise']),
  included: Flag({ description: 'Whether product prices contain it' }),
  encompass: Flag({ description: 'Whether it also taxes what the lower tiers charged' }),
  exemptable: Flag({ description: 'Whether tax-exempt customers go without it' }),
  appliesToFees: Flag({ description: 'Whether it is charged on delivery fees' }),
  rounding: OneOf(['half-up', 'up'], { description: '`up`: always to the next whole cent' }),
  onlyInDeliveryZones: Flag({
    description:
      'Charged on deliveries to the zones that name it, and on nothing else: the tax of another town',
  }),
  locality: localityField,
  ownSource: ownSourceField,
  customerType: OneOf(['all', 'adult-use', 'medical'], {
    description:
      'Whose purchases it is charged on; `medical`: those of customers with a recommendation that has not expired',
  }),
  excludedProductCategoryIds: List(Id(), {
    max: categoriesMax,
    description: 'Categories it is not charged on',
  }),
  nonExemptableProductCategoryIds: List(Id(), {
    max: categoriesMax,
    description: 'Categories that exempt customers pay it on all the same',
  }),
};

/** When a tax is in force, as it is shown. */
export const taxTimes = {
  startsAt: Nullable(Timestamp({ description: 'In force from here; null: since ever' })),
  endsAt: Nullable(
    Timestamp({
      description: 'In force until before this; not after `startsAt`: it never came into force',
    }),
  ),
};

/** What patients owe of a tax, as it is shown. */
export const PatientsOfTax = Nullable(
  Type.Object(
    {
      rule: OneOf(['owe', 'exempt', 'other-tax', 'not-known'], {
        description:
          'What the law was read to say. `other-tax`: patients bear another tax instead. `not-known`: the tax is not charged ' +
          'to them until the owner decides',
      }),
      text: Text({ max: 2000, description: 'What was read, in words' }),
      decision: Nullable(
        Type.Object({
          owe: Flag({ description: 'Whether patients are charged the tax' }),
          note: Text({ max: 1000, description: "The owner's reason" }),
          decidedAt: Timestamp(),
          decidedBy: Id({ description: 'The id of the staff member' }),
        }),
      ),
    },
    { description: 'What patients owe, of a tax of a preset; null for a tax that was set up by hand' },
  ),
);

/** A tax as it is shown. */
export const Tax = Named(
  'Tax',
  Type.Object({
    id: Id(),
    ...taxFields,
    patients: PatientsOfTax,
    ...taxTimes,
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

export const datedTaxExample = {
  description: 'Sales tax',
  rate: '9.25',
  tier: '3',
  type: 'standard',
  included: false,
  encompass: true,
  exemptable: true,
  appliesToFees: false,
  rounding: 'half-up',
  onlyInDeliveryZones: false,
  customerType: 'all',
  excludedProductCategoryIds: [] as number[],
  nonExemptableProductCategoryIds: [] as number[],
  locality: null,
  ownSource: null,
  patients: null,
  startsAt: '2026-03-01T17:05:09.123Z',
  endsAt: null,
} as const;
export const taxExample: Static<typeof Tax> = {
  ...datedTaxExample,
  id: 2601,
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
};

/** A tax with its times as text. */
export function shownDatedTax<Tax extends DatedTax>({ startsAtMs, endsAtMs, ...tax }: Tax) {
  return {
    ...tax,
    startsAt: startsAtMs === null ? null : isoTimestamp(startsAtMs),
    endsAt: endsAtMs === null ? null : isoTimestamp(endsAtMs),
  };
}

/** A saved tax as it is shown. */
export function shownTax({ createdAtMs, updatedAtMs, ...tax }: SavedTax) {
  return {
    ...shownDatedTax(tax),
    createdAt: isoTimestamp(createdAtMs),
    updatedAt: isoTimestamp(updatedAtMs),
  };
}
