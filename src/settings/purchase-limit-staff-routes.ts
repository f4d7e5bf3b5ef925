import Type from 'typebox';
import { selectOrganization } from '../access/organizations.ts';
import { type Context, staffOrigin } from '../database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import {
  DecimalText,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../http/schemas.ts';
import type { StateLimitRule } from '../jurisdictions/jurisdiction.ts';
import { warningsOnLimits } from '../jurisdictions/jurisdiction-warnings.ts';
import { isInForce } from '../jurisdictions/jurisdictions.ts';
import { assert } from '../kernel/assert.ts';
import { type CannabisType, cannabisTypes } from '../kernel/cannabis-type.ts';
import { contentUnitNames } from '../kernel/content-units.ts';
import { canonicalDecimalText } from '../kernel/decimal.ts';
import { isoTimestamp, localDateAt } from '../kernel/local-time.ts';
import { changePurchaseLimitRule } from './change-purchase-limit-rule.ts';
import { createPurchaseLimitRule } from './create-purchase-limit-rule.ts';
import { deletePurchaseLimitRule } from './delete-purchase-limit-rule.ts';
import { FactSource, factSourceExample, shownSource } from './fact-sources.ts';
import { localityField, ownSourceField } from './locality-schemas.ts';
import { limitedForms } from './organization-warnings.ts';
import { type PurchaseLimitRuleRow, selectPurchaseLimitRules } from './purchase-limit-queries.ts';
import { type LimitSettings, missingLimitFields, shownCounts } from './purchase-limit-settings.ts';
import { selectTaxedCategories } from './tax-queries.ts';

const limitedTypes = cannabisTypes.filter((type) => type !== 'none');
const windows = ['transaction', 'local-day', 'rolling-days', 'calendar-month'] as const;
const customerTypes = ['all', 'adult-use', 'medical'] as const;

const windowWords =
  'What is counted together: one order; a day of the organization; the last `windowDays` days, today included; ' +
  'a calendar month';

const CountedContent = Named(
  'CountedContent',
  Type.Object({
    cannabisType: OneOf(limitedTypes),
    amount: Type.Optional(
      Nullable(DecimalText({ sign: 'positive', description: 'So much of it counts as `countsAs`' })),
    ),
    unit: Type.Optional(Nullable(OneOf(contentUnitNames))),
    countsAs: Type.Optional(Nullable(DecimalText({ sign: 'positive' }))),
    countsAsUnit: Type.Optional(Nullable(OneOf(contentUnitNames))),
  }),
);

const countsDescription =
  'The types that use the limit up: content counts itself, or `amount` of it counts as `countsAs`. Types that are ' +
  'not named do not count';

const limitFields = {
  name: Text({ min: 1, max: 200, description: 'Shown with what is left of the limit' }),
  customerType: OneOf(customerTypes, { description: 'Whose purchases it limits' }),
  cannabisType: OneOf(limitedTypes, { description: 'In whose terms the limit is written' }),
  limit: DecimalText({ description: 'What may be bought; "0" bars the sale' }),
  unit: OneOf(contentUnitNames),
  window: OneOf(windows, { description: windowWords }),
};
const windowDays = Nullable(WholeNumber({ min: 1, max: 366, description: 'With `rolling-days` only' }));
const counts = List(CountedContent, {
  min: 1,
  max: limitedTypes.length,
  description: `${countsDescription}. Without it, \`cannabisType\` counts itself`,
});

/** Where and when it holds, and where it is written. */
const holding = {
  locality: localityField,
  ownSource: ownSourceField,
  startsOn: Nullable(LocalDate({ description: 'First day, of the organization; null: since ever' })),
  endsOn: Nullable(LocalDate({ description: 'Last day; null: open' })),
};
const optionalHolding = Type.Partial(Type.Object(holding)).properties;

const LimitBody = Named(
  'PurchaseLimitBody',
  Type.Object({
    ...limitFields,
    windowDays: Type.Optional(windowDays),
    counts: Type.Optional(counts),
    ...optionalHolding,
  }),
);

const LimitChanges = Type.Object({
  name: Type.Optional(limitFields.name),
  customerType: Type.Optional(limitFields.customerType),
  cannabisType: Type.Optional(limitFields.cannabisType),
  limit: Type.Optional(limitFields.limit),
  unit: Type.Optional(limitFields.unit),
  window: Type.Optional(limitFields.window),
  windowDays: Type.Optional(windowDays),
  counts: Type.Optional(counts),
  ...optionalHolding,
});

const shownFields = {
  ...limitFields,
  windowDays,
  counts: List(
    Type.Object({
      cannabisType: OneOf(limitedTypes),
      amount: Nullable(DecimalText()),
      unit: Nullable(OneOf(contentUnitNames)),
      countsAs: Nullable(DecimalText()),
      countsAsUnit: Nullable(OneOf(contentUnitNames)),
    }),
    { max: limitedTypes.length, description: countsDescription },
  ),
};

/** A limit of the organization's own, as it is shown. */
export const OwnPurchaseLimitRule = Named(
  'OwnPurchaseLimitRule',
  Type.Object({ id: Id(), ...shownFields, ...holding, createdAt: Timestamp(), updatedAt: Timestamp() }),
);

const PurchaseLimitRule = Named(
  'PurchaseLimitRule',
  Type.Object({
    id: Nullable(Id({ description: 'Null for a rule of the state' })),
    source: OneOf(['organization', 'state'], {
      description: 'Rules of the state come with the program; they cannot be changed here',
    }),
    ...shownFields,
    customerType: OneOf([...customerTypes, 'medical-under-21'], {
      description:
        'Whose purchases it limits. `medical-under-21` replaces `medical` for patients below 21 whose birthday is known',
    }),
    citation: Nullable(Text({ max: 500, description: 'The law, of a rule of the state' })),
    law: Nullable(FactSource),
    locality: localityField,
    ownSource: ownSourceField,
    startsOn: Nullable(LocalDate({ description: 'First day; null: since ever' })),
    endsOn: Nullable(LocalDate({ description: 'Last day; null: open' })),
    createdAt: Nullable(Timestamp()),
    updatedAt: Nullable(Timestamp()),
  }),
);

const bodyExample = {
  name: 'Flower',
  customerType: 'adult-use',
  cannabisType: 'non-concentrated',
  limit: '28',
  unit: 'g',
  window: 'rolling-days',
  windowDays: 2,
} as const;

export const ownLimitExample = {
  id: 5101,
  ...bodyExample,
  counts: [
    { cannabisType: 'non-concentrated', amount: null, unit: null, countsAs: null, countsAsUnit: null },
  ],
  locality: null,
  ownSource: null,
  startsOn: null,
  endsOn: null,
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
} as const;

const LimitParams = Type.Object({ purchaseLimitRuleId: Id({ description: 'The id of an own rule' }) });
const strangerRule = { purchaseLimitRuleId: 'PURCHASE_LIMIT_RULE_NOT_FOUND' } as const;
const managers = ['owner', 'manager'] as const;

/** The staff's operations on purchase limits (D36). */
export function purchaseLimitStaffRoutes(context: Context): StaffEndpoint[] {
  const { database, clock } = context;
  return [
    staffEndpoint({
      id: 'listPurchaseLimitRules',
      method: 'GET',
      path: '/staff/v1/purchase-limit-rules',
      roles: [...managers, 'budtender'],
      kind: 'read',
      summary: 'List purchase limits',
      description:
        "The limits that carts are checked against: those of the organization's state that are in force today, then all of its own, " +
        'ended and coming ones too. ' +
        '`meta.warnings` says, for people, what is not checked because it is not known, also of the forms of cannabis that ' +
        'categories hold.',
      source: ['D36'],
      tag: 'Settings',
      success: {
        status: 200,
        data: List(PurchaseLimitRule, { max: 10_000 }),
        meta: Type.Object({ warnings: List(Text({ max: 1000 }), { max: 20 }) }),
        description: 'The limits',
        example: [
          {
            id: null,
            source: 'state',
            name: 'Flower',
            customerType: 'adult-use',
            cannabisType: 'non-concentrated',
            limit: '28.5',
            unit: 'g',
            window: 'local-day',
            windowDays: null,
            counts: ownLimitExample.counts,
            citation: factSourceExample.citation,
            law: factSourceExample,
            locality: null,
            ownSource: null,
            startsOn: null,
            endsOn: null,
            createdAt: null,
            updatedAt: null,
          },
          { ...ownLimitExample, source: 'organization', citation: null, law: null },
        ],
        metaExample: { warnings: [] },
      },
      failures: [],
      handle: async ({ staff }) => {
        const [[organization], rows, categories] = await database.read(
          staff.organizationId,
          selectOrganization({}),
          selectPurchaseLimitRules({}),
          selectTaxedCategories({}),
        );
        assert(organization !== undefined, 'the organization of a session exists');
        const { state, tz } = organization;
        const today = localDateAt(clock.now(), tz);
        const law = context.law.current;
        const stateRules = (law.find(state)?.purchaseLimits ?? []).filter((rule) => isInForce(rule, today));
        return reply(
          [
            ...stateRules.flatMap((rule) => shownStateRule(rule, today)),
            ...rows.map((row) => ({
              ...shownRule(row),
              source: 'organization' as const,
              citation: null,
              law: null,
            })),
          ],
          { meta: { warnings: warningsOnLimits(law, state, today, limitedForms(categories, rows, today)) } },
        );
      },
    }),

    staffEndpoint({
      id: 'createPurchaseLimitRule',
      method: 'POST',
      path: '/staff/v1/purchase-limit-rules',
      roles: managers,
      kind: 'write',
      summary: 'Add a purchase limit',
      description:
        'A limit of its own, beside those of the state: a cart has to keep all of them. It holds from now on or from `startsOn`, ' +
        'also for what was bought before in its window; with `locality` only for sales there.',
      source: ['D36'],
      tag: 'Settings',
      body: LimitBody,
      alsoMissing: missingLimitFields,
      requestExample: bodyExample,
      success: {
        status: 201,
        data: OwnPurchaseLimitRule,
        description: 'The limit',
        example: ownLimitExample,
      },
      failures: [],
      handle: async ({ staff, body, requestId }) =>
        reply(
          shownRule(
            await createPurchaseLimitRule(context, staffOrigin(staff, requestId), staff.organizationId, body),
          ),
        ),
    }),

    staffEndpoint({
      id: 'replacePurchaseLimitRule',
      method: 'PUT',
      path: '/staff/v1/purchase-limit-rules/{purchaseLimitRuleId}',
      roles: managers,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Replace a purchase limit',
      description: 'Makes a limit of its own what the body says, whole.',
      source: ['D36'],
      tag: 'Settings',
      params: LimitParams,
      body: LimitBody,
      alsoMissing: missingLimitFields,
      requestExample: bodyExample,
      success: {
        status: 200,
        data: OwnPurchaseLimitRule,
        description: 'The limit',
        example: ownLimitExample,
      },
      failures: ['PURCHASE_LIMIT_RULE_NOT_FOUND'],
      resourceParams: strangerRule,
      handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) =>
        reply(
          shownRule(
            await changePurchaseLimitRule(
              context,
              staffOrigin(staff, requestId, expectedUpdatedAtMs),
              staff.organizationId,
              params.purchaseLimitRuleId,
              () => body,
            ),
          ),
        ),
    }),

    staffEndpoint({
      id: 'changePurchaseLimitRule',
      method: 'PATCH',
      path: '/staff/v1/purchase-limit-rules/{purchaseLimitRuleId}',
      roles: managers,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Change a purchase limit',
      description:
        'Changes what is sent. A limit that counted only its own type goes on doing so when `cannabisType` changes, ' +
        'and `windowDays` goes with the window that needs it.',
      source: ['D36'],
      tag: 'Settings',
      params: LimitParams,
      body: LimitChanges,
      requestExample: { limit: '21' },
      success: {
        status: 200,
        data: OwnPurchaseLimitRule,
        description: 'The limit',
        example: { ...ownLimitExample, limit: '21' },
      },
      failures: ['MISSING_PARAMS', 'PURCHASE_LIMIT_RULE_NOT_FOUND'],
      resourceParams: strangerRule,
      handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) =>
        reply(
          shownRule(
            await changePurchaseLimitRule(
              context,
              staffOrigin(staff, requestId, expectedUpdatedAtMs),
              staff.organizationId,
              params.purchaseLimitRuleId,
              (former) => changed(former, body),
            ),
          ),
        ),
    }),

    staffEndpoint({
      id: 'deletePurchaseLimitRule',
      method: 'DELETE',
      path: '/staff/v1/purchase-limit-rules/{purchaseLimitRuleId}',
      roles: managers,
      kind: 'write',
      summary: 'Take a purchase limit away',
      description: 'Takes a limit of its own away. Those of the state stay.',
      source: ['D36'],
      tag: 'Settings',
      params: LimitParams,
      success: {
        status: 200,
        data: OwnPurchaseLimitRule,
        description: 'The limit as it was',
        example: ownLimitExample,
      },
      failures: ['PURCHASE_LIMIT_RULE_NOT_FOUND'],
      resourceParams: strangerRule,
      handle: async ({ staff, params, requestId }) =>
        reply(
          shownRule(
            await deletePurchaseLimitRule(
              context,
              staffOrigin(staff, requestId),
              staff.organizationId,
              params.purchaseLimitRuleId,
            ),
          ),
        ),
    }),
  ];
}

function changed(former: LimitSettings, changes: Partial<LimitSettings>): LimitSettings {
  const staysRolling = (changes.window ?? former.window) === 'rolling-days';
  return { ...former, ...(!staysRolling && { windowDays: null }), ...changes };
}

/** A limit of its own as it is shown. */
export function shownRule(row: PurchaseLimitRuleRow) {
  return {
    id: row.id,
    name: row.name,
    customerType: row.customer_type,
    cannabisType: row.cannabis_type,
    limit: canonicalDecimalText(row.limit_amount),
    unit: row.limit_unit,
    window: row.limit_window,
    windowDays: row.window_days,
    counts: inOrderOfTypes(shownCounts(row.counts)),
    locality: row.locality,
    ownSource: row.source,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
  };
}

/** None for customers from elsewhere: a profile does not say where a customer lives, and the warnings say so. */
function shownStateRule(stateRule: StateLimitRule, today: string) {
  const { audience, cannabisType, window, ...rule } = stateRule;
  if (audience === 'adult-use-non-resident' || cannabisType === 'none') return [];
  return [
    {
      id: null,
      source: 'state' as const,
      name: rule.name,
      customerType: audience,
      cannabisType,
      limit: rule.limit.amount,
      unit: rule.limit.unit,
      window: window.kind,
      windowDays: window.kind === 'rolling-days' ? window.days : null,
      counts: inOrderOfTypes(shownCounts(rule.counts)),
      citation: rule.citation,
      law: shownSource(stateRule, today),
      locality: null,
      ownSource: null,
      startsOn: rule.effectiveFrom,
      endsOn: rule.effectiveTo,
      createdAt: null,
      updatedAt: null,
    },
  ];
}

/** The database keeps them in an order of its own. */
function inOrderOfTypes<Count extends { readonly cannabisType: Exclude<CannabisType, 'none'> }>(
  shown: readonly Count[],
): Count[] {
  return shown.toSorted(
    (a, b) => limitedTypes.indexOf(a.cannabisType) - limitedTypes.indexOf(b.cannabisType),
  );
}
