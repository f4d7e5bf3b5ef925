import Type from 'typebox';
import { contentUnitNames } from '../../engines/goods/content-units.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import {
  DecimalText,
  Id,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import {
  type KeptSetting,
  schemasOf,
  settingField,
  settingTable,
} from '../../platform/resources/setting-table.ts';
import { CountsBody, countsExample, ShownCounts } from './counts-schemas.ts';
import { limitedTypes } from './fact-sources.ts';
import { readLocality, readOwnSource } from './locality.ts';
import { localityField, ownSourceField } from './locality-schemas.ts';
import {
  completeLimit,
  inOrderOfTypes,
  missingLimitFields,
  readCounts,
  shownCounts,
} from './purchase-limit-settings.ts';
import { settingsWriters } from './settings-schemas.ts';

const fields = {
  name: settingField(
    Text({ min: 1, max: 200, description: 'Shown with what is left of the limit' }),
    'name',
    {
      reads: (name) => name.trim(),
    },
  ),
  customerType: settingField(
    OneOf(['all', 'adult-use', 'medical'], { description: 'The customers to whom it applies' }),
    'customer_type',
  ),
  cannabisType: settingField(
    OneOf(limitedTypes, { description: 'The type whose unit the limit uses' }),
    'cannabis_type',
  ),
  limit: settingField(
    DecimalText({ description: 'The maximum amount; "0" prohibits the sale' }),
    'limit_amount',
    { shows: canonicalDecimalText },
  ),
  unit: settingField(OneOf(contentUnitNames), 'limit_unit'),
  window: settingField(
    OneOf(['transaction', 'local-day', 'rolling-days', 'calendar-month'], {
      description:
        'Purchases that count together: one order; a local day of the organization; the last `windowDays` days, including today; a calendar month',
    }),
    'limit_window',
  ),
  windowDays: settingField(
    Nullable(WholeNumber({ min: 1, max: 366, description: 'With `rolling-days` only' })),
    'window_days',
    { absent: null },
  ),
  counts: settingField(CountsBody, 'counts', {
    absent: [],
    isStructure: true,
    reads: readCounts,
    shows: (counts) => inOrderOfTypes(shownCounts(counts)),
  }),
  locality: settingField(localityField, 'locality', { absent: null, isStructure: true, reads: readLocality }),
  ownSource: settingField(ownSourceField, 'source', {
    absent: null,
    isStructure: true,
    reads: readOwnSource,
  }),
  startsOn: settingField(
    Nullable(LocalDate({ description: 'First local day of the organization; null: open' })),
    'starts_on',
    { absent: null, selected: 'starts_on::text' },
  ),
  endsOn: settingField(Nullable(LocalDate({ description: 'Last day; null: open' })), 'ends_on', {
    absent: null,
    selected: 'ends_on::text',
  }),
};

const limitTable = settingTable('purchase_limit_rules', { fields, ends: 'removed', lock: 'for update' });

export type PurchaseLimitRuleRow = KeptSetting<typeof fields>;

/** The organization's own limits, by id. */
export const selectPurchaseLimitRules = limitTable.selectAll;

/** What replies show of a limit, beside its id and times. */
export const shownLimitFields = {
  ...schemasOf(fields),
  counts: ShownCounts,
};

/** An own limit of the organization, as responses show it. */
export const OwnPurchaseLimitRule = Named(
  'OwnPurchaseLimitRule',
  Type.Object({ id: Id(), ...shownLimitFields, createdAt: Timestamp(), updatedAt: Timestamp() }),
);

const requestExample = {
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
  ...requestExample,
  counts: countsExample,
  locality: null,
  ownSource: null,
  startsOn: null,
  endsOn: null,
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
};

/** The organization's own purchase limits (D36). Orders that are not fulfilled yet are checked by a changed one. */
export const purchaseLimitRules = settingResource({
  table: limitTable,
  noun: 'purchase limit rule',
  called: 'limit',
  subject: 'purchase_limit_rule',
  idName: 'purchaseLimitRuleId',
  idWords: 'The id of an own rule',
  notFound: 'PURCHASE_LIMIT_RULE_NOT_FOUND',
  completing: completeLimit,
  path: '/staff/v1/purchase-limit-rules',
  tag: 'Settings',
  readers: ['owner', 'manager', 'budtender'],
  writers: settingsWriters,
  data: OwnPurchaseLimitRule,
  example: ownLimitExample,
  bodyName: 'PurchaseLimitBody',
  alsoMissing: missingLimitFields,
  create: {
    id: 'createPurchaseLimitRule',
    summary: 'Add a purchase limit',
    description:
      'Adds a limit in addition to those of the state: a cart must keep all of them. It applies from now on or from `startsOn`, and counts earlier purchases in its window; with `locality` it applies to sales there only.',
    requestExample,
  },
  replace: {
    id: 'replacePurchaseLimitRule',
    summary: 'Replace a purchase limit',
    description: 'Replaces an own limit with the body.',
    requestExample,
  },
  update: {
    id: 'changePurchaseLimitRule',
    summary: 'Change a purchase limit',
    description:
      'Changes the given fields. A limit that counts only its own type continues to do so when `cannabisType` changes, and `windowDays` is removed with the window that needs it.',
    failures: ['MISSING_PARAMS'],
    requestExample: { limit: '21' },
    changed: { limit: '21' },
  },
  end: {
    id: 'deletePurchaseLimitRule',
    summary: 'Delete a purchase limit',
    description: "Deletes one of the organization's own limits. The state's limits cannot be deleted.",
  },
});
