import { afterAll, describe, expect, test } from 'vitest';
import { possibleErrorCodes } from '../../src/platform/http/possible-errors.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { openWitness } from '../harness/witness.ts';
import { createStaffTenant, sendAs, staffRequest } from './staff-world.ts';

const service = await startOwnTestService();
const tenant = await createStaffTenant(service);
const owner = await service.staff(tenant.shop);
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});

const edits = service.staffEndpoints.filter(({ takesIfMatch }) => takesIfMatch);
const staleMatch = '"2001-02-03T04:05:06.789Z"';

test('every edit of a thing with updatedAt takes If-Match', () => {
  const unguarded = service.staffEndpoints.filter(
    ({ method, success, takesIfMatch }) =>
      (method === 'PUT' || method === 'PATCH') &&
      Object.hasOwn((success.data as { properties?: object } | undefined)?.properties ?? {}, 'updatedAt') &&
      !takesIfMatch,
  );
  expect(unguarded.map(({ id }) => id)).toEqual([]);
});

describe.each(edits.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('refuses a stale edit with the current time and writes nothing; a current edit is written', async () => {
    const request = await staffRequest(service, endpoint, tenant);
    const before = await witness.contents(tenant.shop.organizationId);
    const ask = (ifMatch: string) => sendAs(service, owner, endpoint, request, { 'if-match': ifMatch });
    const stale = await ask(staleMatch);
    expect([stale.status, stale.error?.code]).toEqual([409, 'STALE_EDIT']);
    expect(await witness.contents(tenant.shop.organizationId)).toEqual(before);
    expect(possibleErrorCodes(endpoint)).toContain('STALE_EDIT');

    const meant = await ask(`"${(stale.error!.meta as { updatedAt: string }).updatedAt}"`);
    expect([meant.status, meant.error]).toEqual([endpoint.success.status, undefined]);
  });

  test('refuses an If-Match that is not one time, and accepts a star for any state', async () => {
    const request = await staffRequest(service, endpoint, tenant);
    for (const ifMatch of ['2026-03-10T18:00:00.000Z', '"yesterday"', `${staleMatch}, ${staleMatch}`, '""']) {
      const { status, error } = await sendAs(service, owner, endpoint, request, { 'if-match': ifMatch });
      expect([ifMatch, status, error?.code, error?.message]).toEqual([
        ifMatch,
        400,
        'INVALID_PARAMS',
        expect.stringContaining('If-Match'),
      ]);
    }
    const any = await sendAs(service, owner, endpoint, request, { 'if-match': '*' });
    expect([any.status, any.error]).toEqual([endpoint.success.status, undefined]);
  });
});

test('of two simultaneous edits of the same state one is refused', async () => {
  const { call } = owner;
  const group = (await call('POST', '/staff/v1/customer-groups', { name: 'Regulars', description: null }))
    .data;
  const path = `/staff/v1/customer-groups/${group.id}`;
  // The same moment with an offset instead of Z.
  const headers = { 'if-match': `"${group.updatedAt.replace('Z', '+00:00')}"` };
  service.clock.advance(1000);
  const replies = await Promise.all(
    ['Friends', 'Neighbors'].map((name) => call('PATCH', path, { name }, { headers })),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const won = replies.find(({ status }) => status === 200)!;
  const told = replies.find(({ status }) => status === 409)!;
  expect(told.error).toMatchObject({ code: 'STALE_EDIT', meta: { updatedAt: won.data.updatedAt } });
});
