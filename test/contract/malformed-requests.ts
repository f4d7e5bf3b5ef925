import fc from 'fast-check';
import { afterAll, beforeAll } from 'vitest';
import type { AnyEndpoint } from '../../src/platform/http/endpoint.ts';
import { type ContractRequest, pathOf, propertyNames } from './contract-world.ts';
import { type Field, type FieldSchema, fieldsOf, sampleOf, setAt } from './request-fields.ts';

/** Values at the edges of types, bounds and formats. `raw` ones are texts that JSON.stringify does not write. */
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

/** The parts of malformed requests. */
interface Pool {
  readonly values: readonly unknown[];
  readonly queryValues: readonly string[];
}

/** The values at the edges, and ids of existing resources. */
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

/**
 * Operations of which the long suite sends fewer: each of their requests that passes every check writes under the lock of one
 * row, and collides there with those that are sent together. Multiples of the batch.
 */
const fewerOf: Readonly<Record<string, number>> = {
  cancelOwnOrder: 2_000,
  cancelPageOrder: 2_000,
  playSandboxOrder: 2_000,
  resetSandbox: 1_000,
  setSandboxClock: 1_000,
  endCustomerSession: 2_000,
  requestCustomerCode: 2_000,
  startCustomerSession: 2_000,
};

/** How many malformed requests an operation gets, of those that each would get. */
export function casesOfOperation(id: string, cases: number): number {
  return Math.min(cases, fewerOf[id] ?? cases);
}

/** Seeds of a batch of requests; without small and round numbers, which would repeat the same ones. */
export const seeds = fc.noBias(fc.integer());

/** Random choices, equal for the same seed (mulberry32): generating a list of numbers for each took longer. */
export class Choices {
  readonly #pool: Pool;
  #state: number;

  constructor(seed: number, pool: Pool) {
    this.#state = seed;
    this.#pool = pool;
  }

  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  }

  one<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** Its own copy: lists and objects are changed further. */
  value(): unknown {
    const value = this.one(this.#pool.values);
    return copyOf(value);
  }

  queryValue(): string {
    return this.one(this.#pool.queryValues);
  }
}

type Node = Record<string | number, unknown>;

/** For plain JSON; `structuredClone` takes several times as long. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyOf(item)]));
}

/** Every property and item of a value, with its container. */
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

/** Sets an own property, also if it is called `__proto__`; in a list, an item. */
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

interface MadeRequest {
  readonly path: string;
  readonly body: string | undefined;
  readonly isStrict: boolean;
}

/**
 * The parts of an operation from which requests are made: read from its schemas once, not for each of ten thousand
 * requests.
 */
interface Shape {
  readonly queryNames: readonly string[];
  readonly hasParams: boolean;
  readonly fields: readonly Field[];
}

const shapes = new WeakMap<AnyEndpoint, Shape>();

function shapeOf(endpoint: AnyEndpoint): Shape {
  const known = shapes.get(endpoint);
  if (known !== undefined) return known;
  const shape = {
    queryNames: [...propertyNames(endpoint.query), ...names.map(encoded), 'explain'],
    hasParams: propertyNames(endpoint.params).length > 0,
    fields: endpoint.body ? fieldsOf(endpoint.body as FieldSchema) : [],
  };
  shapes.set(endpoint, shape);
  return shape;
}

/** A request, usually malformed, made from a valid one by choices. */
export function makeRequest(
  endpoint: AnyEndpoint,
  { params, body }: ContractRequest,
  choices: Choices,
): MadeRequest {
  const { queryNames, hasParams, fields } = shapeOf(endpoint);
  const isStrict = choices.below(2) === 1;
  let path = pathOf(endpoint, params);
  if (hasParams && choices.below(4) > 0) {
    path = endpoint.path.replace(/\{[^}]+\}/, () => choices.queryValue() || '-');
  }
  const pairs = Array.from(
    { length: choices.below(3) + (endpoint.body ? 0 : 1) },
    () => `${choices.one(queryNames)}=${choices.queryValue()}`,
  );
  return {
    path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    body: endpoint.body && makeBody(copyOf(body) as Node, endpoint.body as FieldSchema, fields, choices),
    isStrict,
  };
}

function makeBody(body: Node, schema: FieldSchema, fields: readonly Field[], choices: Choices): string {
  // First, while the path to the field still exists; also fields that the example omits.
  if (choices.below(2) === 0) {
    const field = choices.one(fields);
    setAt(body, schema, field.path, choices.below(2) === 0 ? choices.value() : sampleOf(field.schema));
  }
  for (let count = choices.below(3); count > 0; count--) mutate(body, choices);
  const text = JSON.stringify(choices.below(40) === 0 ? choices.value() : body);
  return choices.below(8) === 0 ? spoil(text, choices) : text;
}

/** Disables stack traces: tests make tens of thousands of refusals, and do not read their stacks. */
export function keepStacksShort(): void {
  const { stackTraceLimit } = Error;
  beforeAll(() => {
    Error.stackTraceLimit = 4;
  });
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
}
