import { afterAll, describe, expect, test, vi } from 'vitest';
import type { StaffEndpoint } from '../../src/http/endpoint.ts';
import { startTestService } from '../harness/test-service.ts';
import { createStaffTenant, sendAs, staffRequest } from './staff-world.ts';

const service = await startTestService();
const { database } = service.context;
/** Blocks of a thousand ids, whoever comes to need one, and look-ups of sessions: not the operation's own statements. */
const globals = vi.spyOn(database, 'global');
afterAll(() => service.close());

const tenant = await createStaffTenant(service);
const owner = await service.staff(tenant.shop);
const measured = service.staffEndpoints.filter(({ roles }) => roles !== 'anyone');
const makers = measured.filter(({ method, success }) => method === 'POST' && success.status === 201);
/** More than one statement's worth of whatever is made, and less than a page. */
const growth = 12;

interface Cost {
  readonly statements: number;
  readonly roundTrips: number;
}

async function costOf(endpoint: StaffEndpoint): Promise<Cost> {
  // Signing out ends the session that it is asked with.
  const member = endpoint.id === 'signOut' ? await service.staff(tenant.shop) : owner;
  const request = await staffRequest(service, endpoint, tenant);
  await member.call('GET', '/staff/v1/me');
  // What others keep ready is of the state before the last write: the cost is that of the first to come.
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

// Once before: what is set by one, an earning rule say, changes what another does.
for (const endpoint of measured) await costOf(endpoint);
const costs = new Map<string, Cost>();
for (const endpoint of measured) costs.set(endpoint.id, await costOf(endpoint));
for (const maker of makers) {
  for (let count = 0; count < growth; count++) {
    await sendAs(service, owner, maker, await staffRequest(service, maker, tenant));
  }
}

describe('with more rows of everything that can be made', () => {
  test.each(measured.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s costs no more statements and round trips than before',
    async (id, endpoint) => {
      const [before, after] = [costs.get(id)!, await costOf(endpoint)];
      // Fewer, where what is sent again is so already.
      expect(after.statements).toBeLessThanOrEqual(before.statements);
      expect(after.roundTrips).toBeLessThanOrEqual(before.roundTrips);
    },
  );
});
