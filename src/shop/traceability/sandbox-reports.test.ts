import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { noPlayedState, PlayedState } from '../../../seed/played-state.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestIntegrator, testOrigin } from '../../../test/harness/test-shop.ts';
import { organizationId } from '../../kernel/ids.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import { listDifferences } from './list-differences.ts';
import { beginComparison } from './run-comparison.ts';
import type { StandIn } from './state-clients.ts';
import { StateClients } from './state-clients.ts';
import { StateReporter } from './state-reporter.ts';
import { selectConnections } from './traceability.ts';

const service = await startTestService();
const { context, clock } = service;
const sandbox = await createSandbox(context, testOrigin, await createTestIntegrator(context));
const keys = { consumerKey: sandbox.consumerKey, clientKey: sandbox.clientKey };
const organization = organizationId(sandbox.organizationId);
afterAll(() => service.close());

const { data: shown } = await service.call('GET', '/api/v1/sandbox', { keys });
const productOptionId = shown.specialCases.find(
  (it: { case: string }) => it.case === 'product',
).productOptionId;

/** A service that was just started, with nothing in memory. */
async function started(standIn: StandIn) {
  const access = { vendorKey: undefined, url: undefined };
  const clients = new StateClients({ context, access, tokens: null, standIn });
  const reporter = new StateReporter({
    ...{ context, clients, horizonDays: 1, withWork: async () => [], logger: { error: () => {} } },
  });
  return { pass: () => reporter.pass(organization), close: () => clients.close() };
}

async function playedOut(): Promise<string> {
  const { data: placed } = await service.call('POST', '/api/v1/orders', {
    keys,
    body: {
      ...{ type: 'pickup', lineItems: [{ productOptionId, quantity: 2 }], idempotencyKey: randomUUID() },
      customer: { firstName: 'Ada', lastName: 'Moreno', email: `${randomUUID()}@sandbox.example.com` },
    },
  });
  for (const action of ['accept', 'fulfill']) await play(placed.id, action);
  return placed.id;
}
const play = async (id: string, action: string) => {
  const played = await service.call('POST', `/api/v1/sandbox/orders/${id}/play`, { keys, body: { action } });
  expect([action, played.status]).toEqual([action, 200]);
};
const reportOf = async (id: string) =>
  (await service.call('GET', `/api/v1/orders/${id}/detail`, { keys })).data.stateReport;

test("an integrator's sandbox reports to a played state, and a restart forgets and doubles nothing", async () => {
  const sold = await playedOut();
  const before = await PlayedState.start(context);
  const first = await started(before);
  await first.pass();
  expect(await reportOf(sold)).toEqual({ state: 'accepted', reportedAt: expect.any(String) });
  first.close();
  await before.close();

  // It begins again, without a file: the receipt of before is changed, and a new one is made.
  const after = await PlayedState.start(context);
  const second = await started(after);
  await play(sold, 'return');
  // Its clock is ahead; reports go out by that of the deployment.
  const ahead = await service.call('PUT', '/api/v1/sandbox/clock', { keys, body: { moveSeconds: 86_400 } });
  expect(ahead.status).toBe(200);
  const later = await playedOut();
  clock.advance(6 * 60_000);
  await second.pass();
  expect(await tenantSql(context.database, organization, 'select state, problem from state_reports')).toEqual(
    Array.from({ length: 3 }, () => ({ state: 'accepted', problem: null })),
  );
  expect((await reportOf(later)).state).toBe('accepted');
  const [[connection]] = await context.database.read(organization, selectConnections({}));
  const asked = { context, organization, connection: connection!, horizonDays: 1 };
  await beginComparison(asked, null);
  clock.advance(6 * 60_000);
  await second.pass();
  const comparisons = await tenantSql(context.database, organization, 'select state from state_comparisons');
  expect(comparisons).toContainEqual({ state: 'done' });
  expect(await listDifferences(context, organization)).toEqual([]);

  // What a person changed there is there again after the next restart, with its reason.
  const [held] = await tenantSql(context.database, organization, 'select min(label) as label from packages');
  after.people('adjust-package', { label: held!.label, quantity: 7, note: 'Counted by hand' });
  const restarted = async (state: PlayedState) => {
    const worker = await started(state);
    await beginComparison(asked, null);
    clock.advance(6 * 60_000);
    await worker.pass();
    worker.close();
    await state.close();
    const found = await listDifferences(context, organization);
    const said = (it: (typeof found)[number]) =>
      it.history.find(({ what }) => what === 'adjusted-at-state')?.words;
    return found.map((it) => [it.kind, it.label, it.theirs, said(it)]);
  };
  second.close();
  const expected = [['adjusted-at-state', held!.label, '7', 'Entry Error: Counted by hand']];
  expect(await restarted(after)).toEqual(expected);
  expect(await restarted(await PlayedState.start(context))).toEqual(expected);
});

test('a process that plays no state calls none for a sandbox, and says so', async () => {
  const other = await started(noPlayedState(context));
  await playedOut();
  await other.pass();
  other.close();
  const [row] = await tenantSql(context.database, organization, 'select problem from state_connections');
  expect(row!.problem).toMatch(/^No state is played for sandboxes here/);
});
