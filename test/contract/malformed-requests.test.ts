import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../src/kernel/error-catalogue.ts';
import { possibleErrorCodes } from '../../src/platform/http/possible-errors.ts';
import { casesOf, isLongSuite } from '../harness/long-suite.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { createTestKeys } from '../harness/test-shop.ts';
import { openWitness } from '../harness/witness.ts';
import { contentsToKeep } from './attempt-writes.ts';
import { collideOn, giveUpSoon } from './collisions.ts';
import { createTenant, validRequest } from './contract-world.ts';
import {
  Choices,
  casesOfOperation,
  keepStacksShort,
  makeRequest,
  poolOf,
  seeds,
} from './malformed-requests.ts';

const casesOfMost = casesOf({ everyRun: 25, long: 10_000 });
/** Ten thousand requests take half a minute where nothing else runs. */
const operationMsMax = 600_000;
/** Sent together, so that the database works while the next ones are generated. */
const casesAtOnce = casesOf({ everyRun: 25, long: 50 });

const service = await startOwnTestService();
const tenant = await createTenant(service);
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});

const { organizationId, integrator, keys: lenient } = tenant.shop;
const { keys: strict } = await createTestKeys(service.context, organizationId, integrator, { strict: true });
// A shop without sellable stock: an order that is still valid after all mutations is also refused, at the latest check.
const ofShop = `organization_id = ${organizationId}`;
await witness.query(`delete from order_type_locations where ${ofShop}`, [], organizationId);
await witness.query(
  `update products set inventory_type = 'option' where ${ofShop} and inventory_type = 'none'`,
  [],
  organizationId,
);

// No category exists for a new product; changes of a product collide with others.
await witness.query(
  `update product_categories set name = name || ' of old' where ${ofShop}`,
  [],
  organizationId,
);
// Writes of groups and points collide with others: they are also refused, at the latest check.
for (const table of [
  'loyalty_events',
  'customer_group_members',
  'orders',
  'order_explanations',
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

describe.each(service.endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  const cases = casesOfOperation(endpoint.id, casesOfMost);
  test(
    `refuses ${cases} malformed requests without a fault or a write`,
    async () => {
      const kept = async () => contentsToKeep(endpoint.id, await witness.contents());
      const before = await kept();
      const possible = new Set<string | undefined>([...possibleErrorCodes(endpoint), 'ROUTE_NOT_FOUND']);
      const seen = new Map<string, number>();
      let caseCount = 0;

      const send = async (choices: Choices) => {
        const { path, body, isStrict } = makeRequest(endpoint, validRequest(endpoint, tenant), choices);
        const reply = await service.call(endpoint.method, path, {
          address: endpoint.address,
          keys: isStrict ? strict : lenient,
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
      expect(await kept()).toEqual(before);
      // The full count must reach every layer.
      if (!isLongSuite) return;
      const ofBody = ['INVALID_JSON', ...(requiresFields(endpoint.body) ? ['MISSING_PARAMS'] : [])];
      const ofTheFrame = ['INVALID_PARAMS', ...(endpoint.body ? ofBody : [])];
      expect([...seen.keys()]).toEqual(expect.arrayContaining(ofTheFrame));
      const decided = endpoint.failures.filter(
        (code) => errorCatalogue[code].status !== 400 && seen.has(code),
      );
      const decidable = endpoint.failures.filter((code) => errorCatalogue[code].status !== 400);
      if (endpoint.body) {
        const least = leastDecided[endpoint.id] ?? Math.min(4, Math.ceil(decidable.length / 2));
        expect(decided.length).toBeGreaterThanOrEqual(least);
      }
    },
    operationMsMax,
  );
});
