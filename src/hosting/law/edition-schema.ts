import { Ajv, type ErrorObject } from 'ajv';
import Type, { type TSchema } from 'typebox';
import { cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import { contentUnitNames } from '../../engines/goods/content-units.ts';
import { type DutyName, dutyNames } from '../../engines/jurisdictions/duty.ts';
import type { LawEdition } from '../../engines/jurisdictions/law-edition.ts';
import { usStates } from '../../engines/jurisdictions/us-states.ts';
import { lazily } from '../../kernel/lazily.ts';
import { expectedWords, type RequestSchema } from '../../platform/http/expectation-words.ts';
import { isLocalDate } from '../../platform/http/request-validation.ts';
import {
  customKeywords,
  List,
  LocalDate,
  NonBlankText,
  Nullable,
  OneOf,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import type { LawFault } from './law-faults.ts';

/** The maximum size of an edition file; the shipped one has a third of it. */
export const editionBytesMax = 1_000_000;

/* The schema of a law file: `LawEdition`, field by field. law-faults.ts has the rules across fields. */

const closed = { additionalProperties: false };

const OptionalText = (max: number) => Nullable(NonBlankText({ max }));

const provenance = {
  citation: NonBlankText({ max: 500 }),
  confidence: OneOf(['high', 'medium']),
  source: NonBlankText({ max: 1000 }),
  link: Nullable(
    Type.String({
      maxLength: 500,
      pattern: String.raw`^https://\S+$`,
      'x-expected': 'an https address, or null',
    }),
  ),
  sourceKind: OneOf(['primary', 'secondary']),
  readOn: LocalDate(),
  textOf: Nullable(
    Type.String({
      maxLength: 10,
      pattern: String.raw`^\d{4}(-\d{2}){0,2}$`,
      'x-expected': 'a year, month or day such as 2021, 2021-07 or 2021-07-14, or null',
    }),
  ),
  pending: OptionalText(500),
};

const sourced = {
  ...provenance,
  effectiveFrom: Nullable(LocalDate()),
  effectiveTo: Nullable(LocalDate()),
};

const CannabisTypes = Type.Array(OneOf(cannabisTypes), { maxItems: cannabisTypes.length, uniqueItems: true });

const Amount = Type.String({
  maxLength: 20,
  pattern: String.raw`^(?=.*[1-9])(0|[1-9]\d{0,11})(\.\d{1,6})?$`,
  'x-expected': 'a number above 0 as text, with at most 12 digits before and 6 after the point',
});

const Quantity = Type.Object({ amount: Amount, unit: OneOf(contentUnitNames) }, closed);

const Counting = Type.Union(
  [
    Type.Literal('one-to-one'),
    Type.Object(
      { of: Type.Optional(Type.Literal('thc')), amount: Quantity, uses: Quantity, ...provenance },
      closed,
    ),
  ],
  {
    'x-expected':
      '"one-to-one" or an equivalence: amount and uses, each {amount, unit}, with its own citation, confidence, source, link, sourceKind, readOn, textOf and pending',
  },
);

const Limit = Type.Object(
  {
    ...sourced,
    audience: OneOf(['adult-use', 'adult-use-non-resident', 'medical', 'medical-under-21']),
    name: NonBlankText({ max: 200 }),
    window: Type.Object(
      {
        kind: OneOf(['transaction', 'local-day', 'rolling-days', 'calendar-month']),
        days: Type.Optional(WholeNumber({ min: 1, max: 366 })),
      },
      closed,
    ),
    cannabisType: OneOf(cannabisTypes.filter((type) => type !== 'none')),
    limit: Quantity,
    counts: Type.Object(
      Object.fromEntries(
        cannabisTypes.filter((type) => type !== 'none').map((type) => [type, Type.Optional(Counting)]),
      ),
      { ...closed, minProperties: 1 },
    ),
  },
  closed,
);

const Percent = Type.String({
  maxLength: 10,
  pattern: String.raw`^(100(\.0{1,6})?|\d{1,2}(\.\d{1,6})?)$`,
  'x-expected': 'a percentage from 0 to 100 as text, with at most 6 decimals',
});

const Tax = Type.Object(
  {
    ...sourced,
    description: NonBlankText({ max: 200 }),
    rate: Percent,
    basis: Type.Optional(
      Type.Object(
        {
          kind: OneOf(['potency', 'thc-mg', 'grams']),
          brackets: Type.Optional(
            List(
              Type.Object(
                { aboveThcPercent: Nullable(Percent), upToThcPercent: Nullable(Percent), rate: Percent },
                closed,
              ),
              { min: 1, max: 20 },
            ),
          ),
          cents: Type.Optional(Amount),
        },
        closed,
      ),
    ),
    tier: OneOf(['1', '2', '3', '4', '5']),
    type: OneOf(['standard', 'excise', 'california-excise']),
    included: Type.Boolean(),
    encompass: Type.Boolean(),
    customerType: OneOf(['all', 'adult-use', 'medical']),
    patients: Type.Object(
      {
        rule: OneOf(['owe', 'exempt', 'other-tax', 'not-known']),
        text: Type.String({ minLength: 20, maxLength: 2000 }),
      },
      closed,
    ),
    appliesToFees: Type.Boolean(),
    rounding: OneOf(['half-up', 'up']),
    excludedCannabisTypes: CannabisTypes,
    nonExemptableCannabisTypes: CannabisTypes,
  },
  closed,
);

const MinimumAge = Type.Object(
  { ...sourced, audience: OneOf(['adult-use', 'medical']), years: WholeNumber({ min: 1, max: 100 }) },
  closed,
);

const OtherRule = Nullable(Type.Object(sourced, closed));

const ClockTime = Type.String({
  maxLength: 5,
  pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
  'x-expected': 'a time of day from 00:00 to 24:00',
});

const ClockWindow = Type.Object({ from: ClockTime, to: ClockTime }, closed);
const Words = NonBlankText({ max: 1000 });
const InWords = Type.Object({ words: Words }, closed);
const BarredFor = Type.Object({ barredFor: OneOf(['adult-use', 'everyone', 'none']), words: Words }, closed);

/** The value of each duty: `DutyValues`, field by field. */
const dutyValues: Readonly<Record<DutyName, TSchema>> = {
  saleHours: Type.Union([Type.Literal('local'), ClockWindow], {
    'x-expected': '"local", or from and to',
  }),
  patientsOnlyProducts: Type.Object(
    {
      packagesAbove: List(
        Type.Object(
          { cannabisType: OneOf(cannabisTypes.filter((type) => type !== 'none')), amount: Quantity },
          closed,
        ),
        { min: 1, max: 20 },
      ),
    },
    closed,
  ),
  residence: Type.Object({ othersHave: Type.Literal('narrower-limits') }, closed),
  discounts: BarredFor,
  loyalty: BarredFor,
  gifts: Type.Object({ free: OneOf(['barred', 'only-with-purchase']) }, closed),
  bundles: Type.Object({ barred: OneOf(['any', 'mixed']) }, closed),
  belowCost: InWords,
  advertisedPrices: InWords,
  delivery: Type.Object(
    {
      to: OneOf(['none', 'patients', 'everyone']),
      hours: Nullable(ClockWindow),
      vehicleValueCents: Nullable(WholeNumber({ min: 1, max: 100_000_000 })),
      words: Words,
    },
    closed,
  ),
  returns: Type.Object({ accepted: OneOf(['barred', 'allowed']), words: Words }, closed),
  idCheck: Type.Object({ of: OneOf(['every-buyer']) }, closed),
  idCopies: Type.Object({ kept: OneOf(['barred', 'with-consent']) }, closed),
  scanRetention: Type.Object({ days: WholeNumber({ min: 1, max: 36_500 }) }, closed),
  labelsAndExit: InWords,
  receipts: InWords,
  reporting: Type.Object({ system: Words, deadline: OptionalText(200), words: Words }, closed),
};

/** A list: what the law says; null: looked for, and not found; absent: not looked up. */
const dutyList = (value: TSchema) =>
  Type.Optional(
    Nullable(
      List(
        Type.Object(
          {
            ...sourced,
            kind: OneOf(['enforced', 'recorded', 'shown', 'by-hand']),
            ownerMayOverride: Type.Boolean(),
            value,
          },
          closed,
        ),
        { min: 1, max: 20 },
      ),
    ),
  );

const Duties = Type.Object(
  Object.fromEntries(dutyNames.map((name) => [name, dutyList(dutyValues[name])])),
  closed,
);

const Gap = Type.Object(
  {
    kind: OneOf(['not-looked-up', 'not-found', 'disputed', 'not-expressible', 'local', 'doubtful', 'note']),
    text: NonBlankText({ max: 2000 }),
    source: Type.Optional(NonBlankText({ max: 1000 })),
  },
  closed,
);

const StateFacts = Type.Object(
  {
    state: OneOf(usStates),
    name: NonBlankText({ max: 100 }),
    minimumAges: List(MinimumAge, { max: 20 }),
    purchaseLimits: List(Limit, { max: 100 }),
    taxes: List(Tax, { max: 100 }),
    freeProductsBarred: OtherRule,
    taxedBeforeDiscounts: OtherRule,
    tiedDiscountsBarred: OtherRule,
    duties: Type.Optional(Duties),
    gaps: List(Gap, { max: 100 }),
  },
  closed,
);

const Edition = Type.Object(
  {
    format: Type.Literal(1),
    edition: Type.String({
      maxLength: 14,
      pattern: String.raw`^\d{4}-\d{2}-\d{2}\.[1-9]\d{0,2}$`,
      'x-expected': 'the day of issue and the number of that day, such as 2026-11-23.1',
    }),
    issuedOn: LocalDate(),
    note: NonBlankText({ max: 2000 }),
    jurisdictions: List(StateFacts, { min: 1, max: 60 }),
  },
  closed,
);

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, verbose: true });
ajv.addVocabulary(customKeywords);
ajv.addFormat('date', isLocalDate);
/** Compiled at its first use: that takes a quarter of the start of a command that reads no edition. */
const editionCheck = lazily(() => ajv.compile<LawEdition>(Edition));

/** The JSON Schema of an edition file, for its authors. */
export const editionSchema: object = Edition;

type ReadEdition = LawEdition | { readonly faults: readonly LawFault[] };

/** Parses the bytes of an edition file. Returns the edition, or the errors in its form. */
export function readEdition(bytes: Uint8Array): ReadEdition {
  const ofFile = (problem: string) => ({ faults: [{ state: null, field: 'the file', problem }] });
  if (bytes.length > editionBytesMax) return ofFile(`must have at most ${editionBytesMax} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return ofFile(`must be JSON in UTF-8: ${(error as Error).message}`);
  }
  const isEdition = editionCheck();
  if (isEdition(value)) return value;
  const errors = isEdition.errors ?? [];
  return { faults: withoutBranches(errors).map((error) => faultOf(error, value)) };
}

/**
 * For a choice that fits no branch, only the choice: the errors of each branch would be confusing. An object is meant as
 * the branch that is an object, so its own errors say more.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const isObject = ({ data }: ErrorObject) => typeof data === 'object' && data !== null;
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf');
  const plain = choices.filter((it) => !isObject(it)).map(({ instancePath }) => instancePath);
  const ofObjects = choices.filter(isObject).map(({ instancePath }) => instancePath);
  return errors.filter((error) => {
    const { keyword, instancePath, schemaPath } = error;
    if (keyword === 'anyOf') return !isObject(error);
    if (!schemaPath.includes('/anyOf/')) return true;
    if (ofObjects.includes(instancePath)) return keyword !== 'const' && keyword !== 'type';
    return !plain.some((choice) => instancePath.startsWith(choice));
  });
}

function faultOf({ instancePath, keyword, params, parentSchema }: ErrorObject, value: unknown): LawFault {
  const path = instancePath.split('/').slice(1);
  const [, index, ...rest] = path[0] === 'jurisdictions' && path.length > 1 ? path : [];
  const state = index === undefined ? null : stateAt(value, Number(index));
  const names = index === undefined ? path : rest;
  const name = params.missingProperty ?? params.additionalProperty;
  const problem =
    keyword === 'required'
      ? 'is missing'
      : keyword === 'additionalProperties'
        ? 'is not a field of the format'
        : `must be ${expectedWords(parentSchema as RequestSchema, keyword)}`;
  return { state, field: fieldName(name === undefined ? names : [...names, name]), problem };
}

function stateAt(value: unknown, index: number): string {
  const states = (value as { readonly jurisdictions: readonly { readonly state?: unknown }[] }).jurisdictions;
  const state = states[index]?.state;
  return typeof state === 'string' ? state.slice(0, 20) : `number ${index + 1}`;
}

/** `purchaseLimits[1].limit.unit`. */
function fieldName(path: readonly string[]): string {
  const name = path.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('');
  return name === '' ? 'the file' : name.replace(/^\./, '');
}
