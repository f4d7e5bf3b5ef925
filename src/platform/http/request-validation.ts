import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { assert } from '../../kernel/assert.ts';
import { type ErrorCode, errorCatalog } from '../../kernel/error-catalog.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { lazily } from '../../kernel/lazily.ts';
import { bodyNormalizer } from './body-normalizer.ts';
import type { AbsentField, Endpoint, StaffEndpoint } from './endpoint.ts';
import { expectedWords, nearestName, type RequestSchema } from './expectation-words.ts';
import { customKeywords } from './schemas.ts';

/** A refusal lists at most this many missing fields. */
const missingListedMax = 50;
/** Longer names are not repeated in messages. */
const repeatedNameLengthMax = 40;

type Values = Readonly<Record<string, unknown>>;
export type QueryValues = Readonly<Record<string, string | string[] | undefined>>;

export interface ValidRequest {
  readonly params: Values;
  readonly query: Values;
  readonly body: unknown;
}

/** Whether names that are not declared are refused: in query and body (D5), in the query only, or nowhere. */
type Strictness = boolean | 'query';

/**
 * Makes the validator of an endpoint's requests. A body is first normalized (`bodyNormalizer`). The validator returns
 * the typed values without undeclared ones, or throws in the order of D13: MISSING_PARAMS for query and body together,
 * then INVALID_PARAMS (or the node's own code), then the 404 of a path value that cannot be an id.
 */
export function requestValidator(
  endpoint: Pick<Endpoint, 'params' | 'query' | 'body' | 'alsoMissing' | 'resourceParams'> &
    Partial<Pick<Endpoint, 'method' | 'success'> & Pick<StaffEndpoint, 'refusesUnknownNames'>>,
): (params: QueryValues, query: QueryValues, body: unknown, strict: Strictness) => ValidRequest {
  const params = endpoint.params && new TextValues(endpoint.params, endpoint.resourceParams);
  const query = endpoint.query && new TextValues(endpoint.query);
  const bodySchema = endpoint.body as RequestSchema | undefined;
  const bodyCheck = bodySchema && checkOf(bodySchema);
  const isUpdate = endpoint.method === 'PUT' || endpoint.method === 'PATCH';
  const { refusesUnknownNames = false } = endpoint;
  // Someone who changes a few fields of a reply may send all of it back.
  const shown = refusesUnknownNames ? (endpoint.success?.data as RequestSchema | undefined) : undefined;
  const tolerance = lazily(() => bodySchema && bodyNormalizer(bodySchema, isUpdate));

  return (sentParams, sentQuery, body, strict) => {
    const path = params?.read(sentParams);
    const search = query?.read(sentQuery);
    tolerance()?.(body);
    // Before validation, which removes undeclared names.
    const readsStrictly = strict === true || refusesUnknownNames;
    const unknownName =
      (strict ? unknownNames(query?.schema ?? { properties: {} }, sentQuery, '') : undefined) ??
      (bodySchema && readsStrictly ? unknownNames(bodySchema, body, '', shown) : undefined);
    const bodyIsValid = bodyCheck?.();
    const bodyError = bodyIsValid && !bodyIsValid(body) ? bodyIsValid.errors?.[0] : undefined;

    const missing: AbsentField[] = search?.missing ?? [];
    if (bodySchema && bodyError) collectMissing(bodySchema, body, '', missing);
    if (endpoint.alsoMissing) missing.push(...endpoint.alsoMissing(body));
    if (missing.length > 0) {
      const listed = missing.slice(0, missingListedMax);
      throw failure('MISSING_PARAMS', `Required but absent: ${listed.map(absentWords).join(', ')}.`, {
        // One of several fields is enough: all of them are named, as in the message.
        missing: listed.flat(),
      });
    }
    if (search?.problem) throw search.problem;
    if (bodyError) throw invalid(bodyError);
    if (unknownName) throw unknownName;
    if (path?.problem) throw path.problem;
    return { params: path?.values ?? {}, query: search?.values ?? {}, body };
  };
}

const ajv = new Ajv({
  // One pass that stops at the first error; missing fields are collected later, for refused bodies only.
  allErrors: false,
  coerceTypes: false,
  // A handler gets declared names only: unknown ones are ignored (D5), `__proto__` included.
  removeAdditional: 'all',
  allowUnionTypes: true,
  verbose: true,
  messages: false,
  strict: true,
});
ajv.addVocabulary(customKeywords);
ajv.addFormat('date', isLocalDate);
ajv.addFormat('date-time', isTimestamp);
ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i);

/** By the text of the schema: ids, pages and names are read by many endpoints. */
const checks = new Map<string, () => ValidateFunction>();
/** By the schema itself: a process that makes several services, as tests do, needs no text of it again. */
const checksOfSchemas = new WeakMap<RequestSchema, () => ValidateFunction>();

/**
 * The validator of a schema, compiled at its first use, once for all endpoints that read the same; an unsupported schema is
 * refused at once.
 */
function checkOf(schema: RequestSchema): () => ValidateFunction {
  const made = checksOfSchemas.get(schema) ?? checkOfText(schema);
  checksOfSchemas.set(schema, made);
  return made;
}

function checkOfText(schema: RequestSchema): () => ValidateFunction {
  // Removing undeclared names in one branch of a union would remove them for the next one, and missing fields of a
  // union are ambiguous. Use Nullable and OneOf instead. What only describes the schema is not checked by it.
  const checked = JSON.stringify(schema, (name, value) => (name === 'x-shown-as' ? undefined : value));
  assert(!/"(?:anyOf|oneOf|allOf|\$ref)":/.test(checked), 'request schemas cannot contain unions');
  const known = checks.get(checked);
  if (known) return known;
  const check = lazily(() => ajv.compile(schema as object));
  checks.set(checked, check);
  return check;
}

/** Whether a text is an existing date `YYYY-MM-DD`. */
export function isLocalDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // PostgreSQL has no year 0.
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const timestampPattern =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const [firstInstantMs, lastInstantMs] = [
  Date.parse('0001-01-01T00:00:00.000Z'),
  Date.parse('9999-12-31T23:59:59.999Z'),
];

/**
 * Whether a text is an RFC 3339 timestamp: with Z or an offset, and at most 9 decimals of a second (.NET writes 7, Java
 * 9). No leap seconds. `Date.parse` accepts all of them, to the millisecond; PostgreSQL accepts no offset beyond 15:59.
 */
export function isTimestamp(text: string): boolean {
  const match = timestampPattern.exec(text);
  if (match === null || !isLocalDate(match[1]!)) return false;
  // With its offset it may lie outside the representable years.
  const instantMs = Date.parse(text);
  return instantMs >= firstInstantMs && instantMs <= lastInstantMs;
}

/** Text values (path and query), converted strictly to their declared types. */
class TextValues {
  readonly schema: RequestSchema;
  readonly #codes: Readonly<Record<string, ErrorCode>>;
  readonly #properties: readonly (readonly [string, RequestSchema])[];
  readonly #required: readonly string[];
  readonly #check: () => ValidateFunction;

  constructor(schema: TSchema, codes: Readonly<Record<string, ErrorCode>> = {}) {
    this.schema = schema;
    this.#codes = codes;
    this.#properties = Object.entries(this.schema.properties ?? {});
    this.#required = this.schema.required ?? [];
    this.#check = checkOf(this.schema);
  }

  /** The values, the names of missing ones, or the refusal of the first wrong one. */
  read(sent: QueryValues): { values: Values; missing: string[]; problem: Failure | undefined } {
    const values: Record<string, unknown> = {};
    let wrong: string | undefined;
    for (const [name, schema] of this.#properties) {
      const text = sent[name];
      if (text === undefined) continue;
      const value = typeof text === 'string' ? fromText(text, schema) : undefined;
      if (value === undefined) wrong ??= name;
      else values[name] = value;
    }
    const missing = this.#required.filter((name) => sent[name] === undefined);
    return { values, missing, problem: this.#problem(sent, wrong, values, missing) };
  }

  #problem(sent: QueryValues, wrong: string | undefined, values: Values, missing: readonly string[]) {
    if (wrong !== undefined) {
      if (Array.isArray(sent[wrong])) return failure('INVALID_PARAMS', `${wrong} must be given once.`);
      return this.#refusal(wrong, this.schema.properties![wrong]!);
    }
    const isValid = this.#check();
    if (missing.length > 0 || isValid(values)) return undefined;
    const error = isValid.errors![0]!;
    return this.#refusal(error.instancePath.slice(1), error.parentSchema as RequestSchema, error.keyword);
  }

  #refusal(name: string, schema: RequestSchema, keyword?: string): Failure {
    const code = this.#codes[name];
    // A path value that cannot be an id gets the same reply as an id that does not exist.
    if (code) return failure(code, errorCatalog[code].when);
    return refusal(name, schema, keyword);
  }
}

/** Converts a text to its declared type; undefined if it does not match. */
function fromText(text: string, { type }: RequestSchema): unknown {
  if (text === '') return undefined;
  switch (type) {
    case 'integer':
      return /^(?:0|-?[1-9][0-9]{0,15})$/.test(text) ? Number(text) : undefined;
    case 'number':
      return /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,15})?$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    default:
      return text;
  }
}

/** `a`, `a or b`, `a, b or c`. */
function absentWords(field: AbsentField): string {
  return typeof field === 'string' ? field : `${field.slice(0, -1).join(', ')} or ${field.at(-1)}`;
}

/** Adds the paths of missing required fields; lists beyond their limit are skipped. */
function collectMissing(schema: RequestSchema, value: unknown, path: string, missing: AbsentField[]): void {
  if (missing.length >= missingListedMax) return;
  if (Array.isArray(value)) {
    if (!schema.items || value.length > (schema.maxItems ?? 0)) return;
    for (const [index, item] of value.entries())
      collectMissing(schema.items, item, `${path}[${index}]`, missing);
  } else if (isRecord(value)) {
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(value, name)) missing.push(joined(path, name));
    }
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (Object.hasOwn(value, name)) collectMissing(property, value[name], joined(path, name), missing);
    }
  }
}

/** The refusal of the first undeclared name, for strict callers (D5). Names of `shown` are known, too. */
function unknownNames(
  schema: RequestSchema,
  value: unknown,
  path: string,
  shown?: RequestSchema,
): Failure | undefined {
  if (Array.isArray(value)) {
    if (!schema.items || value.length > (schema.maxItems ?? 0)) return undefined;
    for (const [index, item] of value.entries()) {
      const problem = unknownNames(schema.items, item, `${path}[${index}]`, shown?.items);
      if (problem) return problem;
    }
  } else if (isRecord(value) && schema.properties) {
    const { properties } = schema;
    for (const name of Object.keys(value)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const isShown = shown?.properties !== undefined && Object.hasOwn(shown.properties, name);
      if (!property && isShown) continue;
      if (!property) return unknownName(path, name, Object.keys(properties));
      const problem = unknownNames(
        property,
        value[name],
        joined(path, name),
        isShown ? shown.properties![name] : undefined,
      );
      if (problem) return problem;
    }
  }
  return undefined;
}

function unknownName(path: string, name: string, names: readonly string[]): Failure {
  const isShort = name.length <= repeatedNameLengthMax;
  const nearest = isShort ? nearestName(name, names) : undefined;
  return failure(
    'INVALID_PARAMS',
    `${isShort ? joined(path, name) : `A name in ${path || 'the request'}`} is not known${nearest ? `; the nearest is ${joined(path, nearest)}` : ''}.`,
  );
}

function invalid(error: ErrorObject): Failure {
  return refusal(pathOf(error.instancePath), error.parentSchema as RequestSchema, error.keyword);
}

function refusal(path: string, schema: RequestSchema, keyword?: string): Failure {
  const code = (schema['x-error-code'] as ErrorCode | undefined) ?? 'INVALID_PARAMS';
  return failure(code, `${path || 'The body'} must be ${expectedWords(schema, keyword)}.`);
}

/** `/lineItems/2/quantity` → `lineItems[2].quantity` */
function pathOf(pointer: string): string {
  return pointer
    .replace(/\/([0-9]+)(?=\/|$)/g, '[$1]')
    .replace(/\//g, '.')
    .replace(/^\./, '');
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
