import { afterAll, beforeAll } from 'vitest';
import type { AnyEndpoint } from '../../src/http/endpoint.ts';
import { type ContractRequest, pathOf, propertyNames } from './contract-world.ts';
import { type FieldSchema, fieldsOf, sampleOf, setAt } from './request-fields.ts';

/** Values at the edges of types, bounds and formats. `raw` ones are no JSON that JSON.stringify would write. */
const edgeValues: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1,
    1.5,
    10_000,
    10_001,
    1e21,
    1e308,
    5e-324,
    2 ** 53,
    2 ** 53 - 1,
    -(2 ** 53),
  ],
  ...[
    '',
    ' ',
    '0',
    '1e5',
    'true',
    'null',
    'delivery',
    'pickup',
    'in-store',
    '94607',
    '94607-1234',
    'é',
    '🌿',
  ],
  ...[
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '\ufeff',
    '%00',
    "'; drop table orders --",
    '$1',
  ],
  ...['x'.repeat(101), 'x'.repeat(3000), '9'.repeat(400), '-0', 'NaN', '1'.repeat(16), '\\', '"', '{{7*7}}'],
  ...['2026-02-30', '0001-01-01', '9999-12-31', '10000-01-01', '2026-03-10T00:00:00Z', '2024-02-29'],
  ...[
    '7b0c9d7e-3f43-4f0e-9a51-0f6f0a4c1c55',
    '00000000-0000-0000-0000-000000000000',
    'a@b.co',
    '+14155550123',
  ],
  ...[[], [[]], {}, { id: 1 }, [null], [1, 'a'], { toString: null }, { length: 3 }],
];
const names = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  '',
  'lineItems',
  'type',
  '0',
  'length',
  '\u0000',
  'é',
];

/** What the malformed requests are put together from. */
export interface Pool {
  readonly values: readonly unknown[];
  readonly queryValues: readonly string[];
}

/** The values at the edges, and ids that name something. */
export function poolOf(ids: Readonly<Record<string, string | number>>): Pool {
  const values = [...edgeValues, ...Object.values(ids)];
  return {
    values,
    queryValues: [
      ...values.filter((value) => typeof value !== 'object').map((value) => encoded(String(value))),
      ...['%', '%zz', '%c3', '%ed%a0%80', '%00', '+', 'a+b', '=', '&&', '[]', ';'],
    ],
  };
}

/** Reads choices off a list of numbers. */
class Choices {
  readonly #numbers: readonly number[];
  readonly #pool: Pool;
  #at = 0;

  constructor(numbers: readonly number[], pool: Pool) {
    this.#numbers = numbers;
    this.#pool = pool;
  }

  below(bound: number): number {
    const number = this.#numbers[this.#at++ % this.#numbers.length]!;
    return number % bound;
  }

  one<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** Its own copy: lists and objects are changed further. */
  value(): unknown {
    const value = this.one(this.#pool.values);
    return typeof value === 'object' ? structuredClone(value) : value;
  }

  queryValue(): string {
    return this.one(this.#pool.queryValues);
  }
}

type Node = Record<string | number, unknown>;

/** Every property and item of a value, with what it lies in. */
function placesOf(value: unknown, places: [Node, string][] = []): [Node, string][] {
  if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      places.push([value as Node, name]);
      placesOf((value as Node)[name], places);
    }
  }
  return places;
}

/** Changes one place of a body. */
function mutate(body: Node, choices: Choices): void {
  const places = placesOf(body);
  const [parent, name] = places.length === 0 ? [body, 'type'] : choices.one(places);
  const value = parent[name];
  switch (choices.below(8)) {
    case 0:
      delete parent[name];
      break;
    case 1:
      addTo(parent, choices.one(names), choices.value());
      break;
    case 2:
      parent[name] = choices.below(2) === 0 ? [value] : { [name]: value };
      break;
    case 3:
      parent[name] = Array(choices.below(300)).fill(value);
      break;
    case 4:
      parent[name] = noise(choices);
      break;
    default:
      parent[name] = choices.value();
  }
}

/** A property of its own, also when it is called `__proto__`; to a list, an item. */
function addTo(parent: Node, name: string, value: unknown): void {
  if (Array.isArray(parent)) parent.push(value);
  else Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A short text of any code units. */
function noise(choices: Choices): string {
  return String.fromCharCode(...Array.from({ length: choices.below(12) }, () => choices.below(65_536)));
}

/** Cuts, doubles or replaces somewhere in the text. */
function spoil(text: string, choices: Choices): string {
  const at = choices.below(text.length + 1);
  const inserts = [
    '',
    '"',
    '}',
    ',',
    '\\',
    '\u0000',
    '\\ud800',
    '-0',
    '1e999',
    '"__proto__":{"a":1},',
    '[[[[',
  ];
  return text.slice(0, at) + choices.one(inserts) + text.slice(at + choices.below(4));
}

function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

export interface MadeRequest {
  readonly path: string;
  readonly body: string | undefined;
  readonly isStrict: boolean;
}

/** A request that is wrong somewhere, or even right, made of a valid one by the choices that the numbers stand for. */
export function makeRequest(
  endpoint: AnyEndpoint,
  { params, body }: ContractRequest,
  pool: Pool,
  numbers: readonly number[],
): MadeRequest {
  const choices = new Choices(numbers, pool);
  const isStrict = choices.below(2) === 1;
  let path = pathOf(endpoint, params);
  if (propertyNames(endpoint.params).length > 0 && choices.below(4) > 0) {
    path = endpoint.path.replace(/\{[^}]+\}/, () => choices.queryValue() || '-');
  }
  const queryNames = [...propertyNames(endpoint.query), ...names.map(encoded), 'explain'];
  const pairs = Array.from(
    { length: choices.below(3) + (endpoint.body ? 0 : 1) },
    () => `${choices.one(queryNames)}=${choices.queryValue()}`,
  );
  return {
    path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    body: endpoint.body && makeBody(structuredClone(body) as Node, endpoint.body as FieldSchema, choices),
    isStrict,
  };
}

function makeBody(body: Node, schema: FieldSchema, choices: Choices): string {
  // First, so that the way to the field is still there; also to fields that the example leaves out.
  if (choices.below(2) === 0) {
    const field = choices.one(fieldsOf(schema));
    setAt(body, schema, field.path, choices.below(2) === 0 ? choices.value() : sampleOf(field.schema));
  }
  for (let count = choices.below(3); count > 0; count--) mutate(body, choices);
  const text = JSON.stringify(choices.below(40) === 0 ? choices.value() : body);
  return choices.below(8) === 0 ? spoil(text, choices) : text;
}

/** Refusals by the ten thousand: where each was made is not looked at, and writing that down takes time. */
export function keepStacksShort(): void {
  const { stackTraceLimit } = Error;
  beforeAll(() => {
    Error.stackTraceLimit = 4;
  });
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
}

/** How many choices a request is made by. */
export const choiceCount = 24;
