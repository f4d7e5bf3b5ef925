import { request as sendRequest } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import type { Deployment } from '../../../cli/deployment.ts';
import { organizationMoveCommands } from '../../../cli/organization-move-commands.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { createIntegrator } from '../../access/keys/keys.ts';
import { withSession } from '../../platform/connections/with-session.ts';
import { createMetrics, createMetricsServer } from '../../platform/http/metrics.ts';
import { importOrganization } from '../organization-moves/organization-moves.ts';
import { adminOf } from '../verification/damaged-shop.test-support.ts';
import { openDesk, operatorKey } from './operator-desk.test-support.ts';

/* The operator's page, by its operations. */

const service = await startTestService();
const { context } = service;
const desk = await openDesk(service);
const [shop, other] = [await createTestShop(context), await createTestShop(context)];
const { name } = (await standing(shop))!;
afterAll(async () => {
  await desk.close();
  await service.close();
});

async function standing({ organizationId }: TestShop) {
  const [row] = await tenantSql(
    context.database,
    organizationId,
    `select name, suspended_because, ends_at - suspended_at as grace, suspended_at is null as trades from organizations
      where id = ${organizationId}`,
  );
  return row;
}

/** What the audit log has of the operator, without ids and times. */
async function audited({ organizationId }: TestShop) {
  const rows = await tenantSql(
    context.database,
    organizationId,
    `select action, actor, details, request_id from audit_entries where actor = 'job:operator' order by id`,
  );
  return rows.map(({ action, actor, details }) => {
    const { organizationId: _, endsAt, operator, ...more } = details;
    return { action, actor, operator, ...more, ends: endsAt !== undefined };
  });
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not
const read = (reply: Response): Promise<any> => reply.json();
const refusal = async (reply: Response) => [reply.status, (await read(reply)).error?.code];
const by = 'Ada Operator';
const bodies = {
  suspend: { by, reason: 'Unpaid since May' },
  resume: { by },
  export: { by },
  delete: { by, name, afterDays: 0 },
};
const of = (one: TestShop, operation: string) => `/${one.organizationId}/${operation}`;

test('without the key nothing is told and nothing done: at this port, at the public ones, and where no key is set', async () => {
  const before = [await standing(shop), await audited(shop)];
  const asked = [['', undefined], ...Object.entries(bodies).map(([it, body]) => [of(shop, it), body])] as [
    string,
    object | undefined,
  ][];
  for (const [path, body] of asked) {
    for (const authorization of [
      ...['', 'Bearer', `Bearer ${operatorKey}0`, `Bearer ${operatorKey.slice(0, -1)}`],
      ...[`Basic ${operatorKey}`, operatorKey, `Bearer ${operatorKey} ${operatorKey}`],
    ]) {
      const refused = await desk.ask(path, body, { authorization });
      expect([path, authorization, ...(await refusal(refused))]).toEqual([
        ...[path, authorization, 401, 'INVALID_API_CREDENTIALS'],
      ]);
      service.clock.advance(2_000);
    }
    expect((await desk.ask(`${path}?key=${operatorKey}`, body, { authorization: '' })).status).toBe(401);
    for (const address of ['base', 'menu'] as const) {
      const there = await service.call(
        body === undefined ? 'GET' : 'POST',
        `/operator/v1/organizations${path}`,
        { address, headers: { authorization: `Bearer ${operatorKey}` }, ...(body && { body }) },
      );
      expect([path, address, there.status]).toEqual([path, address, 404]);
    }
  }
  expect((await service.call('GET', '/operator')).status).toBe(404);
  const keyless = createMetricsServer(createMetrics(), async () => true);
  const { port } = await keyless.listen({ port: 0, host: '127.0.0.1' });
  for (const path of ['/operator', '/operator/v1/organizations']) {
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
  }
  await keyless.close();
  expect([await standing(shop), await audited(shop)]).toEqual(before);
  expect(desk.logged.filter((line) => line.includes('lantern'))).toEqual([]);
});

test('guesses of the key wait: after twenty, the right one too', async () => {
  service.clock.advance(600_000);
  for (let count = 0; count < 20; count += 1) {
    expect((await desk.ask('', undefined, { authorization: `Bearer guess-${count}` })).status).toBe(401);
  }
  const refused = await desk.ask('');
  expect([await refusal(refused), refused.headers.get('retry-after')]).toEqual([[429, 'RATE_LIMITED'], '1']);
  service.clock.advance(600_000);
  expect((await desk.ask('')).status).toBe(200);
});

test('with the key, what is not understood is refused and nothing is written', async () => {
  const before = [await standing(shop), await audited(shop)];
  const suspend = of(shop, 'suspend');
  const asked = async (path: string, body?: object, headers?: Record<string, string>) =>
    refusal(await desk.ask(path, body, headers));
  expect(await asked(suspend)).toEqual([405, 'METHOD_NOT_ALLOWED']);
  expect(await asked('', {})).toEqual([405, 'METHOD_NOT_ALLOWED']);
  expect(await asked(of(shop, 'import'), { by })).toEqual([404, 'ROUTE_NOT_FOUND']);
  expect(await asked('/987654321/resume', { by })).toEqual([404, 'ROUTE_NOT_FOUND']);
  expect(await asked(suspend, { by })).toEqual([400, 'MISSING_PARAMS']);
  expect(await asked(suspend, { reason: 'None' })).toEqual([400, 'MISSING_PARAMS']);
  expect(await asked(suspend, { by: ' ', reason: 'None' })).toEqual([400, 'INVALID_PARAMS']);
  expect(await asked(suspend, { by, reason: 'None', because: 1 })).toEqual([400, 'INVALID_PARAMS']);
  expect(await asked(suspend, { by, reason: 'x'.repeat(5_000) })).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect(await asked(suspend, { by }, { 'content-type': 'text/plain' })).toEqual([
    ...[415, 'UNSUPPORTED_MEDIA_TYPE'],
  ]);
  for (const wrong of [{ name: name.toLowerCase() }, { afterDays: 366 }, { afterDays: -1 }]) {
    const refused = await asked(of(shop, 'delete'), { ...bodies.delete, ...wrong });
    expect([wrong, ...refused]).toEqual([wrong, 400, 'INVALID_PARAMS']);
  }
  // A name that someone else has point to this machine: fetch does not let a program choose Host.
  const { port } = new URL(desk.url);
  const status = await new Promise((resolve) =>
    sendRequest({ port, path: '/operator', headers: { host: `rebound.example.com:${port}` } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    }).end(),
  );
  expect(status).toBe(403);
  expect([await standing(shop), await audited(shop)]).toEqual(before);
});

test('the page is sent with a policy that keeps frames, other scripts and forms out', async () => {
  for (const path of ['', '/style.css', '/script.js']) {
    const reply = await fetch(`${desk.url}/operator${path}`);
    const text = await reply.text();
    expect([path, reply.status, text.includes(name)]).toEqual([path, 200, false]);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    if (path !== '') continue;
    const policy = reply.headers.get('content-security-policy')!;
    for (const part of ["default-src 'none'", "form-action 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part);
    }
  }
  expect((await fetch(`${desk.url}/operatorial`)).status).toBe(404);
  expect((await fetch(`${desk.url}/healthz`)).status).toBe(200);
});

test('suspend, resume and delete do what the commands do, with the same entries of the audit log, and once when asked twice', async () => {
  const deployment = {
    ...{ context, operator: desk.operator, config: {}, screen: { write: () => true } },
    database: { isShared: true },
  } as unknown as Deployment;
  const command = (operation: string, options: object = {}) =>
    organizationMoveCommands[`organization ${operation}`]!.run!(deployment, {
      organization: String(other.organizationId),
      ...options,
    });
  const ask = async (operation: keyof typeof bodies, body: object = bodies[operation]) => {
    const [first, again] = [
      await desk.ask(of(shop, operation), body),
      await desk.ask(of(shop, operation), body),
    ];
    const { data } = await read(first);
    expect([first.status, await read(again)]).toEqual([200, { data }]);
    return data;
  };
  const place = async () =>
    (await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) })).status;
  const steps = [
    ['suspend', bodies.suspend, {}, 403],
    ['resume', bodies.resume, {}, 201],
    ['delete', { by, name, afterDays: 3 }, { name, 'after-days': '3' }, 403],
    ['resume', bodies.resume, {}, 201],
    ['delete', { by, name }, { name }, 403],
  ] as const;
  for (const [operation, body, options, status] of steps) {
    const data = await ask(operation, body);
    const { data: byCommand } = await command(operation, options);
    expect({ ...data, organizationId: other.organizationId }).toEqual(byCommand);
    expect(await standing(shop)).toEqual(await standing(other));
    service.clock.advance(1_000);
    expect([operation, await place()]).toEqual([operation, status]);
    const { data: list } = await read(await desk.ask(''));
    expect(list).toContainEqual({ ...data, state: 'OK' });
  }
  const plain = (all: Awaited<ReturnType<typeof audited>>) => all.map(({ operator: _, ...entry }) => entry);
  const entries = await audited(shop);
  expect(plain(entries)).toEqual(plain(await audited(other)));
  expect(entries.map(({ operator }) => operator)).toEqual([
    { account: by, command: 'page: organization suspend', reason: 'Unpaid since May' },
    ...['resume', 'delete', 'resume', 'delete'].map((it) => ({
      ...{ account: by, command: `page: organization ${it}` },
    })),
  ]);
});

test('an organization that came in beside the running service is resumed five minutes later', async () => {
  const came = await createTestShop(context);
  const at = new Date(context.clock.now()).toISOString();
  await tenantSql(
    context.database,
    came.organizationId,
    `update organizations set suspended_at = $1, suspended_because = 'imported' where id = ${came.organizationId}`,
    at,
  );
  expect(await refusal(await desk.ask(of(came, 'resume'), { by }))).toEqual([503, 'SERVICE_UNAVAILABLE']);
  service.clock.advance(300_000);
  expect((await desk.ask(of(came, 'resume'), { by })).status).toBe(200);
});

test('an export is the archive of the command: it comes in equal, is encrypted where that is, and one is written at a time', async () => {
  // More than a connection holds: an archive is under way until it is read.
  await service.photoBlobs.put('a.svg', Buffer.alloc(10_000_000, '<svg/>'));
  const stop = new AbortController();
  const left = await desk.ask(of(shop, 'export'), { by }, {}, stop.signal);
  expect(left.status).toBe(200);
  expect(await refusal(await desk.ask(of(other, 'export'), { by }))).toEqual([503, 'SERVICE_UNAVAILABLE']);
  stop.abort();
  await expect
    .poll(() => desk.logged.join(''), { timeout: 20_000 })
    .toContain('an archive was not read to its end');
  const reply = await desk.ask(of(shop, 'export'), { by });
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="organization-${shop.organizationId}.tar"`,
  );
  const archive = Buffer.from(await reply.arrayBuffer());
  const imported = await withSession(adminOf(service), (client) =>
    importOrganization({
      ...{ client, documents: service.documentFiles, photos: service.photoBlobs, nowMs: service.clock.now() },
      archive: (async function* () {
        yield archive;
      })(),
      takeId: () => context.ids.takeOne(),
      makeIntegrator: (integrator) => createIntegrator(context, 'production', integrator),
    }),
  );
  expect(imported).toMatchObject({ formerId: shop.organizationId, sums: { photos: 1 } });
  expect(imported.sums.tables.orders!.rows).toBe(2);
  // It says of itself that it was written out, and by whom.
  const [entry] = (await audited({ ...shop, organizationId: imported.id })).slice(-1);
  expect(entry).toMatchObject({
    action: 'organization.moved_out',
    operator: { account: by, command: 'page: organization export' },
  });

  const locked = await openDesk(service, { passphrase: 'quiet harbor lantern', workFactor: 10 });
  const sealed = await locked.ask(of(other, 'export'), { by });
  expect(sealed.headers.get('content-disposition')).toContain('.tar.age"');
  expect((await sealed.text()).startsWith('age-encryption.org/v1')).toBe(true);
  await locked.close();
  await service.photoBlobs.delete('a.svg');
});
