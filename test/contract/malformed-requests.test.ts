import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { errorCatalog } from '../../src/kernel/error-catalog.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { possibleErrorCodes } from '../../src/platform/http/possible-errors.ts';
import { casesOf, isLongSuite } from '../harness/long-suite.ts';
import { startOwnTestService, type TestRequest } from '../harness/test-service.ts';
import { createTestKeys, pickupBody } from '../harness/test-shop.ts';
import { openWitness } from '../harness/witness.ts';
import { contentsToKeep } from './attempt-writes.ts';
import { collideOn, giveUpSoon } from './collisions.ts';
import { createTenant, idOf, pathOf, propertyNames, validRequest } from './contract-world.ts';
import {
  Choices,
  casesOfOperation,
  keepStacksShort,
  makeRequest,
  poolOf,
  seeds,
} from './malformed-requests.ts';
import { type FieldSchema, fieldName, fieldsOf, withValueAt } from './request-fields.ts';

const service = await startOwnTestService();
const { endpoints } = service;
const tenant = await createTenant(service);
const { keys, organizationId } = tenant.shop;
const { keys: strictKeys } = await createTestKeys(service.context, organizationId, tenant.shop.integrator, {
  strict: true,
});
const witness = await openWitness(service.database);
// No product can be sold: requests with a valid form are also refused, at the latest check.
const ofShop = `organization_id = ${organizationId}`;
await witness.query(`delete from order_type_locations where ${ofShop}`, [], organizationId);
await witness.query(
  `update products set inventory_type = 'option' where ${ofShop} and inventory_type = 'none'`,
  [],
  organizationId,
);
// Writes of groups, points and products also fail.
await witness.query(
  `update product_categories set name = name || ' of old' where ${ofShop}`,
  [],
  organizationId,
);
for (const table of [
  'customer_group_members',
  'orders',
  'order_explanations',
  'loyalty_events',
  'products',
  'customer_documents',
  'purchase_orders',
  'webhook_endpoints',
  'webhook_deliveries',
  'sandboxes',
]) {
  await collideOn(witness, table, organizationId);
}
giveUpSoon(service.context.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});

/** Texts of JSON values, some of them unusual. */
const hostileJson: Readonly<Record<string, string>> = {
  'a NUL byte': '"a\\u0000b"',
  'a lone high surrogate': '"\\ud800"',
  'a lone low surrogate': '"x\\udfff"',
  '1e308': '1e308',
  'a number beyond all floats': '1e999',
  'minus zero': '-0',
  '2^53': '9007199254740992',
  '2^53 + 1': '9007199254740993',
  '-2^53': '-9007199254740992',
  'the smallest float': '5e-324',
  'a fraction': '0.1',
  'no text': '""',
  'a long text': JSON.stringify('x'.repeat(100_000)),
  'a text of wide characters': JSON.stringify('🌿'.repeat(20_000)),
  'a list of 100,000': `[${'1,'.repeat(99_999)}1]`,
  'a list of 100,000 objects': `[${'{},'.repeat(99_999)}{}]`,
  'lists 100,000 deep': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  'objects 100,000 deep': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'an object called __proto__': '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}',
  'a list': '[]',
  'an object': '{}',
  null: 'null',
  true: 'true',
  'a number as text': '"7"',
};

/** Reading a large text takes a thousand times as long as a small one: one field of an operation gets it. */
const isLarge = (json: string) => json.length >= 80_000;

/** The body's text with a JSON text in the place of the mark. */
const mark = '<here>';
function bodyWith(
  body: unknown,
  schema: FieldSchema,
  path: readonly (string | number)[],
  json: string,
): string {
  return JSON.stringify(withValueAt(body, schema, path, mark)).replace(JSON.stringify(mark), () => json);
}

/** What the operation must leave as it is. */
const kept = async ({ id }: Endpoint) => contentsToKeep(id, await witness.contents());

const codes = new Map(endpoints.map((endpoint) => [endpoint, new Set<string>(possibleErrorCodes(endpoint))]));

/**
 * Expects a refusal with a code that the operation declares; requests that change nothing may succeed. Plain
 * comparisons: with `expect`, checking tens of thousands of replies took longer than making them.
 */
async function expectRefusal(what: string, endpoint: Endpoint, path: string, request: TestRequest) {
  const reply = await service.call(endpoint.method, path, { address: endpoint.address, keys, ...request });
  const { status, error, text } = reply;
  const isAllowed =
    error === undefined
      ? status === endpoint.success.status
      : codes.get(endpoint)!.has(error.code) &&
        status >= 400 &&
        status < 500 &&
        // A message names the field and does not echo what was sent.
        error.message.length < 400;
  if (!isAllowed)
    throw new Error(`${what}: ${endpoint.method} ${path} gets ${status} ${text.slice(0, 2000)}`);
}

describe.each(endpoints.filter(({ body }) => body).map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s, in each place of its body',
  (_, endpoint) => {
    const schema = endpoint.body as FieldSchema;
    const { params, body } = validRequest(endpoint, tenant);
    const path = pathOf(endpoint, params);

    const fields = fieldsOf(schema);
    test('refuses each hostile value or makes nothing of it', async () => {
      const before = await kept(endpoint);
      for (const [at, [what, json]] of Object.entries(hostileJson).entries()) {
        const places = isLarge(json) ? [fields[at % fields.length]!] : fields;
        await expectRefusal(what, endpoint, path, { body: json });
        await Promise.all(
          places.map((field) => {
            const where = `${what} in ${fieldName(field.path)}`;
            return expectRefusal(where, endpoint, path, { body: bodyWith(body, schema, field.path, json) });
          }),
        );
      }
      expect(await kept(endpoint)).toEqual(before);
      expect(service.faults.slice(0, 1)).toEqual([]);
    });
  },
);

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  const texts = [
    ...[
      '%00',
      'a%00b',
      '%ed%a0%80',
      '%c3',
      '%',
      '%zz',
      '%ff%fe',
      '..%2f..',
      '%2e%2e',
      '%0d%0aX-A:%201',
      '\\',
      '-0',
    ],
    ...[
      '1e308',
      '9007199254740993',
      '-1',
      '0x10',
      'NaN',
      'Infinity',
      'null',
      '[]',
      '{}',
      '__proto__',
      '%F0%9F%8C%BF',
    ],
    '9'.repeat(400),
    'x'.repeat(8000),
  ];

  test('accepts no hostile input in its path and query', async () => {
    const before = await kept(endpoint);
    const { params, body } = validRequest(endpoint, tenant);
    const path = pathOf(endpoint, params);
    const sent: TestRequest = {
      ...(body !== undefined && { body: endpoint.kind === 'write' ? {} : body }),
    };
    const odd = ['__proto__', 'constructor', 'a[b]', 'a.b', '', '%00'];
    for (const [at, text] of texts.entries()) {
      for (const name of [...propertyNames(endpoint.query), odd[at % odd.length]!]) {
        await expectRefusal(`${name}=${text}`, endpoint, `${path}?${name}=${text}`, sent);
        await expectRefusal(`${name}[]`, endpoint, `${path}?${name}[]=${text}&${name}=1&${name}=2`, sent);
      }
      for (const name of propertyNames(endpoint.params)) {
        const named = endpoint.path.replace(`{${name}}`, text);
        // An id that the caller makes up may be nearly any text.
        if (!(name in endpoint.resourceParams)) {
          const { status } = await service.call(endpoint.method, named, { keys, body: {} });
          expect([text, status >= 400 && status < 500]).toEqual([text, true]);
          continue;
        }
        const reply = await service.call(endpoint.method, named, {
          keys,
          ...(body !== undefined && { body }),
        });
        // A client takes dots out of a path itself; what is left may be a path of another method.
        const refusals = text === '%2e%2e' ? [404, 405] : [404];
        expect(refusals, text).toContain(reply.status);
      }
    }
    const thousand = Array.from({ length: 500 }, (__, index) => `n${index}=${index}`).join('&');
    await expectRefusal('500 parameters', endpoint, `${path}?${thousand}`, sent);
    expect(await kept(endpoint)).toEqual(before);
    expect(service.faults.slice(0, 1)).toEqual([]);
  });

  test('refuses a parameter that is given twice', async () => {
    const { params, body } = validRequest(endpoint, tenant);
    for (const name of propertyNames(endpoint.query)) {
      const reply = await service.call(
        endpoint.method,
        `${pathOf(endpoint, params)}?${name}=true&${name}=true`,
        { keys, address: endpoint.address, ...(body !== undefined && { body }) },
      );
      expect(reply.error).toEqual({ code: 'INVALID_PARAMS', message: `${name} must be given once.` });
    }
  });
});

describe('JSON at its edges', () => {
  const price = (body: string, request: TestRequest = {}) =>
    service.call('POST', '/api/v1/orders/pricing', { keys, body, ...request });
  const option = idOf(endpoints[0]!, 'productOptionId', tenant);
  const line = `[{"productOptionId":${option},"quantity":2}]`;

  test('of a repeated name the last value counts, as in every JSON reader', async () => {
    const reply = await price(`{"type":"curbside","type":"pickup","lineItems":[],"lineItems":${line}}`);
    expect(reply).toMatchObject({ status: 200, data: { totalPrice: 7000 } });
  });

  test('a key called __proto__ changes no other object', async () => {
    const plain = await price(`{"type":"pickup","lineItems":${line}}`);
    const proto = `"__proto__":{"deliveryFee":100,"type":"delivery","isAdmin":true}`;
    const reply = await price(`{${proto},"type":"pickup","lineItems":${line},"customer":{${proto},
      "firstName":"M","lastName":"O","email":"m@customers.example.com"}}`);
    expect({ ...reply.data, idempotencyKey: '' }).toEqual({ ...plain.data, idempotencyKey: '' });
    expect((Object.prototype as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    const inherited = await price(`{"__proto__":{"type":"pickup","lineItems":${line}}}`);
    expect(inherited.error).toMatchObject({
      code: 'MISSING_PARAMS',
      meta: { missing: ['lineItems', 'type'] },
    });
    const strict = await price(`{${proto},"type":"pickup","lineItems":${line}}`, { keys: strictKeys });
    expect(strict.error).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(strict.error!.message).toMatch(/^__proto__ is not known/);
  });

  test('minus zero is zero', async () => {
    const reply = await price(`{"type":"pickup","lineItems":${line},"deliveryFee":-0}`);
    expect(reply.text).toContain('"deliveryFee":0,');
    const placed = await service.call('POST', '/api/v1/orders', {
      keys,
      body: { ...pickupBody(tenant.shop), lineItems: [{ productOptionId: option, quantity: -0 }] },
    });
    expect(placed.error?.code).toBe('INVALID_ORDER_QUANTITY');
  });

  test('amounts near the limit of exact numbers are refused or exact', async () => {
    const cash = idOf(endpoints[0]!, 'paymentTypeId', tenant);
    const payment = `{"paymentTypeId":${cash},"amount":9007199254740991}`;
    const reply = await price(
      `{"type":"pickup","lineItems":${line},"payments":[${Array(20).fill(payment)}]}`,
    );
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    const dear = await price(
      `{"type":"pickup","deliveryFee":1000000000,"lineItems":[{"productOptionId":${option},"quantity":10000}]}`,
    );
    expect(dear.data.customerGrandTotal).toBe(dear.data.netPrice + 1_000_000_000);
  });

  test('a body is JSON in UTF-8 only', async () => {
    const good = `{"type":"pickup","lineItems":${line}}`;
    const codeOf = async (body: string | Buffer) => (await price(body as string)).error?.code;
    expect(await codeOf(`\ufeff${good}`)).toBeUndefined();
    expect(await codeOf(Buffer.concat([Buffer.from(good.slice(0, -1)), Buffer.from([0xff, 0x7d])]))).toBe(
      'INVALID_JSON',
    );
    for (const bad of [
      `${good}x`,
      good.replaceAll('"', "'"),
      `/**/${good}`,
      'undefined',
      'NaN',
      '\u0000',
      `${good},`,
    ]) {
      expect([bad, await codeOf(bad)]).toEqual([bad, 'INVALID_JSON']);
    }
    for (const notAnObject of ['null', '[]', '7', '"text"', 'true']) {
      expect([notAnObject, await codeOf(notAnObject)]).toEqual([notAnObject, 'INVALID_PARAMS']);
    }
  });
});

const casesOfMost = casesOf({ everyRun: 25, long: 10_000 });
/** Ten thousand requests take half a minute where nothing else runs. */
const operationMsMax = 600_000;
/** Sent together, so that the database works while the next ones are generated. */
const casesAtOnce = casesOf({ everyRun: 25, long: 50 });

keepStacksShort();

const pool = poolOf(tenant.ids);

/** Fewer refusals by facts than half of the possible ones, and why. */
const leastDecided: Readonly<Record<string, number>> = {
  // Each names a category, whose absence comes before stock and collisions.
  saveProductByExternalId: 1,
  // The keys are of a sandbox, and its one order has few steps left.
  playSandboxOrder: 2,
};

/** Whether a body, or what it holds, can lack a field. */
const requiresFields = (body: object | undefined): boolean =>
  /"required":\[/.test(JSON.stringify(body) ?? '');

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  const cases = casesOfOperation(endpoint.id, casesOfMost);
  test(
    `refuses ${cases} malformed requests without a fault or a write`,
    async () => {
      const before = await kept(endpoint);
      const possible = new Set<string | undefined>([...codes.get(endpoint)!, 'ROUTE_NOT_FOUND']);
      const seen = new Map<string, number>();
      let caseCount = 0;

      const send = async (choices: Choices) => {
        const { path, body, isStrict } = makeRequest(endpoint, validRequest(endpoint, tenant), choices);
        const reply = await service.call(endpoint.method, path, {
          address: endpoint.address,
          keys: isStrict ? strictKeys : keys,
          ...(body !== undefined && { body }),
        });
        caseCount++;
        const code = reply.error?.code ?? String(reply.status);
        seen.set(code, (seen.get(code) ?? 0) + 1);
        // A write may succeed without changing anything: the digest below proves it.
        const isGood = reply.status === endpoint.success.status;
        if (!isGood && !(reply.status >= 400 && reply.status < 500 && possible.has(reply.error?.code))) {
          throw new Error(`${endpoint.method} ${path} ${body ?? ''} gets ${reply.status} ${reply.text}`);
        }
      };
      await fc.assert(
        fc.asyncProperty(seeds, async (seed) => {
          const choices = new Choices(seed, pool);
          await Promise.all(Array.from({ length: casesAtOnce }, () => send(choices)));
          // Requests that are refused at once starve timers, and the service would report overload.
          await new Promise(setImmediate);
        }),
        // The failure message has the whole request: shrinking a batch of fifty does not help.
        { numRuns: cases / casesAtOnce, endOnFailure: true },
      );

      expect(caseCount).toBeGreaterThanOrEqual(cases);
      expect(service.faults.slice(0, 1)).toEqual([]);
      expect(await kept(endpoint)).toEqual(before);
      // The full count must reach every layer.
      if (!isLongSuite) return;
      const ofBody = ['INVALID_JSON', ...(requiresFields(endpoint.body) ? ['MISSING_PARAMS'] : [])];
      const ofTheFrame = ['INVALID_PARAMS', ...(endpoint.body ? ofBody : [])];
      expect([...seen.keys()]).toEqual(expect.arrayContaining(ofTheFrame));
      const decided = endpoint.failures.filter((code) => errorCatalog[code].status !== 400 && seen.has(code));
      const decidable = endpoint.failures.filter((code) => errorCatalog[code].status !== 400);
      if (endpoint.body) {
        const least = leastDecided[endpoint.id] ?? Math.min(4, Math.ceil(decidable.length / 2));
        expect(decided.length).toBeGreaterThanOrEqual(least);
      }
    },
    operationMsMax,
  );
});
