import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { possibleErrorCodes } from '../../src/http/openapi.ts';
import { errorCatalogue } from '../../src/kernel/error-catalogue.ts';
import { startTestService } from '../harness/test-service.ts';
import { createTestKeys } from '../harness/test-shop.ts';
import { openWitness } from '../harness/witness.ts';
import { createTenant, pathOf, propertyNames, validRequest } from './contract-world.ts';
import { type FieldSchema, fieldsOf, sampleOf, setAt } from './request-fields.ts';

const casesPerEndpoint = 10_000;
/** Sent together, so that the database works while the next ones are made. */
const casesAtOnce = 50;

const service = await startTestService();
const tenant = await createTenant(service);
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});

const { organizationId, integrator, keys: lenient } = tenant.shop;
const { keys: strict } = await createTestKeys(service.context, organizationId, integrator, { strict: true });
// A shop that can sell nothing: also an order that is still good after all mutations is refused, and late.
await witness.query('delete from order_type_locations', [], organizationId);
await witness.query(
  "update products set inventory_type = 'option' where inventory_type = 'none'",
  [],
  organizationId,
);

/** Values at the edges of types, bounds and formats. `raw` ones are no JSON that JSON.stringify would write. */
const values: readonly unknown[] = [
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
  ...Object.values(tenant.ids),
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
const queryValues = [
  ...values.filter((value) => typeof value !== 'object').map((value) => encoded(String(value))),
  ...['%', '%zz', '%c3', '%ed%a0%80', '%00', '+', 'a+b', '=', '&&', '[]', ';'],
];

/** Reads choices off a list of numbers. */
class Choices {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  below(bound: number): number {
    const number = this.#numbers[this.#at++ % this.#numbers.length]!;
    return number % bound;
  }

  one<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}

/** Its own copy: lists and objects are changed further. */
function anyValue(choices: Choices): unknown {
  const value = choices.one(values);
  return typeof value === 'object' ? structuredClone(value) : value;
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
      addTo(parent, choices.one(names), anyValue(choices));
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
      parent[name] = anyValue(choices);
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

interface MadeRequest {
  readonly path: string;
  readonly body: string | undefined;
  readonly isStrict: boolean;
}

function makeRequest(endpoint: Endpoint, numbers: readonly number[]): MadeRequest {
  const choices = new Choices(numbers);
  const { params, body } = validRequest(endpoint, tenant);
  const isStrict = choices.below(2) === 1;
  let path = pathOf(endpoint, params);
  if (propertyNames(endpoint.params).length > 0 && choices.below(4) > 0) {
    path = endpoint.path.replace(/\{[^}]+\}/, () => choices.one(queryValues) || '-');
  }
  const queryNames = [...propertyNames(endpoint.query), ...names.map(encoded), 'explain'];
  const pairs = Array.from(
    { length: choices.below(3) + (endpoint.body ? 0 : 1) },
    () => `${choices.one(queryNames)}=${choices.one(queryValues)}`,
  );
  return {
    path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    body: endpoint.body && makeBody(body as Node, endpoint.body as FieldSchema, choices),
    isStrict,
  };
}

function makeBody(body: Node, schema: FieldSchema, choices: Choices): string {
  // First, so that the way to the field is still there; also to fields that the example leaves out.
  if (choices.below(2) === 0) {
    const field = choices.one(fieldsOf(schema));
    setAt(body, schema, field.path, choices.below(2) === 0 ? anyValue(choices) : sampleOf(field.schema));
  }
  for (let count = choices.below(3); count > 0; count--) mutate(body, choices);
  const text = JSON.stringify(choices.below(40) === 0 ? anyValue(choices) : body);
  return choices.below(8) === 0 ? spoil(text, choices) : text;
}

const numbers = fc.array(fc.nat(), { minLength: 24, maxLength: 24 });

describe.each(service.endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test(`is neither broken nor made to write by ${casesPerEndpoint} malformed requests`, async () => {
    const before = await witness.contents();
    const possible = new Set<string | undefined>([...possibleErrorCodes(endpoint), 'ROUTE_NOT_FOUND']);
    const seen = new Map<string, number>();
    let caseCount = 0;

    const send = async (choices: readonly number[]) => {
      const { path, body, isStrict } = makeRequest(endpoint, choices);
      const reply = await service.call(endpoint.method, path, {
        address: endpoint.address,
        keys: isStrict ? strict : lenient,
        ...(body !== undefined && { body }),
      });
      caseCount++;
      const code = reply.error?.code ?? String(reply.status);
      seen.set(code, (seen.get(code) ?? 0) + 1);
      const isRead = endpoint.kind === 'read' && reply.status === endpoint.success.status;
      if (!isRead && !(reply.status >= 400 && reply.status < 500 && possible.has(reply.error?.code))) {
        throw new Error(`${endpoint.method} ${path} ${body ?? ''} gets ${reply.status} ${reply.text}`);
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(numbers, { minLength: casesAtOnce, maxLength: casesAtOnce }),
        async (cases) => {
          await Promise.all(cases.map(send));
          // Requests that are refused at once leave timers no turn, and the service takes itself for overloaded.
          await new Promise(setImmediate);
        },
      ),
      // The message of a failure has the whole request: shrinking it among fifty is of no use.
      { numRuns: casesPerEndpoint / casesAtOnce, endOnFailure: true },
    );

    expect(caseCount).toBeGreaterThanOrEqual(casesPerEndpoint);
    expect(service.faults.slice(0, 1)).toEqual([]);
    expect(await witness.contents()).toEqual(before);
    // The cases must reach every layer, or they prove little.
    const ofTheFrame = ['INVALID_PARAMS', ...(endpoint.body ? ['INVALID_JSON', 'MISSING_PARAMS'] : [])];
    expect([...seen.keys()]).toEqual(expect.arrayContaining(ofTheFrame));
    const decided = endpoint.failures.filter((code) => errorCatalogue[code].status !== 400 && seen.has(code));
    if (endpoint.body) expect(decided.length).toBeGreaterThanOrEqual(4);
  }, 120_000);
});
