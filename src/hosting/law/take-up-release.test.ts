import { afterAll, beforeEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { LawEdition } from '../../engines/jurisdictions/law-edition.ts';
import { shippedEdition } from '../../engines/jurisdictions/shipped-edition.ts';
import { withSession } from '../../platform/connections/with-session.ts';
import { Database } from '../../platform/database/database.ts';
import { editionText, importEdition, planImport, takeUpLaw, takeUpRelease } from './law-editions.ts';

const service = await startOwnTestService();
const operator = new Database(service.database.owner, 2);
const shop = await createTestShop(service.context, { state: 'CA' });
const elsewhere = await createTestShop(service.context, { state: 'OR' });
const owner = await service.staff(shop);
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await operator.close();
  await service.close();
});
beforeEach(() =>
  withSession(service.database.owner, async (client) => {
    await client.query('truncate law_releases, law_editions');
  }),
);

// biome-ignore lint/suspicious/noExplicitAny: a test changes an edition in ways that have no type
type Loose = any;

/** The shipped facts with another flower limit of adults in California. */
function editionWith(edition: string, flower: object): LawEdition {
  const facts = structuredClone(shippedEdition) as Loose;
  Object.assign(facts, { edition, issuedOn: edition.split('.')[0] });
  const { purchaseLimits } = facts.jurisdictions.find((it: Loose) => it.state === 'CA');
  const limit = purchaseLimits.find((it: Loose) => it.audience === 'adult-use' && it.name === 'Flower');
  Object.assign(limit, flower);
  return facts;
}

const grams = (amount: string) => ({ limit: { amount, unit: 'g' } });
const release = (edition: LawEdition) =>
  takeUpRelease(service.database.owner, operator, service.context, edition);

async function importing(edition: LawEdition): Promise<void> {
  const plan = await planImport(
    operator,
    { bytes: Buffer.from(editionText(edition)), signature: null },
    false,
  );
  const origin = { actor: 'job:operator', requestId: null } as const;
  await importEdition(service.database.owner, service.context, origin, plan, 'root');
}

/** What the owner reads of changes of the law. */
async function told(): Promise<string[]> {
  await takeUpLaw(service.context);
  const ofOrganization = (await owner.call('GET', '/staff/v1/organization')).data.warnings as string[];
  const ofLaw = (await owner.call('GET', '/staff/v1/law')).data.warnings as string[];
  const isChange = (line: string) => line.includes('(edition ');
  expect(ofLaw.filter(isChange)).toEqual(ofOrganization.filter(isChange));
  return ofOrganization.filter(isChange);
}

const entriesOf = async ({ organizationId }: TestShop) =>
  await tenantSql(
    service.context.database,
    organizationId,
    `select actor, details->>'edition' as edition, (details->>'inForce')::boolean as "inForce"
       from audit_entries where action = 'law.changed' order by id`,
  );

test('a release with other facts tells owners what changed and from when, with event and audit entry, once', async () => {
  const before = await entriesOf(shop);
  expect(await release(editionWith('2026-11-01.1', grams('20')))).toMatchObject({ organizations: [] });
  expect(await told()).toEqual([]);

  const present = editionWith('2026-11-20.1', { ...grams('21'), effectiveFrom: '2026-07-01' });
  expect(await release(present)).toMatchObject({
    inForce: true,
    organizations: [{ id: shop.organizationId, state: 'CA' }],
  });
  const notice =
    /^The facts about the law of CA changed on 2026-03-10 \(edition 2026-11-20\.1\): .*Flower.*21 g per day of flower, from 2026-07-01/;
  expect(await told()).toEqual([expect.stringMatching(notice)]);
  expect((await entriesOf(shop)).slice(before.length)).toEqual([
    { actor: 'job:release', edition: '2026-11-20.1', inForce: true },
  ]);
  expect(await entriesOf(elsewhere)).toEqual([]);
  const events = await tenantSql(
    service.context.database,
    shop.organizationId,
    `select payload->>'edition' as edition from outbox_events where type = 'law.changed'`,
  );
  expect(events).toContainEqual({ edition: '2026-11-20.1' });

  // The next start, another process, a step back and forward again: nothing is told a second time.
  const starts = [present, present, editionWith('2026-11-01.1', grams('20')), present];
  for (const edition of starts) expect(await release(edition)).toBeNull();
  expect(await told()).toHaveLength(1);
  expect(await entriesOf(shop)).toHaveLength(before.length + 1);
});

test('of processes that start together, one tells the owners', async () => {
  const before = await entriesOf(shop);
  await release(editionWith('2026-11-01.1', grams('20')));
  const next = editionWith('2026-11-02.1', grams('19'));
  const taken = await Promise.all([release(next), release(next), release(next)]);
  expect(taken.filter((it) => it !== null)).toHaveLength(1);
  expect(await entriesOf(shop)).toHaveLength(before.length + 1);
});

test('what an import told already is not told again by the release that ships it', async () => {
  await release(editionWith('2026-11-01.1', grams('20')));
  await importing(editionWith('2026-12-01.1', grams('15')));
  const before = await entriesOf(shop);
  expect(await release(editionWith('2026-12-02.1', grams('15')))).toMatchObject({
    inForce: true,
    organizations: [],
  });
  expect(await entriesOf(shop)).toEqual(before);
  // What it changes beside that is told, compared with the import that was in force.
  await release(editionWith('2026-12-03.1', grams('14')));
  expect(await told()).toContainEqual(expect.stringMatching(/15 g per day of flower becomes 14 g/));
});

test('where a later import stays in force, owners read what the release knows and the import does not', async () => {
  await release(editionWith('2026-11-01.1', grams('20')));
  await importing(editionWith('2026-12-01.1', grams('15')));
  const before = await entriesOf(shop);
  expect(await release(editionWith('2026-11-30.1', grams('15')))).toMatchObject({
    inForce: false,
    organizations: [],
  });
  expect(await entriesOf(shop)).toEqual(before);
  const known = { ...grams('15'), effectiveTo: '2026-12-31' };
  expect(await release(editionWith('2026-11-30.2', known))).toMatchObject({
    inForce: false,
    organizations: [{ id: shop.organizationId }],
  });
  expect(await told()).toContainEqual(
    expect.stringMatching(
      /^The program that was installed on 2026-03-10 knows changes of the law of CA \(edition 2026-11-30\.2\) that are not in force here, because the operator's edition 2026-12-01\.1 is later: .*15 g per day of flower ends after 2026-12-31/,
    ),
  );
  expect((await entriesOf(shop)).slice(before.length)).toEqual([
    { actor: 'job:release', edition: '2026-11-30.2', inForce: false },
  ]);
});
