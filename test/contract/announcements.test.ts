import { afterAll, describe, expect, test } from 'vitest';
import { startOwnTestService } from '../harness/test-service.ts';
import { openWitness } from '../harness/witness.ts';
import { createTenant, makeRoom, propertyNames, send, validRequest } from './contract-world.ts';
import { expectGoldenAudit } from './golden-replies.ts';
import { factFaults } from './reply-schema.ts';

const service = await startOwnTestService();
const { clock, endpoints } = service;
const tenant = await createTenant(service);
const { keys, clientKeyId, organizationId } = tenant.shop;
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});

const writes = endpoints.filter(({ kind }) => kind === 'write');
const reads = endpoints.filter(({ kind }) => kind === 'read');

describe.each(writes.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  test('leaves an audit entry and an event in the transaction of its change', async () => {
    const requestId = `announced-${id}`;
    await makeRoom(service, endpoint, tenant);
    const atMs = clock.now();
    const reply = await send(service, endpoint, validRequest(endpoint, tenant), {
      keys,
      headers: { 'x-request-id': requestId },
    });
    expect(reply.status).toBe(endpoint.success.status);
    const entries = await witness.query(
      'select actor, action, details, subject_id, created_at, xmin::text as tx from audit_entries where request_id = $1 order by id',
      [requestId],
      organizationId,
    );
    expect(entries.length).toBeGreaterThan(0);
    for (const { actor, created_at: at } of entries) {
      expect([actor, at.getTime()]).toEqual([`key:${clientKeyId}`, atMs]);
    }
    // A payment is committed before its provider hears of it: what the provider says is another change.
    expect(new Set(entries.map(({ tx }) => tx)).size).toBe(id === 'createPaymentIntent' ? 2 : 1);
    const events = await witness.query(
      'select type, subject_id, payload from outbox_events where xmin::text = $1 order by id',
      [entries[0].tx],
      organizationId,
    );
    expect(events.map(({ type, subject_id: subject }) => [type, subject])).toEqual(
      entries.flatMap(({ tx, action, subject_id: subject }) =>
        tx === entries[0].tx ? [[action, subject]] : [],
      ),
    );
    expect(events.flatMap(({ type, payload }) => factFaults(type, payload))).toEqual([]);
    await expectGoldenAudit(id, entries);
  });

  test.each(['audit_entries', 'outbox_events'])('changes nothing if %s cannot be written', async (table) => {
    await makeRoom(service, endpoint, tenant);
    await witness.withoutRoomIn(table, async () => {
      const before = await witness.contents();
      const reply = await send(service, endpoint, validRequest(endpoint, tenant), { keys });
      expect(await witness.contents()).toEqual(before);
      expect(reply).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    });
  });

  test('writes nothing more if it is sent again with its key', async () => {
    // Operations without an idempotency key in the body are not repeatable.
    if (!propertyNames(endpoint.body).includes('idempotencyKey')) return;
    const request = validRequest(endpoint, tenant);
    const first = await send(service, endpoint, request, { keys });
    const before = await witness.contents();
    const second = await send(service, endpoint, request, { keys });
    expect([second.status, second.data]).toEqual([first.status, first.data]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await witness.contents()).toEqual(before);
  });
});

describe.each(reads.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('only reads', async () => {
    const before = await witness.contents();
    const reply = await send(service, endpoint, validRequest(endpoint, tenant), { keys });
    expect(reply.status).toBe(endpoint.success.status);
    expect(await witness.contents()).toEqual(before);
  });
});
