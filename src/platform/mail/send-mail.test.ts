import { randomBytes } from 'node:crypto';
import { Registry } from 'prom-client';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { createLogger } from '../http/logging.ts';
import { startJobs } from '../jobs/job-runner.ts';
import { type MailTransport, mailSending, queueMail, resealMails, smtpTransport } from './mail.ts';
import { startMailServer } from './mail-server.test-support.ts';
import { mailsKept } from './queue-mail.ts';

/* Mail against a real SMTP server (D70). */

const masterKey = randomBytes(32);
const service = await startOwnTestService({ documentMasterKeys: [masterKey] });
const { context, clock } = service;
const witness = await openWitness(service.database);
const shop = await createTestShop(context);
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
  expect(service.faults).toEqual([]);
});
afterAll(async () => {
  await witness.end();
  await service.close();
});

const mail = {
  kind: 'customer-code',
  from: 'Fern & Anchor',
  subject: 'Your code for Fern & Anchor',
  paragraphs: ['Type this <code>.', 'It is valid for 10 minutes.'],
  code: '402913',
  footnote: 'Or do nothing.',
  to: 'ada@customers.example.com',
  expiresAtMs: null as number | null,
};

async function mailServer(options: SMTPServerOptions = {}) {
  const { close, ...server } = await startMailServer(options);
  open.push(close);
  return server;
}

const write = (changes: Partial<typeof mail> = {}, of: TestShop = shop) =>
  context.database.write(of.organizationId, (tx) =>
    queueMail(tx, context, clock.now(), { ...mail, ...changes }),
  );

const rows = (of = shop) =>
  witness.query(
    'select id, sent_at, failure, sealed from mails where organization_id = $1 order by id desc',
    [of.organizationId],
    of.organizationId,
  );

/** Runs the task for the newest mail, as the queue does. */
async function send(transport: MailTransport | null) {
  const [{ id }] = (await rows()) as [{ id: string }];
  await sendMail(Number(id), { transport, of: shop });
}

function sendMail(mailId: number, { transport, of }: { transport: MailTransport | null; of: TestShop }) {
  const { signal } = new AbortController();
  return mailSending(context, transport).run({
    organization: of.organizationId,
    payload: { mailId },
    signal,
  });
}

test('a mail comes as text and as HTML, with the shop, the code and without files that a mail program would load', async () => {
  const { taken, transport } = await mailServer();
  await write();
  await send(transport);
  const [received] = taken;
  expect(received!.to).toEqual(['ada@customers.example.com']);
  expect(received!.text).toMatch(/From: "?Fern & Anchor"? <no-reply@shop.example.com>/);
  expect(received!.text).toContain('Subject: Your code for Fern & Anchor');
  expect(received!.text).toContain('multipart/alternative');
  expect(received!.text.match(/402913/g)).toHaveLength(2);
  expect(received!.text).toContain('Type this <code>.');
  expect(received!.text).toMatch(/Type this =?\s*&lt;code&gt;\./);
  expect(received!.text).not.toMatch(/<(?:img|script|link)|url\(/);
});

test('a sent mail is sent once, and its text is not kept', async () => {
  const { taken, transport } = await mailServer();
  await write();
  await send(transport);
  await send(transport);
  expect(taken).toHaveLength(1);
  expect((await rows())[0]).toMatchObject({ failure: null, sealed: null });
});

test('a process that dies after the mail server took it sends it again under the same id', async () => {
  const { taken, transport } = await mailServer();
  await write();
  const dying: MailTransport = {
    ...transport,
    send: async (...sent) => {
      await transport.send(...sent);
      throw new Error('killed');
    },
  };
  await expect(send(dying)).rejects.toThrow('did not take');
  await send(transport);
  const ids = taken.map(({ text }) => /Message-ID: (.*)/i.exec(text)?.[1]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test('a mail server that is away or busy gets it later; one that refuses it for good does not', async () => {
  const busy = await mailServer({
    onRcptTo: (_, __, callback) => callback(Object.assign(new Error('later'), { responseCode: 451 })),
  });
  const refusing = await mailServer({
    onRcptTo: (_, __, callback) => callback(Object.assign(new Error('no ada@here'), { responseCode: 550 })),
  });
  const away = smtpTransport({ url: 'smtp://127.0.0.1:9', from: 'no-reply@shop.example.com' });
  await write();
  for (const transport of [busy.transport, away]) {
    await expect(send(transport)).rejects.toThrow('The mail server did not take a mail.');
    expect((await rows())[0]).toMatchObject({ sent_at: null, failure: null });
  }
  await send(refusing.transport);
  expect((await rows())[0]).toMatchObject({ failure: 'The mail server refused it (550).', sealed: null });
});

test('what the mail server says of the service, and not of the mail, keeps no mail from being sent once that is put right', async () => {
  const refuse = (code: number) => Object.assign(new Error('no'), { responseCode: code });
  const wrongPassword = await mailServer({ onAuth: (_, __, callback) => callback(refuse(535)) });
  const wrongSender = await mailServer({ onMailFrom: (_, __, callback) => callback(refuse(550)) });
  const closed = await mailServer({ onConnect: (_, callback) => callback(refuse(554)) });
  const signedIn = smtpTransport({
    url: `smtp://shop:former@127.0.0.1:${wrongPassword.port}`,
    from: 'no-reply@shop.example.com',
  });
  open.unshift(() => signedIn.close());
  await write();
  for (const transport of [signedIn, wrongSender.transport, closed.transport]) {
    await expect(send(transport)).rejects.toThrow('The mail server did not take a mail.');
    expect((await rows())[0]).toMatchObject({ sent_at: null, failure: null });
  }
  const { taken, transport } = await mailServer();
  await send(transport);
  expect(taken).toHaveLength(1);
});

test('a code that has expired is not sent', async () => {
  const { taken, transport } = await mailServer();
  await write({ expiresAtMs: clock.now() + 1_000 });
  clock.advance(1_000);
  await send(transport);
  expect(taken).toEqual([]);
  expect((await rows())[0]).toMatchObject({ sealed: null, failure: expect.stringContaining('expired') });
});

test('an address is one address, whatever it contains', async () => {
  const { taken, transport } = await mailServer();
  await write({ to: 'a,b@customers.example.com' });
  await send(transport).catch(() => undefined);
  expect(
    taken.flatMap(({ to }) => to).filter((to) => !to.includes('a,b') && to !== '"a,b"@customers.example.com'),
  ).toEqual([]);
});

test('the queue sends what a write asked for, and nothing of a write that failed', async () => {
  const { taken, transport } = await mailServer();
  await expect(
    context.database.write(shop.organizationId, async (tx) => {
      await queueMail(tx, context, clock.now(), { ...mail, to: 'rolled-back@customers.example.com' });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await write({ to: 'committed@customers.example.com' });
  const jobs = startJobs({
    connection: service.database.serving,
    database: context.database,
    tasks: [mailSending(context, transport)] as never[],
    logger: createLogger({ level: 'silent' }),
    metrics: { registry: new Registry() },
    pollEveryMs: 50,
  });
  open.unshift(() => jobs.stop());
  await expect
    .poll(() => taken.flatMap(({ to }) => to), { timeout: 20_000 })
    .toContain('committed@customers.example.com');
  expect(JSON.stringify(taken)).not.toContain('rolled-back');
  const queued = await witness.query('select payload::text as text from graphile_worker._private_jobs');
  expect(JSON.stringify(queued)).not.toContain('@');
});

const textsOf = async (staff: TestStaff) =>
  ((await staff.call('GET', '/staff/v1/mails')).data as { recipient: string; text: string | null }[]).map(
    ({ recipient, text }) => [recipient, text] as const,
  );

test('without a mail server, owners see what was written, and links and codes only of mail to themselves', async () => {
  const quiet = await createTestShop(context);
  const owner = await service.staff(quiet);
  const link = {
    label: 'Set your password',
    url: 'https://shop.example.com/console/invitation#dci_live_secret',
  };
  await write({ to: 'bo@customers.example.com' }, quiet);
  await write({ to: 'other-owner@shop.example.com', kind: 'invitation', link } as never, quiet);
  await write({ to: owner.email.toUpperCase(), kind: 'password-reset', link } as never, quiet);
  const { data } = await owner.call('GET', '/staff/v1/mails');
  expect(data.at(-1)).toMatchObject({
    ...{ kind: 'customer-code', recipient: 'bo@customers.example.com', state: 'kept' },
    text: expect.stringContaining('It is valid for 10 minutes.'),
  });
  const texts = await textsOf(owner);
  for (const [recipient, text] of texts.slice(1)) {
    expect([recipient, text]).not.toEqual([recipient, expect.stringMatching(/402913|dci_live/)]);
    expect([recipient, text]).toEqual([recipient, expect.stringContaining('for the recipient only')]);
  }
  expect(texts[0]).toEqual([
    owner.email.toUpperCase(),
    expect.stringMatching(/402913[\s\S]*#dci_live_secret/),
  ]);
  for (const role of ['manager', 'budtender', 'inventory'] as const) {
    expect((await (await service.staff(quiet, role)).call('GET', '/staff/v1/mails')).status).toBe(403);
  }
  await send(null);
});

test('a demo shop shows the codes that it sends to its customers, and no links', async () => {
  const demo = await createTestShop(context);
  const shown = await startOwnTestService({
    ...{ database: service.database, clock, documentMasterKeys: [masterKey] },
    demoOrganizations: [demo.organizationId],
  });
  const link = {
    label: 'Set your password',
    url: 'https://shop.example.com/console/invitation#dci_live_secret',
  };
  await write({ kind: 'customer-code', link } as never, demo);
  await write({ kind: 'customer-code', link } as never);
  const [[, text]] = (await textsOf(await shown.staff(demo))) as [readonly [string, string]];
  expect(text).toContain('402913');
  expect(text).not.toContain('dci_live_secret');
  const [[, other]] = (await textsOf(await shown.staff(shop))) as [readonly [string, string]];
  expect(other).not.toContain('402913');
  await shown.close();
});

test('what a mail says is in no table in clear, and opens with its key, organization and id only', async () => {
  const [own, other] = [await createTestShop(context), await createTestShop(context)];
  await write({}, own);
  const sql = (of: TestShop, text: string, ...values: never[]) =>
    tenantSql(context.database, of.organizationId, text, ...values);
  const stored = await sql(own, 'select m::text as text from mails m');
  expect(JSON.stringify(stored)).toContain('ada@customers.example.com');
  expect(JSON.stringify(stored)).not.toMatch(/402913|Type this/);
  const hex = Buffer.from('402913').toString('hex');
  expect(JSON.stringify(stored)).not.toContain(hex);
  await write({}, other);
  const [{ sealed }] = (await sql(own, 'select sealed from mails')) as [{ sealed: never }];
  await sql(other, 'update mails set sealed = $1', sealed);
  expect(await textsOf(await service.staff(other))).toEqual([['ada@customers.example.com', null]]);
});

test('mails are sealed again with a new master key; one whose key is gone is refused, and the mailbox is read on', async () => {
  const rotated = await createTestShop(context);
  await write({}, rotated);
  const newKey = randomBytes(32);
  const startWith = (...documentMasterKeys: Buffer[]) =>
    startOwnTestService({ database: service.database, clock, documentMasterKeys });
  const lost = await startWith(newKey);
  expect(await textsOf(await lost.staff(rotated))).toEqual([['ada@customers.example.com', null]]);
  const both = await startWith(newKey, masterKey);
  await resealMails(both.context, rotated.organizationId);
  const [[, text]] = (await textsOf(await lost.staff(rotated))) as [readonly [string, string]];
  expect(text).toContain('It is valid for 10 minutes.');
  const { transport } = await mailServer();
  const [{ id }] = (await rows(rotated)) as [{ id: string }];
  await sendMail(Number(id), { transport, of: rotated });
  expect((await rows(rotated))[0]).toMatchObject({
    ...{ sent_at: null, sealed: null },
    failure: expect.stringContaining('cannot be opened'),
  });
  for (const started of [lost, both]) await started.close();
});

test('the mailbox keeps the newest mails of 30 days, and drops none that a mail server is still to get', async () => {
  const full = await createTestShop(context);
  const kept = { transport: null, of: full };
  for (let count = 0; count < mailsKept + 3; count++)
    await write({ to: `c${count}@customers.example.com` }, full);
  expect(await rows(full)).toHaveLength(mailsKept + 3);
  // Without a mail server they wait for nothing any more.
  for (const { id } of await rows(full)) await sendMail(Number(id), kept);
  await write({}, full);
  expect(await rows(full)).toHaveLength(mailsKept);
  clock.advance(31 * 86_400_000);
  for (let count = 0; count < 10; count++) await write({}, full);
  expect(await rows(full)).toHaveLength(10);
});
