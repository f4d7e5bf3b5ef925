import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { shippedEdition } from '../src/engines/jurisdictions/shipped-edition.ts';
import { insertLawEdition, selectNewestImport } from '../src/hosting/law/law-edition-queries.ts';
import { followLaw, importEdition, planImport, takeUpLaw } from '../src/hosting/law/law-editions.ts';
import { loadConfig } from '../src/hosting/startup/config.ts';
import { Database } from '../src/platform/database/database.ts';
import { tenantSql } from '../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../test/harness/test-shop.ts';
import { operatorOrigin, type Result } from './command.ts';
import { commands } from './commands.ts';
import type { Deployment } from './deployment.ts';

const folder = mkdtempSync(join(tmpdir(), 'dispensary-law-'));
const service = await startOwnTestService();
const operator = new Database(service.database.owner, 2);
const shop = await createTestShop(service.context, { state: 'CA' });
const neighbour = await createTestShop(service.context, { state: 'CA' });
const elsewhere = await createTestShop(service.context, { state: 'OR' });
const owner = await service.staff(shop);
const following = followLaw(service.context, 0, { info: () => {}, error: () => {} }, 20);
afterAll(async () => {
  await following.stop();
  await operator.close();
  await service.close();
  rmSync(folder, { recursive: true });
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not
type Loose = any;

const keyFile = join(folder, 'law.key');
const { publicKey } = alone('law keygen', { argument: keyFile }).data as Loose;

/** Runs a command as the operator, with the public key trusted. */
async function dispensary(
  name: string,
  options: Record<string, string> = {},
  keys = publicKey,
): Promise<Result> {
  const config = loadConfig({ DATA_DIR: folder, LAW_PUBLIC_KEYS: keys }, folder);
  const { context, database } = service;
  const deployment = { config, context, operator, database } as unknown as Deployment;
  return commands[name]!.run!(deployment, options);
}

function alone(name: string, options: Record<string, string>): Result {
  return commands[name]!.runAlone!(loadConfig({ DATA_DIR: folder }, folder), options)!;
}

/** A file with the shipped edition under another name and with another flower limit in California. */
function editionFile(edition: string, flower: object, isSigned = true): string {
  const facts = structuredClone(shippedEdition) as Loose;
  Object.assign(facts, { edition, issuedOn: edition.split('.')[0] });
  const rules = facts.jurisdictions.find((it: Loose) => it.state === 'CA').purchaseLimits;
  Object.assign(
    rules.find((it: Loose) => it.audience === 'adult-use' && it.name === 'Flower'),
    flower,
  );
  const file = join(folder, `${edition}.json`);
  writeFileSync(file, JSON.stringify(facts));
  if (isSigned) alone('law sign', { argument: file, key: keyFile });
  return file;
}

const lineItems = [{ productOptionId: shop.optionId('eighth'), quantity: 3 }];
const order = (keys = shop.keys) =>
  service.call('POST', '/api/v1/orders', { keys, body: pickupBody(shop, { lineItems }) });
const editionCount = async () =>
  (
    await tenantSql(
      service.context.database,
      shop.organizationId,
      'select count(*)::int as n from law_editions',
    )
  )[0]!.n;
const flower7 = { limit: { amount: '7', unit: 'g' } };

test('a key is readable by its owner only, and never overwritten', () => {
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(() => alone('law keygen', { argument: keyFile })).toThrow('it already exists');
});

test('an invalid import is refused with a reason and writes nothing', async () => {
  const file = editionFile('2026-12-01.1', flower7);
  await expect(dispensary('law import', { argument: file }, '')).rejects.toThrow(
    'LAW_PUBLIC_KEYS is not set',
  );
  await expect(dispensary('law import', { argument: file, unsigned: 'true' })).rejects.toThrow(
    '--unsigned is for',
  );
  const other = (alone('law keygen', { argument: join(folder, 'other.key') }).data as Loose).publicKey;
  await expect(dispensary('law import', { argument: file }, other)).rejects.toThrow(
    'is not a signature of this file',
  );
  writeFileSync(file, readFileSync(file, 'utf8').replace('"7"', '"8"'));
  await expect(dispensary('law import', { argument: file })).rejects.toThrow(
    'is not a signature of this file',
  );
  rmSync(`${file}.sig`);
  await expect(dispensary('law import', { argument: file })).rejects.toThrow('.sig cannot be read');
  const former = editionFile('2026-11-01.1', flower7, false);
  await expect(dispensary('law import', { argument: former, unsigned: 'true' }, '')).resolves.toMatchObject({
    exitCode: 1,
    lines: expect.arrayContaining([expect.stringMatching(/readOn must not be after the edition's day/)]),
  });
  const faulty = editionFile('2026-12-01.2', { limit: { amount: '7', unit: 'count' } }, false);
  const { lines, exitCode } = await dispensary('law import', { argument: faulty, unsigned: 'true' }, '');
  expect([exitCode, lines[0]]).toEqual([
    1,
    expect.stringMatching(/^line 1: CA purchaseLimits\[0\]\.limit\.unit is count/),
  ]);
  expect(alone('law check', { argument: faulty }).exitCode).toBe(1);
  expect(await editionCount()).toBe(0);
});

test('an import reports the changes, applies to the next cart of a running service, and notifies owners', async () => {
  expect((await order()).status).toBe(201);
  const file = editionFile('2026-12-03.1', flower7);

  const trial = await dispensary('law import', { argument: file, 'dry-run': 'true' });
  expect(trial.data).toMatchObject({
    ...{ edition: '2026-12-03.1', formerEdition: shippedEdition.edition, dryRun: true },
    organizations: [
      {
        ...{ id: shop.organizationId, state: 'CA' },
        changes: [
          {
            kind: 'limit',
            from: null,
            words: expect.stringContaining('28.5 g per day of flower becomes 7 g'),
          },
        ],
        orders: { checked: 1, newlyRefused: { count: 1 }, newlyAllowed: { count: 0 } },
      },
      { id: neighbour.organizationId, orders: { checked: 0 } },
    ],
  });
  const coming = editionFile('2026-12-02.1', { ...flower7, effectiveFrom: '2026-07-01' });
  const ahead = (await dispensary('law import', { argument: coming, 'dry-run': 'true' })).data as Loose;
  expect(ahead.organizations[0]).toMatchObject({
    changes: expect.arrayContaining([expect.objectContaining({ from: '2026-07-01' })]),
    orders: { asOf: '2026-07-01', newlyRefused: { count: 1 } },
  });
  expect(await editionCount()).toBe(0);

  await dispensary('law import', { argument: file });
  await vi.waitFor(
    async () => expect(service.context.law.current.edition.edition).toBe('2026-12-03.1'),
    5_000,
  );
  const { idempotencyKey: _, ...cart } = pickupBody(shop, { lineItems });
  const pricing = await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body: cart });
  expect(pricing.data.purchaseLimits).toContainEqual(
    expect.objectContaining({ name: 'Flower', limit: '7', exceeded: true }),
  );
  expect((await order()).error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');

  const told = expect.stringMatching(
    /^The facts about the law of CA changed on 2026-03-10 \(edition 2026-12-03\.1\): .*7 g/,
  );
  const { data } = await owner.call('GET', '/staff/v1/organization');
  expect(data.warnings).toContainEqual(told);
  expect((await owner.call('GET', '/staff/v1/law')).data).toMatchObject({
    ...{ edition: '2026-12-03.1', issuedOn: '2026-12-03', importedAt: '2026-03-10T18:00:00.000Z' },
    warnings: expect.arrayContaining([told]),
  });
  expect((await dispensary('law show')).lines[2]).toMatch(
    /^Imported at 2026-03-10T18:00:00\.000Z by .*, signed by the key/,
  );
  const entries = ({ organizationId }: { organizationId: typeof shop.organizationId }) =>
    tenantSql(
      service.context.database,
      organizationId,
      `select actor, details->>'edition' as edition, details->>'signedBy' is not null as signed
         from audit_entries where action = 'law.changed'`,
    );
  expect(await entries(shop)).toEqual([{ actor: 'job:operator', edition: '2026-12-03.1', signed: true }]);
  expect(await entries(neighbour)).toEqual(await entries(shop));
  expect(await entries(elsewhere)).toEqual([]);
});

test('the history of a cart covers the longest window of the edition in force', async () => {
  const window = { kind: 'rolling-days', days: 90 };
  const file = editionFile('2026-12-04.1', { window, limit: { amount: '20', unit: 'g' } });
  await dispensary('law import', { argument: file });
  await vi.waitFor(
    async () => expect(service.context.law.current.edition.edition).toBe('2026-12-04.1'),
    5_000,
  );
  service.clock.advance(60 * 24 * 3_600_000);
  expect((await order()).error?.message).toMatch(/Flower: 20 g in 90 days, this would be 21 g/);
  service.clock.advance(31 * 24 * 3_600_000);
  expect((await order()).status).toBe(201);
  // A month after the import, owners no longer get the warning.
  const { data } = await (await service.staff(shop)).call('GET', '/staff/v1/organization');
  expect(data.warnings.filter((it: string) => it.startsWith('The facts about the law'))).toEqual([]);
});

test('the same edition is refused, an earlier one needs the option, and the export equals the import', async () => {
  const file = join(folder, '2026-12-03.1.json');
  await expect(dispensary('law import', { argument: join(folder, '2026-12-04.1.json') })).rejects.toThrow(
    'already in force',
  );
  await expect(dispensary('law import', { argument: file })).rejects.toThrow('is older than 2026-12-04.1');
  await dispensary('law import', { argument: file, force: 'true' });
  await vi.waitFor(
    async () => expect(service.context.law.current.edition.edition).toBe('2026-12-03.1'),
    5_000,
  );
  const copy = join(folder, 'copy.json');
  await dispensary('law export', { argument: copy });
  expect(readFileSync(copy)).toEqual(readFileSync(file));
  expect((await dispensary('law check')).exitCode ?? 0).toBe(0);
  expect(service.faults).toEqual([]);
});

test('of two concurrent imports one is refused and leaves no audit entry', async () => {
  const entryCount = async () =>
    (
      await tenantSql(
        service.context.database,
        shop.organizationId,
        `select count(*)::int as n from audit_entries where action = 'law.changed'`,
      )
    )[0]!.n;
  const [editions, entries] = [await editionCount(), await entryCount()];
  const files = ['2026-12-05.1', '2026-12-06.1'].map((edition) =>
    editionFile(edition, { limit: { amount: edition.slice(9, 10), unit: 'g' } }),
  );
  const plans = await Promise.all(
    files.map((path) => planImport(operator, { bytes: readFileSync(path), signature: null }, false)),
  );
  const imports = await Promise.allSettled(
    plans.map((plan) =>
      importEdition(service.database.owner, service.context, operatorOrigin, plan, 'the operator'),
    ),
  );
  expect(imports.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(imports.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: expect.stringContaining('Another import came first') },
  });
  expect([await editionCount(), await entryCount()]).toEqual([editions + 1, entries + 1]);
});

test('an imported edition that this release cannot read prevents a start, and the next import replaces it', async () => {
  const { number } = (await operator.global(selectNewestImport({})))[0]!;
  const unread = {
    edition: '2026-12-07.1',
    outranks: '2026-12-07.1',
    content: Buffer.from('{}'),
    digest: Buffer.of(0),
  };
  await operator.global(
    insertLawEdition({
      ...unread,
      ...{ number: number + 1, signature: null, keyId: null, changes: '{}', importedBy: 'root' },
      at: new Date(service.clock.now()).toISOString(),
    }),
  );
  await expect(takeUpLaw(service.context)).rejects.toThrow('This release cannot read');
  await dispensary('law import', { argument: editionFile('2026-12-08.1', flower7) });
  await vi.waitFor(() => expect(service.context.law.current.edition.edition).toBe('2026-12-08.1'), 5_000);
});
