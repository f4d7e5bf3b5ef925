import Type from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { StateLimitRule } from '../../engines/jurisdictions/jurisdiction.ts';
import { warningsOnLimits } from '../../engines/jurisdictions/jurisdiction-warnings.ts';
import { isInForce } from '../../engines/jurisdictions/jurisdictions.ts';
import { assert } from '../../kernel/assert.ts';
import { contentUnitNames } from '../../kernel/content-units.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
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
} from '../../platform/http/schemas.ts';
import { changePurchaseLimitRule } from './change-purchase-limit-rule.ts';
import { createPurchaseLimitRule } from './create-purchase-limit-rule.ts';
import { deletePurchaseLimitRule } from './delete-purchase-limit-rule.ts';
import {
  Equivalences,
  FactSource,
  factSourceExample,
  limitedTypes,
  shownEquivalences,
  shownSource,
} from './fact-sources.ts';
import { localityField, ownSourceField } from './locality-schemas.ts';
import { limitedForms } from './organization-warnings.ts';
import { type PurchaseLimitRuleRow, selectPurchaseLimitRules } from './purchase-limit-queries.ts';
import {
  inOrderOfTypes,
  type LimitSettings,
  missingLimitFields,
  shownCounts,
} from './purchase-limit-settings.ts';
import { selectTaxedCategories } from './tax-queries.ts';

const windows = ['transaction', 'local-day', 'rolling-days', 'calendar-month'] as const;
const customerTypes = ['all', 'adult-use', 'medical'] as const;

const windowWords =
  'Purchases that count together: one order; a local day of the organization; the last `windowDays` days, including today; a calendar month';

const CountedContent = Named(
  'CountedContent',
  Type.Object({
    cannabisType: OneOf(limitedTypes),
    amount: Type.Optional(
      Nullable(DecimalText({ sign: 'positive', description: 'This amount counts as `countsAs`' })),
    ),
    unit: Type.Optional(Nullable(OneOf(contentUnitNames))),
    countsAs: Type.Optional(Nullable(DecimalText({ sign: 'positive' }))),
    countsAsUnit: Type.Optional(Nullable(OneOf(contentUnitNames))),
  }),
);

const countsDescription =
  'The types that count toward the limit: one to one, or `amount` of it counts as `countsAs`. Types that are not listed do not count';

const limitFields = {
  name: Text({ min: 1, max: 200, description: 'Shown with what is left of the limit' }),
  customerType: OneOf(customerTypes, { description: 'The customers to whom it applies' }),
  cannabisType: OneOf(limitedTypes, { description: 'The type whose unit the limit uses' }),
  limit: DecimalText({ description: 'The maximum amount; "0" prohibits the sale' }),
  unit: OneOf(contentUnitNames),
  window: OneOf(windows, { description: windowWords }),
};
const windowDays = Nullable(WholeNumber({ min: 1, max: 366, description: 'With `rolling-days` only' }));
const counts = List(CountedContent, {
  min: 1,
  max: limitedTypes.length,
  description: `${countsDescription}. Default: \`cannabisType\`, one to one`,
});

/** Its locality, dates and source. */
const holding = {
  locality: localityField,
  ownSource: ownSourceField,
  startsOn: Nullable(LocalDate({ description: 'First local day of the organization; null: open' })),
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

/** An own limit of the organization, as responses show it. */
export const OwnPurchaseLimitRule = Named(
  'OwnPurchaseLimitRule',
  Type.Object({ id: Id(), ...shownFields, ...holding, createdAt: Timestamp(), updatedAt: Timestamp() }),
);

const PurchaseLimitRule = Named(
  'PurchaseLimitRule',
  Type.Object({
    id: Nullable(Id({ description: 'Null for a rule of the state' })),
    source: OneOf(['organization', 'state'], {
      description: "The state's rules come with the law edition; they cannot be changed here",
    }),
    ...shownFields,
    customerType: OneOf([...customerTypes, 'medical-under-21'], {
      description:
        'The customers to whom it applies. `medical-under-21` replaces `medical` for patients below 21 whose birthday is known',
    }),
    citation: Nullable(Text({ max: 500, description: "The law of a state's rule" })),
    law: Nullable(FactSource),
    equivalences: Equivalences,
    locality: localityField,
    ownSource: ownSourceField,
    startsOn: Nullable(LocalDate({ description: 'First day; null: open' })),
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

/** Staff operations on purchase limits (D36). */
export function purchaseLimitStaffRoutes(context: Context): StaffEndpoint[] {
  const { database, clock } = context;
  return [
    staffEndpoint({
      id: 'listPurchaseLimitRules',
      method: 'GET',
      path: '/staff/v1/purchase-limit-rules',
      roles: [...managers, 'budtender'],
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List purchase limits',
      description:
        "The limits that carts are checked against: those of the organization's state that are in force today, then all of its own, including past and future ones. `meta.warnings` lists unknown rules that are not checked, including those for cannabis types of the categories.",
      source: ['D36'],
      tag: 'Settings',
      sorts: { source: 'descending', name: 'ascending', customerType: 'ascending', startsOn: 'descending' },
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
            ...{ law: factSourceExample, equivalences: [] },
            ...{ locality: null, ownSource: null },
            startsOn: null,
            endsOn: null,
            createdAt: null,
            updatedAt: null,
          },
          { ...ownLimitExample, source: 'organization', citation: null, law: null, equivalences: [] },
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
        assert(organization !== undefined, 'the organization of a signed-in caller exists');
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
              ...{ citation: null, law: null, equivalences: [] },
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
        'Adds a limit in addition to those of the state: a cart must keep all of them. It applies from now on or from `startsOn`, and counts earlier purchases in its window; with `locality` it applies to sales there only.',
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
      description: 'Replaces an own limit with the body.',
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
        'Changes the given fields. A limit that counts only its own type continues to do so when `cannabisType` changes, and `windowDays` is removed with the window that needs it.',
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
      summary: 'Delete a purchase limit',
      description: "Deletes one of the organization's own limits. The state's limits cannot be deleted.",
      source: ['D36'],
      tag: 'Settings',
      params: LimitParams,
      success: {
        status: 200,
        data: OwnPurchaseLimitRule,
        description: 'The limit before its deletion',
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

/** An own limit as responses show it. */
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

/** Without nonresident limits: a profile does not state where a customer lives, and the warnings mention it. */
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
      equivalences: shownEquivalences(stateRule, today),
      locality: null,
      ownSource: null,
      startsOn: rule.effectiveFrom,
      endsOn: rule.effectiveTo,
      createdAt: null,
      updatedAt: null,
    },
  ];
}
