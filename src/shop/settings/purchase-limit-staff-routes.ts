import Type from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { StateLimitRule } from '../../engines/jurisdictions/jurisdiction.ts';
import { warningsOnLimits } from '../../engines/jurisdictions/jurisdiction-warnings.ts';
import { isInForce } from '../../engines/jurisdictions/jurisdictions.ts';
import { assert } from '../../kernel/assert.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List, LocalDate, Named, Nullable, OneOf, Text, Timestamp } from '../../platform/http/schemas.ts';
import {
  Equivalences,
  FactSource,
  factSourceExample,
  shownEquivalences,
  shownSource,
} from './fact-sources.ts';
import { limitedForms } from './organization-warnings.ts';
import {
  ownLimitExample,
  purchaseLimitRules,
  selectPurchaseLimitRules,
  shownLimitFields,
} from './purchase-limit-setting.ts';
import { inOrderOfTypes, shownCounts } from './purchase-limit-settings.ts';
import { selectTaxedCategories } from './tax-queries.ts';

const { locality, ownSource, startsOn: _from, endsOn: _to, ...whatIsLimited } = shownLimitFields;

const PurchaseLimitRule = Named(
  'PurchaseLimitRule',
  Type.Object({
    id: Nullable(Id({ description: 'Null for a rule of the state' })),
    source: OneOf(['organization', 'state'], {
      description: "The state's rules come with the law edition; they cannot be changed here",
    }),
    ...whatIsLimited,
    customerType: OneOf(['all', 'adult-use', 'medical', 'medical-under-21'], {
      description:
        'The customers to whom it applies. `medical-under-21` replaces `medical` for patients below 21 whose birthday is known',
    }),
    citation: Nullable(Text({ max: 500, description: "The law of a state's rule" })),
    law: Nullable(FactSource),
    equivalences: Equivalences,
    locality,
    ownSource,
    startsOn: Nullable(LocalDate({ description: 'First day; null: open' })),
    endsOn: Nullable(LocalDate({ description: 'Last day; null: open' })),
    createdAt: Nullable(Timestamp()),
    updatedAt: Nullable(Timestamp()),
  }),
);

/** Staff operations on purchase limits (D36). */
export function purchaseLimitStaffRoutes(context: Context): StaffEndpoint[] {
  const { database, clock } = context;
  return [
    staffEndpoint({
      id: 'listPurchaseLimitRules',
      method: 'GET',
      path: '/staff/v1/purchase-limit-rules',
      roles: ['owner', 'manager', 'budtender'],
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'settings of the shop' },
      summary: 'List purchase limits',
      description:
        "The limits that carts are checked against: those of the organization's state that are in force today, then all of its own, including past and future ones. `meta.warnings` lists unknown rules that are not checked, including those for cannabis types of the categories.",
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
              ...purchaseLimitRules.shown(row),
              source: 'organization' as const,
              ...{ citation: null, law: null, equivalences: [] },
            })),
          ],
          { meta: { warnings: warningsOnLimits(law, state, today, limitedForms(categories, rows, today)) } },
        );
      },
    }),

    ...purchaseLimitRules.routes(context),
  ];
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
