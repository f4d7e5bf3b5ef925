import Type, { type Static } from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import {
  DecimalText,
  Flag,
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { localityField, ownSourceField } from './locality-schemas.ts';
import { PercentText } from './settings-schemas.ts';
import type { DatedTax, SavedTax } from './tax-settings.ts';

/* Schemas of taxes for staff. */

const categoriesMax = 1000;

const TaxBasisSchema = Named(
  'TaxBasis',
  Type.Object(
    {
      kind: OneOf(['potency', 'thc-mg', 'grams'], {
        description:
          '`potency`: a percentage of the price by the THC of the product. `thc-mg`, `grams`: cents for each milligram of THC, or each gram',
      }),
      brackets: Type.Optional(
        List(
          Type.Object({
            aboveThcPercent: Nullable(
              PercentText({ description: 'Not with this potency itself; null: from 0' }),
            ),
            upToThcPercent: Nullable(PercentText({ description: 'With this potency; null: without end' })),
            rate: PercentText({ description: 'Percent of the price' }),
          }),
          { max: 20, description: 'Of `potency`: ascending, without gaps and overlaps' },
        ),
      ),
      cents: Type.Optional(
        DecimalText({
          sign: 'positive',
          wholeDigitsMax: 6,
          decimalsMax: 6,
          description: 'Of `thc-mg` and `grams`',
        }),
      ),
    },
    {
      description:
        'What the tax is charged on, where that is not one percentage of the price; null: `rate`, of the price. Beside it `rate` is 0. A product that lacks the fact it needs cannot be sold',
    },
  ),
);

/** The fields that decide what a tax charges, in requests and responses. */
export const taxFields = {
  description: NonBlankText({ max: 200, description: 'Text for customers' }),
  rate: PercentText({ description: 'Percent; 0 beside a `basis`' }),
  basis: Nullable(TaxBasisSchema),
  tier: OneOf(['1', '2', '3', '4', '5'], { description: 'Taxes are charged by tier, ascending' }),
  type: OneOf(['standard', 'excise', 'california-excise']),
  included: Flag({ description: 'Whether product prices contain it' }),
  encompass: Flag({ description: 'Whether it is also charged on the taxes of lower tiers' }),
  exemptable: Flag({ description: 'Whether tax-exempt customers are exempt from it' }),
  appliesToFees: Flag({ description: 'Whether it is charged on delivery fees' }),
  rounding: OneOf(['half-up', 'up'], { description: '`up`: always to the next whole cent' }),
  onlyInDeliveryZones: Flag({
    description: 'Charged only on deliveries to the zones that name it: the tax of another town',
  }),
  locality: localityField,
  ownSource: ownSourceField,
  customerType: OneOf(['all', 'adult-use', 'medical'], {
    description: 'The customers who owe it; `medical`: those with a recommendation that has not expired',
  }),
  excludedProductCategoryIds: List(Id(), {
    max: categoriesMax,
    description: 'Categories without this tax',
  }),
  nonExemptableProductCategoryIds: List(Id(), {
    max: categoriesMax,
    description: 'Categories where exempt customers still owe it',
  }),
};

/** The time of a tax, as responses show it. */
export const taxTimes = {
  startsAt: Nullable(Timestamp({ description: 'Start of its time in force; null: open' })),
  endsAt: Nullable(
    Timestamp({
      description: 'End of its time in force, exclusive; not after `startsAt`: it never came into force',
    }),
  ),
};

/** What patients owe of a tax, as responses show it. */
export const PatientsOfTax = Nullable(
  Type.Object(
    {
      rule: OneOf(['owe', 'exempt', 'other-tax', 'not-known'], {
        description:
          'What the law states. `other-tax`: patients owe another tax instead. `not-known`: the tax is not charged to them until the owner decides',
      }),
      text: Text({ max: 2000, description: 'The text that was read, in words' }),
      decision: Nullable(
        Type.Object({
          owe: Flag({ description: 'Whether patients are charged the tax' }),
          note: Text({ max: 1000, description: "The owner's reason" }),
          decidedAt: Timestamp(),
          decidedBy: Id({ description: 'The id of the staff member' }),
        }),
      ),
    },
    { description: 'What patients owe, for a tax of a preset; null for a tax that was set up manually' },
  ),
);

/** A tax as responses show it. */
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
  basis: null,
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

/** A saved tax as responses show it. */
export function shownTax({ createdAtMs, updatedAtMs, ...tax }: SavedTax) {
  return {
    ...shownDatedTax(tax),
    createdAt: isoTimestamp(createdAtMs),
    updatedAt: isoTimestamp(updatedAtMs),
  };
}
