import Type from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { dutyRows, dutyTraits } from '../../engines/jurisdictions/duty.ts';
import { dutyInWords } from '../../engines/jurisdictions/duty-in-words.ts';
import { gapInWords } from '../../engines/jurisdictions/gap.ts';
import type { Gap, Jurisdiction, StateLimitRule } from '../../engines/jurisdictions/jurisdiction.ts';
import { warningsOnFacts } from '../../engines/jurisdictions/jurisdiction-warnings.ts';
import { oldestReading } from '../../engines/jurisdictions/jurisdictions.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { warningsOnEditions } from '../../engines/jurisdictions/law-notices.ts';
import { limitInWords } from '../../engines/jurisdictions/limit-in-words.ts';
import { assert } from '../../kernel/assert.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Flag,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import {
  Equivalences,
  FactSource,
  factSourceExample,
  shownEquivalences,
  shownSource,
} from './fact-sources.ts';
import { settingsReaders } from './settings-schemas.ts';
import { Tax } from './tax-schemas.ts';

const gapKinds = [
  'not-looked-up',
  'not-found',
  'disputed',
  'not-expressible',
  'local',
  'doubtful',
  'note',
] as const satisfies readonly Gap['kind'][];

const { rate, basis, customerType } = Tax.properties;

const StateLaw = Named(
  'StateLaw',
  Type.Object({
    state: Text({ max: 2 }),
    name: Text({ max: 100 }),
    edition: Text({
      max: 14,
      description: 'The edition of legal facts in force: its day of issue and its number',
    }),
    issuedOn: LocalDate(),
    importedAt: Nullable(
      Timestamp({ description: 'When the operator imported the edition; null: shipped with the release' }),
    ),
    oldestReadOn: Nullable(
      LocalDate({ description: 'The day on which the oldest fact was read; null: no fact is known' }),
    ),
    minimumAges: List(
      Type.Object({
        audience: OneOf(['adult-use', 'medical']),
        years: WholeNumber({ min: 1, max: 100 }),
        source: FactSource,
      }),
      { max: 20 },
    ),
    limits: List(
      Type.Object({
        audience: OneOf(['adult-use', 'adult-use-non-resident', 'medical', 'medical-under-21']),
        name: Text({ max: 200 }),
        words: Text({
          max: 500,
          description: 'The limit, its window, and what counts toward it with its equivalences',
        }),
        source: FactSource,
        equivalences: Equivalences,
      }),
      { max: 100, description: 'Includes past and future ones: `source` has their dates' },
    ),
    taxes: List(
      Type.Object({
        description: Text({ max: 200 }),
        rate,
        basis,
        customerType,
        appliesToFees: Flag({ description: 'Also charged on what a shop takes for delivery' }),
        patients: Type.Object({
          rule: OneOf(['owe', 'exempt', 'other-tax', 'not-known']),
          text: Text({ max: 2000 }),
        }),
        source: FactSource,
      }),
      { max: 100, description: 'Includes past and future ones: `source` has their dates' },
    ),
    rules: List(Type.Object({ words: Text({ max: 2000 }), source: FactSource }), {
      max: 400,
      description: 'Other rules that prices and discounts follow, and the duties of a shop',
    }),
    gaps: List(
      Type.Object({
        kind: OneOf(gapKinds, {
          description:
            '`not-looked-up`: the text was not checked for it; `not-found`: the text does not contain it; `doubtful`: one weak source states it',
        }),
        words: Text({ max: 2000 }),
      }),
      { max: 100, description: 'The missing fact' },
    ),
    warnings: List(Text({ max: 1000 }), { max: 20 }),
  }),
);

/** Staff operation on the known law. */
export function lawStaffRoutes(context: Context): StaffEndpoint[] {
  const { database, clock } = context;
  return [
    staffEndpoint({
      id: 'readStateLaw',
      method: 'GET',
      path: '/staff/v1/law',
      roles: [...settingsReaders],
      kind: 'read',
      summary: 'Read the known law of a state',
      description:
        'Every age, limit, equivalence and tax with its source, the day on which it was read, the date of the text and the confidence. Not legal advice.',
      tag: 'Settings',
      query: Type.Object({
        state: Type.Optional(
          Text({ min: 2, max: 2, description: "Two letters; default: the organization's state" }),
        ),
      }),
      success: {
        status: 200,
        data: StateLaw,
        description: 'The facts',
        example: {
          state: 'CA',
          name: 'California',
          edition: '2026-11-23.1',
          issuedOn: '2026-11-23',
          importedAt: null,
          oldestReadOn: '2026-11-20',
          minimumAges: [{ audience: 'adult-use', years: 21, source: factSourceExample }],
          limits: [
            {
              audience: 'adult-use',
              name: 'Flower',
              words: '28.5 g per day of flower',
              source: factSourceExample,
              equivalences: [],
            },
          ],
          taxes: [
            {
              description: 'California cannabis excise tax',
              rate: '15',
              basis: null,
              customerType: 'all',
              appliesToFees: true,
              patients: { rule: 'owe', text: 'The excise is due on medicinal sales too.' },
              source: factSourceExample,
            },
          ],
          rules: [{ words: 'Free cannabis is prohibited', source: factSourceExample }],
          gaps: [{ kind: 'not-found', words: 'Concentrate for patients: 15409(b) names no cap.' }],
          warnings: [],
        },
      },
      failures: [],
      handle: async ({ staff, query }) => {
        const [[organization]] = await database.read(staff.organizationId, selectOrganization({}));
        assert(organization !== undefined, 'the organization of a signed-in caller exists');
        const nowMs = clock.now();
        const state = query.state ?? organization.state;
        return reply(shownLaw(context.law.current, state, localDateAt(nowMs, organization.tz), nowMs));
      },
    }),
  ];
}

/** An unknown state has no facts, and a warning. */
const nothingKnown = (state: string): Jurisdiction => ({
  state,
  name: state,
  minimumAges: [],
  purchaseLimits: [],
  taxes: [],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  gaps: [],
});

function shownLaw(law: Law, state: string, today: string, nowMs: number) {
  const jurisdiction = law.find(state) ?? nothingKnown(state);
  const { name, minimumAges, purchaseLimits, taxes, gaps } = jurisdiction;
  const { freeProductsBarred, taxedBeforeDiscounts, tiedDiscountsBarred } = jurisdiction;
  const rules = [
    ['Free cannabis is prohibited', freeProductsBarred],
    ['Taxes are charged on prices before discounts', taxedBeforeDiscounts],
    ['A discount on cannabis must not depend on the sale of another item', tiedDiscountsBarred],
  ] as const;
  return {
    state,
    name,
    edition: law.edition.edition,
    issuedOn: law.edition.issuedOn,
    importedAt: law.origin.kind === 'imported' ? isoTimestamp(law.origin.importedAtMs) : null,
    oldestReadOn: oldestReading(jurisdiction),
    minimumAges: minimumAges.map((age) => ({
      audience: age.audience,
      years: age.years,
      source: shownSource(age, today),
    })),
    limits: purchaseLimits.map((rule: StateLimitRule) => ({
      audience: rule.audience,
      name: rule.name,
      words: limitInWords(rule),
      source: shownSource(rule, today),
      equivalences: shownEquivalences(rule, today),
    })),
    taxes: taxes.map((tax) => ({
      description: tax.description,
      rate: tax.rate,
      basis: tax.basis ?? null,
      customerType: tax.customerType,
      appliesToFees: tax.appliesToFees,
      patients: { ...tax.patients },
      source: shownSource(tax, today),
    })),
    rules: [
      ...rules.flatMap(([words, fact]) =>
        fact === null ? [] : [{ words, source: shownSource(fact, today) }],
      ),
      ...dutyRows(jurisdiction.duties).map(({ name: duty, duty: row }) => ({
        words: `${dutyTraits[duty].name} (${row.kind.replace('-', ' ')}): ${dutyInWords(duty, row)}`,
        source: shownSource(row, today),
      })),
    ],
    gaps: gaps.map((gap) => ({ kind: gap.kind, words: gapInWords(gap) })),
    warnings: [...warningsOnEditions(law, state, nowMs), ...warningsOnFacts(law, state, today)],
  };
}
