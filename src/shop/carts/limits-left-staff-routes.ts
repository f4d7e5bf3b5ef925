import Type, { type Static } from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { contentUnitNames } from '../../engines/goods/content-units.ts';
import { typeNames } from '../../engines/jurisdictions/cannabis-type-names.ts';
import { warningsBesideTaxes } from '../../engines/jurisdictions/jurisdiction-warnings.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { orderRoles } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  DecimalText,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
} from '../../platform/http/schemas.ts';
import { customerNotFound } from '../customers/customers.ts';
import { answerLimits, type LimitAnswer, limitedTypes } from '../limit-calculator/answer-limits.ts';
import { readTypedLine, typedAmountLengthMax } from '../limit-calculator/typed-amount.ts';
import type { SalePlace } from '../settings/locality.ts';
import {
  Equivalences,
  FactSource,
  factSourceExample,
  selectPurchaseLimitRules,
  shownEquivalences,
  shownSource,
} from '../settings/terms-of-sale.ts';
import { selectBoughtByCustomer, selectLimitedCustomer } from './cart-customer-queries.ts';
import { audienceOf, legalEligibility, limitsFor, purchasesOf } from './customer-rules.ts';
import { lackingFactsStaffRoutes } from './lacking-facts-staff-routes.ts';

const customerTypes = ['adult-use', 'adult-use-non-resident', 'medical', 'medical-under-21'] as const;

const cannabisType = OneOf(limitedTypes);
const unit = OneOf(contentUnitNames);

const LimitGoods = Named(
  'LimitGoods',
  Type.Object({
    cannabisType,
    amount: Text({
      min: 1,
      max: typedAmountLengthMax,
      description:
        'As people write it: `3.5 g`, `1/8 oz`, `100 mg`, `2 plants`; where a limit counts THC, with it: `3.5 g with 20 % THC`. Read exactly, or refused',
    }),
  }),
);

const LimitsLeft = Named(
  'LimitsLeft',
  Type.Object({
    day: LocalDate({ description: "Today, in the organization's time zone" }),
    customerType: OneOf(customerTypes, { description: 'The customer type whose limits these are' }),
    mayBeSold: Flag({ description: 'Whether the goods stay within all these limits' }),
    limits: List(
      Type.Object({
        name: Text({ max: 200 }),
        words: Text({ max: 500, description: 'The limit, its window, and what counts toward it' }),
        unit,
        limit: DecimalText(),
        used: DecimalText({
          description: 'Used by earlier purchases and these goods, rounded up to 6 decimals',
        }),
        remaining: DecimalText({
          description: 'Rounded down to 6 decimals; "0" where the limit is exceeded',
        }),
        exceeded: Flag(),
        counted: List(
          Type.Object({
            cannabisType,
            amount: DecimalText(),
            unit,
            uses: DecimalText({ description: 'The amount that counts toward the limit, in its unit' }),
            isFromBefore: Flag({ description: "Bought before, in the limit's window" }),
          }),
          { max: 20, description: 'How the used amount adds up' },
        ),
        roomFor: List(Type.Object({ cannabisType, amount: DecimalText(), unit }), {
          max: 10,
          description:
            'The remaining amount of each type; the types are alternatives. Rounded down to 2 decimals',
        }),
        law: Nullable(FactSource),
        equivalences: Equivalences,
      }),
      { max: 10_000, description: "The state's limits, then the organization's own, which have no `law`" },
    ),
    uncounted: List(cannabisType, { max: 10, description: 'Types among the goods that no limit counts' }),
    warnings: List(Text({ max: 1000 }), { max: 30 }),
  }),
);

const limitsLeftExample: Static<typeof LimitsLeft> = {
  day: '2026-03-01',
  customerType: 'adult-use',
  mayBeSold: true,
  limits: [
    {
      name: 'Flower',
      words: '28.5 g per day of flower',
      unit: 'g',
      limit: '28.5',
      used: '3.543691',
      remaining: '24.956309',
      exceeded: false,
      counted: [
        {
          cannabisType: 'non-concentrated',
          amount: '3.543691',
          unit: 'g',
          uses: '3.543691',
          isFromBefore: false,
        },
      ],
      roomFor: [{ cannabisType: 'non-concentrated', amount: '24.95', unit: 'g' }],
      law: factSourceExample,
      equivalences: [],
    },
  ],
  uncounted: [],
  warnings: [],
};

/** The staff operation that shows what is left of a customer's limits, and why (D36). */
export function limitsLeftStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    ...lackingFactsStaffRoutes(context),
    staffEndpoint({
      id: 'readLimitsLeft',
      method: 'POST',
      path: '/staff/v1/law/limits',
      roles: orderRoles,
      kind: 'read',
      summary: 'Read remaining purchase limits',
      description:
        "What the goods use of each limit of the state and the organization, what is left, why, and the law. With `customerId`, the customer's purchases within a limit's window count, and the customer's type is the default of `customerType`. Nothing is stored. Not legal advice.",
      tag: 'Settings',
      body: Type.Object({
        customerId: Type.Optional(Nullable(Id())),
        customerType: Type.Optional(
          OneOf(customerTypes, {
            description:
              "Default: the customer's type, else `adult-use`. If the state does not distinguish a narrower type, the limits of the wider one apply",
          }),
        ),
        postalCode: Type.Optional(
          Nullable(
            Text({ min: 1, max: 20, description: 'ZIP code of the delivery; null: sold at the shop' }),
          ),
        ),
        goods: List(LimitGoods, { max: 50 }),
      }),
      requestExample: {
        customerType: 'adult-use',
        goods: [{ cannabisType: 'non-concentrated', amount: '1/8 oz' }],
      },
      success: { status: 200, data: LimitsLeft, description: 'What is left', example: limitsLeftExample },
      failures: ['USER_NOT_FOUND'],
      handle: async ({ staff, body }) => {
        const { customerId = null } = body;
        const goods = body.goods.map(({ cannabisType, amount }, index) => {
          const read = readTypedLine(amount, cannabisType);
          if ('content' in read) return read;
          throw failure('INVALID_PARAMS', `goods[${index}].amount ${read.problem}`);
        });
        const nowMs = context.clock.now();
        const law = context.law.current;
        const [[organization], ownRules, customers, bought] = await context.database.read(
          staff.organizationId,
          selectOrganization({}),
          selectPurchaseLimitRules({}),
          customerId === null ? null : selectLimitedCustomer({ customerId }),
          customerId === null ? null : selectBoughtByCustomer(law, customerId, null, nowMs),
        );
        assert(organization !== undefined, 'the organization of a signed-in caller exists');
        const [customer] = customers;
        if (customerId !== null && customer === undefined) throw customerNotFound();
        const standing = legalEligibility(
          law,
          organization,
          {
            birthday: customer?.birthday ?? null,
            medicalExpiration: customer?.medical_expiration ?? null,
            residence: customer?.residence ?? null,
          },
          nowMs,
        );
        const { today } = standing;
        const customerType = body.customerType ?? audienceOf(standing);
        const { limits, uncounted, withoutThc, mayBeSold } = answerLimits({
          rules: limitsFor(standing, customerType, ownRules, placeOf(body.postalCode)),
          goods,
          boughtBefore: purchasesOf(bought),
          today,
        });
        return reply({
          day: today,
          customerType,
          mayBeSold,
          limits: limits.map((limit) => shownLimit(limit, today)),
          uncounted: [...uncounted],
          warnings: [...withoutThc.map(thcMissing), ...warningsBesideTaxes(law, organization.state, today)],
        });
      },
    }),
  ];
}

const thcMissing = (type: CannabisType) =>
  `A limit counts the THC of ${typeNames[type]}: say it as well, such as 3.5 g with 20 % THC`;

function placeOf(postalCode: string | null = null): SalePlace {
  return { orderType: postalCode === null ? 'in-store' : 'delivery', postalCode };
}

function shownLimit({ source, cannabisType: _, ...limit }: LimitAnswer, today: string) {
  return {
    ...limit,
    counted: [...limit.counted],
    roomFor: [...limit.roomFor],
    law: source === null ? null : shownSource(source, today),
    equivalences: source === null ? [] : shownEquivalences(source, today),
  };
}
