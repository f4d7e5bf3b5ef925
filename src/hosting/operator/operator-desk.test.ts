import { readdir } from 'node:fs/promises';
import { request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { Deployment } from '../../../cli/deployment.ts';
import { organizationMoveCommands } from '../../../cli/organization-move-commands.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { withSession } from '../../platform/connections/with-session.ts';
import { createMetrics, createMetricsServer } from '../../platform/http/metrics.ts';
import { statement } from '../../platform/statements/statement.ts';
import { importLock } from '../organization-moves/import-organization.ts';
import { adminOf } from '../verification/damaged-shop.test-support.ts';
import { archiveKey } from './arriving-archive.ts';
import { openDesk, operatorKey } from './operator-desk.test-support.ts';

/* The operator's page, by its operations. */

const service = await startTestService();
const { context } = service;
const desk = await openDesk(service);
const [shop, other] = [await createTestShop(context), await createTestShop(context)];
const { name } = (await standing(shop))!;
/** Stores the picture that the goods of every test shop name. */
const setPicture = (bytes: number) => service.photoBlobs.put('a.svg', Buffer.alloc(bytes, '<svg/>'));
/** More than a connection holds: an archive with it is under way until it is read. */
const largeBytes = 10_000_000;
await setPicture(100);
afterAll(async () => {
  await service.photoBlobs.delete('a.svg');
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
  const asked = [
    ...[
      ['', undefined],
      ['/import', {}],
    ],
    ...Object.entries(bodies).map(([it, body]) => [of(shop, it), body]),
  ] as [string, object | undefined][];
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
  const ask = async (operation: keyof typeof bodies, body: object) =>
    (await read(await desk.ask(of(shop, operation), body))).data;
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
    // Said again it changes nothing, not the end either.
    expect([await ask(operation, body), (await command(operation, options)).data]).toEqual([data, byCommand]);
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
  await setPicture(largeBytes);
  const stop = new AbortController();
  const left = await desk.ask(of(shop, 'export'), { by }, {}, stop.signal);
  expect(left.status).toBe(200);
  expect(await refusal(await desk.ask(of(other, 'export'), { by }))).toEqual([503, 'SERVICE_UNAVAILABLE']);
  stop.abort();
  await expect
    .poll(() => desk.logged.join(''), { timeout: 20_000 })
    .toContain('an archive was not read to its end');
  const reply = await desk.ask(of(other, 'export'), { by });
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="organization-${other.organizationId}.tar"`,
  );
  await reply.arrayBuffer();
  await setPicture(100);
  const locked = await openDesk(service, { lock: { passphrase: 'quiet harbor lantern', workFactor: 10 } });
  const sealed = await locked.ask(of(other, 'export'), { by });
  expect(sealed.headers.get('content-disposition')).toContain('.tar.age"');
  const encrypted = Buffer.from(await sealed.arrayBuffer());
  expect(encrypted.toString('latin1').startsWith('age-encryption.org/v1')).toBe(true);
  // Here is no passphrase: it comes with the archive.
  expect(await refusal(await desk.bring(encrypted))).toEqual([400, 'INVALID_PARAMS']);
  const wrong = await read(await desk.bring(encrypted, { 'archive-key': 'loud%20harbor' }));
  expect(wrong.error.message).toContain('encrypted for another key');
  const opened = await desk.bring(encrypted, { 'archive-key': 'quiet%20harbor%20lantern' });
  expect([opened.status, (await read(opened)).data.formerId]).toEqual([200, other.organizationId]);
  await locked.close();
});

test('an archive that its reader leaves lying is given up, so that the next one is written', async () => {
  const hasty = await openDesk(service, { idleMs: 50 });
  await setPicture(largeBytes);
  const left = await hasty.ask(of(shop, 'export'), { by });
  expect(left.status).toBe(200);
  await expect
    .poll(() => hasty.logged.join(''), { timeout: 20_000 })
    .toContain('an archive was not read to its end');
  await expect(left.arrayBuffer()).rejects.toThrow();
  await setPicture(100);
  expect((await hasty.ask(of(shop, 'export'), { by })).status).toBe(200);
  await hasty.close();
});

/** All that a refused import could leave: organizations, integrators, files of documents. */
async function present() {
  const sums = await desk.operator.global(
    statement<Record<never, never>, { organizations: number; integrators: number }>(
      'test_count_what_comes_in',
      `select (select count(*) from organizations)::int as organizations, (select count(*) from integrators)::int as integrators`,
    )({}),
  );
  return [...sums, await readdir(join(service.documentFolder, 'documents')).catch(() => [])];
}

/** Its integrator is not known any more, so that it comes in as elsewhere. */
const archiveOf = async ({ keys, organizationId }: TestShop) => {
  const reply = await desk.ask(`/${organizationId}/export`, { by });
  const archive = Buffer.from(await reply.arrayBuffer());
  await withSession(adminOf(service), (client) =>
    client.query(
      `update integrators set name = name || ' of ' || id where id = (
         select integrator_id from consumer_key_digests where digest = sha256($1::bytea))`,
      [keys.consumerKey],
    ),
  );
  return archive;
};

test('an import brings what the archive has, equal by its sums and verified, with keys that work and are in no log', async () => {
  const came = await createTestShop(context);
  expect(
    (await service.call('POST', '/api/v1/orders', { keys: came.keys, body: pickupBody(came) })).status,
  ).toBe(201);
  const archive = await archiveOf(came);
  // As elsewhere: the next ids of this process are those of entries that come in.
  const taken = await tenantSql(
    context.database,
    came.organizationId,
    'select id from audit_entries order by id limit 2',
  );
  const take = context.ids.take.bind(context.ids);
  const ids = vi
    .spyOn(context.ids, 'take')
    .mockImplementation((count) =>
      count === 1 ? take(1) : Promise.resolve(taken.map(({ id }) => Number(id))),
    );
  const reply = await desk.bring(archive);
  const { data } = await read(reply);
  ids.mockRestore();
  expect([reply.status, data]).toMatchObject([
    200,
    {
      ...{ formerId: came.organizationId, photos: 1, verification: { isWhole: true } },
      tables: { orders: { rows: 1 } },
      integrators: [{ consumerKey: expect.stringMatching(/^dcc_/) }],
    },
  ]);
  const [first, ...lines] = data.lines;
  expect(first).toBe(
    `Organization ${data.organizationId} (${data.name}), formerly ${came.organizationId}: ${data.rows} rows, 0 documents and 1 files of photos, equal by checksums`,
  );
  expect(lines).toContain('Verified: it is whole');
  const { consumerKey } = data.integrators[0];
  const { clientKey } = data.clientKeys.find(
    ({ integrator }: { integrator: string }) => integrator === data.integrators[0].name,
  );
  expect(lines.join()).toContain(consumerKey);
  expect(lines.join()).toContain(clientKey);
  expect(desk.logged.join('')).not.toMatch(new RegExp(`${consumerKey}|${clientKey}`));
  const orders = await service.call('GET', '/api/v1/orders', { keys: { consumerKey, clientKey } });
  expect([orders.status, orders.data.length]).toEqual([200, 1]);
  // Who brought it stands where who took it out does.
  const entries = (await audited({ ...came, organizationId: data.organizationId })).slice(-3);
  expect(entries.map(({ action, operator }) => [action, operator])).toEqual([
    ['organization.moved_out', { account: by, command: 'page: organization export' }],
    ['organization.moved_in', { account: by, command: 'page: organization import', reason: 'Moved here' }],
    ...entries.slice(2).map(({ action, operator }) => [action, operator]),
  ]);
  const { data: list } = await read(await desk.ask(''));
  expect(list).toContainEqual(
    expect.objectContaining({ organizationId: data.organizationId, suspendedBecause: 'imported' }),
  );
});

test('an archive that is damaged, cut off, of another release or too large is refused in words, and nothing of it stays', async () => {
  const archive = await archiveOf(await createTestShop(context));
  const before = await present();
  const changed = (from: string, to: string) => {
    const bytes = Buffer.from(archive);
    expect(to.length).toBe(from.length);
    bytes.write(to, bytes.lastIndexOf(from));
    return bytes;
  };
  const small = await openDesk(service, { archiveBytes: archive.length - 1 });
  const powerless = await openDesk(service, { tables: service.database.owner });
  const away = await openDesk(service, { tables: { connectionString: 'postgres://owner@127.0.0.1:1/none' } });
  const pieces = () => new Blob([archive]).stream();
  const asked = [
    [desk, archive.subarray(0, archive.length / 2), 400, 'Nothing came in: the archive ends early.'],
    [desk, Buffer.alloc(0), 400, 'Nothing came in: the archive ends early.'],
    [desk, Buffer.from('MZ'.repeat(600)), 400, 'no archive of an organization, or damaged'],
    [desk, Buffer.alloc(1_024), 400, 'Nothing came in: the archive ends early.'],
    [desk, changed('"schema":"0', '"schema":"9'), 400, 'of the schema 9'],
    [desk, changed('"version":1', '"version":2'), 400, 'or one of a later release'],
    [desk, changed('"idBlock":', '"idblock":'), 400, 'the file is no archive of an organization'],
    [desk, changed('"organizations":{"rows":1', '"organizations":{"rows":2'), 400, 'the archive says 2'],
    [desk, changed('"name":"', '"nome":"'), 400, 'Nothing came in: '],
    [desk, changed('{"text":"{', '{"text":"['), 400, 'the archive is damaged'],
    [small, archive, 413, 'import this one by the command dispensary organization import'],
    [small, pieces(), 413, 'import this one by the command dispensary organization import'],
    [away, archive, 503, 'nothing of it came in. Try again.'],
    [powerless, archive, 503, 'grant set on parameter session_replication_role'],
  ] as const;
  for (const [at, bytes, status, words] of asked) {
    const reply = await at.bring(bytes);
    const { error } = await read(reply);
    expect([reply.status, error.message]).toEqual([status, expect.stringContaining(words)]);
  }
  for (const query of [{ by }, { by, reason: ' ' }, { by, reason: 'x', why: 'x' }] as Record<
    string,
    string
  >[]) {
    expect((await desk.bring(archive, {}, query)).status).toBe(400);
  }
  expect(await present()).toEqual(before);
  await Promise.all([small.close(), powerless.close(), away.close()]);
});

test('an archive is opened by what was sent with it, or else by the passphrase of the deployment', () => {
  const [identity, passphrase] = ['AGE-SECRET-KEY-1QUIET', 'quiet harbor'];
  const lock = { passphrase };
  expect(archiveKey(identity, lock)).toEqual({ identities: [identity] });
  expect(archiveKey('loud harbor', lock)).toEqual({ passphrase: 'loud harbor' });
  expect(archiveKey(undefined, lock)).toEqual(lock);
  for (const none of [undefined, { recipients: ['age1quiet'] }]) {
    expect(() => archiveKey(undefined, none)).toThrow(/send its private key or passphrase/);
  }
});

async function runningImports(): Promise<number> {
  const rows = await desk.operator.global(
    statement<{ lock: number }, never>(
      'select_running_imports',
      `select from pg_locks where locktype = 'advisory' and (classid::bigint << 32) + objid::bigint = :lock::bigint
          and database = (select oid from pg_database where datname = current_database())`,
    )({ lock: importLock }),
  );
  return rows.length;
}

/** Sends so many bytes of an archive, as a browser that is not done. */
function sendPart(to: typeof desk, archive: Buffer, bytes: number) {
  const { port } = new URL(to.url);
  const sent = sendRequest({
    ...{ port, method: 'POST', path: '/operator/v1/organizations/import?by=Ada&reason=Part' },
    headers: { authorization: `Bearer ${operatorKey}`, 'content-length': archive.length },
  });
  sent.on('error', () => {});
  sent.write(archive.subarray(0, bytes));
  return sent;
}

test('an archive that breaks off or stops coming leaves nothing, and until then no other one comes in', async () => {
  const archive = await archiveOf(await createTestShop(context));
  const before = await present();
  const hasty = await openDesk(service, { idleMs: 50 });
  const isTold = (at: typeof desk, words: string) =>
    expect.poll(() => at.logged.join(''), { timeout: 20_000 }).toContain(words);
  const half = sendPart(desk, archive, archive.length - 4_096);
  await expect.poll(runningImports, { timeout: 20_000 }).toBe(1);
  expect(await refusal(await desk.bring(archive))).toEqual([503, 'SERVICE_UNAVAILABLE']);
  half.destroy();
  await isTold(desk, 'The connection broke before the archive was there.');
  sendPart(hasty, archive, archive.length - 4_096);
  await isTold(hasty, 'The connection broke before the archive was there.');
  await hasty.close();

  // The whole of it is there, but who sent it is gone before the keys are shown.
  await withSession(adminOf(service), async (client) => {
    await client.query('begin; lock table organizations in share mode');
    const whole = sendPart(desk, archive, archive.length);
    await expect.poll(runningImports, { timeout: 20_000 }).toBe(1);
    // A round trip each, in which all of it arrives, and then that the sender is gone.
    await desk.ask('');
    whole.destroy();
    await desk.ask('');
    await client.query('commit');
  });
  await isTold(desk, 'The connection broke before the keys could be shown');
  expect(await present()).toEqual(before);
  expect((await desk.bring(archive)).status).toBe(200);
});
