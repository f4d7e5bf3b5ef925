import { afterAll, describe, expect, test, vi } from 'vitest';
import type { StaffEndpoint } from '../../src/platform/http/endpoint.ts';
import { startTestService } from '../harness/test-service.ts';
import { createStaffTenant, endsItsSession, sendAs, staffRequest } from './staff-world.ts';

const service = await startTestService();
const { database } = service.context;
/** Blocks of a thousand ids and look-ups of sessions: they do not count for an operation. */
const globals = vi.spyOn(database, 'global');
afterAll(() => service.close());

const tenant = await createStaffTenant(service);
const owner = await service.staff(tenant.shop);
const guarded = service.staffEndpoints.filter(({ roles }) => roles !== 'anyone');
const makers = guarded.filter(({ method, success }) => method === 'POST' && success.status === 201);
/** More rows than one statement writes, and less than a page. */
const growth = 12;

interface Cost {
  readonly statements: number;
  readonly roundTrips: number;
}

const senderOf = ({ id }: StaffEndpoint) => (endsItsSession.has(id) ? service.staff(tenant.shop) : owner);

async function costOf(endpoint: StaffEndpoint): Promise<Cost> {
  const member = await senderOf(endpoint);
  const request = await staffRequest(service, endpoint, tenant);
  await member.call('GET', '/staff/v1/me');
  // Caches are of the state before the last write: the cost is that of the first request.
  const { statements, roundTrips } = database.statistics;
  const globalCount = globals.mock.calls.length;
  const reply = await sendAs(service, member, endpoint, request);
  expect([reply.status, reply.error]).toEqual([endpoint.success.status, undefined]);
  const fetched = globals.mock.calls.length - globalCount;
  return {
    statements: database.statistics.statements - statements - fetched,
    roundTrips: database.statistics.roundTrips - roundTrips - fetched,
  };
}

/*
 * Runs all once before: the settings of one, such as an earning rule, change the work of another. The dearer of both
 * runs counts: settings that are sent again change nothing, until another operation has changed them.
 */
const costs = new Map<string, Cost>();
for (const endpoint of new Set([...makers, ...guarded])) costs.set(endpoint.id, await costOf(endpoint));
for (const endpoint of guarded) {
  const [first, second] = [costs.get(endpoint.id)!, await costOf(endpoint)];
  costs.set(endpoint.id, {
    statements: Math.max(first.statements, second.statements),
    roundTrips: Math.max(first.roundTrips, second.roundTrips),
  });
}
for (const maker of makers) {
  for (let count = 0; count < growth; count++) {
    await sendAs(service, await senderOf(maker), maker, await staffRequest(service, maker, tenant));
  }
}

describe('with more rows of every kind', () => {
  test.each(guarded.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s costs no more statements and round trips than before',
    async (id, endpoint) => {
      const [before, after] = [costs.get(id)!, await costOf(endpoint)];
      // Fewer, if the request changes nothing.
      expect(after.statements).toBeLessThanOrEqual(before.statements);
      expect(after.roundTrips).toBeLessThanOrEqual(before.roundTrips);
    },
  );
});
