import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { possibleErrorCodes } from '../../src/platform/http/possible-errors.ts';
import { casesOf, isLongSuite } from '../harness/long-suite.ts';
import { startTestService } from '../harness/test-service.ts';
import type { ContractRequest } from './contract-world.ts';
import { Choices, keepStacksShort, makeRequest, poolOf, seeds } from './malformed-requests.ts';
import { createStaffTenant, endsItsSession, staffRequest, takesAnything } from './staff-world.ts';

/** A request with a password costs a hash. */
const caseCountOf = (roles: readonly string[] | 'anyone') =>
  roles === 'anyone' ? casesOf({ everyRun: 10, long: 100 }) : casesOf({ everyRun: 10, long: 300 });
/** Sent together, so that the database works while the next ones are generated. */
const casesAtOnce = casesOf({ everyRun: 10, long: 20 });

const service = await startTestService();
const tenant = await createStaffTenant(service);
const owner = await service.staff(tenant.shop);
const pool = poolOf(tenant.ids);
afterAll(() => service.close());
keepStacksShort();

// The last one may meet the id of a session that all others need.
const asked = service.staffEndpoints
  .filter(takesAnything)
  .toSorted((a, b) => Number(a.id === 'endStaffSession') - Number(b.id === 'endStaffSession'));

// All are made first: random requests delete what the preparations of others need, and change settings.
const requests: (readonly [string, (typeof asked)[number], ContractRequest])[] = [];
for (const endpoint of asked) {
  requests.push([endpoint.id, endpoint, await staffRequest(service, endpoint, tenant)]);
}

describe.each(requests)('%s', (_, endpoint, valid) => {
  test('refuses malformed requests with declared codes and without a fault', async () => {
    const possible = new Set<string>([...possibleErrorCodes(endpoint), 'ROUTE_NOT_FOUND']);
    const seen = new Set<string>();
    const send = async (choices: Choices) => {
      const { path, body } = makeRequest(endpoint, valid, choices);
      const sender = endsItsSession.has(endpoint.id) ? await service.staff(tenant.shop) : owner;
      const reply = await sender.call(endpoint.method, path, body);
      seen.add(reply.error?.code ?? String(reply.status));
      const isExpected = reply.error ? possible.has(reply.error.code) : reply.status < 300;
      if (reply.status >= 500 || !isExpected) {
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
      { numRuns: caseCountOf(endpoint.roles) / casesAtOnce, endOnFailure: true },
    );
    expect(service.faults.slice(0, 1)).toEqual([]);
    // The full count must reach beyond the frame's first check.
    if (endpoint.body && isLongSuite)
      expect([...seen]).toEqual(expect.arrayContaining(['INVALID_PARAMS', 'INVALID_JSON']));
  }, 120_000);
});
