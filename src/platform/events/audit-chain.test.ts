import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { onDatabase } from '../../../test/harness/test-connection.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { Database } from '../database/database.ts';
import { announce } from './announce.ts';
import { linkAuditEntries } from './audit-chain.ts';
import { proveAuditChain } from './prove-audit-chain.ts';

const service = await startOwnTestService();
const { context } = service;
const elsewhere = new Database(service.database.serving, 8);
// The tables' owner, for whom no row-level security holds: who could rewrite history.
const { owner } = service.database;
const databaseName = owner.connectionString
  ? new URL(owner.connectionString).pathname.slice(1)
  : owner.database!;
const intruder = new Client(onDatabase(inject('server').admin, databaseName));
await intruder.connect();
afterAll(async () => {
  await intruder.end();
  await elsewhere.close();
  await service.close();
});

/** A shop whose audit log has so many entries of tags. */
async function shopWithEntries(count: number): Promise<OrganizationId> {
  const shop = organizationId((await createTestShop(context)).organizationId);
  await writeEntries(shop, count);
  return shop;
}

async function writeEntries(shop: OrganizationId, count: number, database = context.database): Promise<void> {
  const announcements = Array.from({ length: count }, (_, at) => ({
    ...({ event: 'tag.updated', subjectType: 'tag', subjectId: at + 1 } as const),
    payload: { tagId: at + 1, name: { from: 'Old', to: `New "${at}" ü` } },
  }));
  await database.write(shop, (tx) =>
    announce(tx, context, testOrigin, context.clock.now(), ...announcements),
  );
}

const link = (shop: OrganizationId) => linkAuditEntries(context, shop);
const prove = (shop: OrganizationId, ...anchors: Parameters<typeof proveAuditChain>[2] & object) =>
  proveAuditChain(context, shop, anchors);

async function countOfEntries(shop: OrganizationId): Promise<number> {
  const [row] = await tenantSql(
    context.database,
    shop,
    'select count(*)::int as count from audit_entries where organization_id = $1',
    shop,
  );
  return row!.count;
}

async function entryIds(shop: OrganizationId): Promise<number[]> {
  const { rows } = await intruder.query<{ id: string }>(
    `select unnest(entry_ids) as id from audit_links where organization_id = $1 order by first_number`,
    [shop],
  );
  return rows.map(({ id }) => Number(id));
}

async function anchorOf(shop: OrganizationId) {
  const { rows } = await intruder.query<{ entries: string; head: Buffer }>(
    'select entries, head from audit_chains where organization_id = $1',
    [shop],
  );
  const { entries, head } = rows[0]!;
  return {
    organizationId: shop,
    at: '2026-03-01T12:00:00.000Z',
    entries: Number(entries),
    hash: head.toString('hex'),
  };
}

describe('the chain of the audit log', () => {
  test('has every entry once, those from before it began first, and holds', async () => {
    const shop = await shopWithEntries(1_100);
    const before = await countOfEntries(shop);
    await link(shop);
    await writeEntries(shop, 30);
    await link(shop);
    const ids = await entryIds(shop);
    expect(ids.length).toBe(before + 30);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await prove(shop)).toEqual({ entries: before + 30, isBegun: true, faultCount: 0, faults: [] });
  });

  test('is made as the documents say: of the hash before, a line feed, and the text of the entry', async () => {
    const shop = await shopWithEntries(3);
    await link(shop);
    const { rows } = await intruder.query<{ text: string; hash: Buffer }>(
      `select jsonb_build_array(a.id, a.actor, a.action, a.subject_type, a.subject_id, a.details, a.request_id,
              (extract(epoch from a.created_at) * 1000000)::bigint)::text as text,
              substr(l.hashes, (t.at::int - 1) * 32 + 1, 32) as hash
         from audit_links l cross join lateral unnest(l.entry_ids) with ordinality t(id, at)
         join audit_entries a on a.organization_id = l.organization_id and a.id = t.id
        where l.organization_id = $1 order by l.first_number, t.at`,
      [shop],
    );
    expect(rows.length).toBeGreaterThan(3);
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    let before = sha256(`audit log of organization ${shop}`);
    for (const { text, hash } of rows) {
      before = sha256(`${before}\n${text}`);
      expect(hash.toString('hex')).toBe(before);
    }
  });

  test('grows while two processes link and many write: no entry is lost or doubled', async () => {
    const shop = await shopWithEntries(5);
    let isWriting = true;
    const linking = [context.database, elsewhere].map(async (database) => {
      while (isWriting) await linkAuditEntries({ ...context, database }, shop);
    });
    const writers = Array.from({ length: 8 }, async (_, at) => {
      for (let round = 0; round < 12; round += 1) {
        await writeEntries(shop, 1 + ((at + round) % 3), at % 2 === 0 ? context.database : elsewhere);
      }
    });
    await Promise.all(writers);
    isWriting = false;
    await Promise.all(linking);
    await link(shop);
    const ids = await entryIds(shop);
    expect(ids.length).toBe(await countOfEntries(shop));
    expect(new Set(ids).size).toBe(ids.length);
    expect((await prove(shop)).faults).toEqual([]);
  });

  test('is not needed yet for entries that were just written', async () => {
    const shop = await shopWithEntries(2);
    expect(await prove(shop)).toMatchObject({ isBegun: false, faults: [] });
    await link(shop);
    await writeEntries(shop, 4);
    expect((await prove(shop)).faults).toEqual([]);
  });
});

describe('a change by the owner of the database is found', () => {
  const changes = [
    ['a changed detail', `set details = details || '{"name": "Forged"}'`],
    ['a changed actor', `set actor = 'staff:1'`],
    ['a changed time', `set created_at = timestamptz '2026-01-02T03:04:05Z'`],
    ['a changed subject', `set subject_id = '77'`],
    ['a changed request id', `set request_id = 'forged'`],
  ] as const;

  test.each(changes)('%s is found, and which entry it is', async (_, change) => {
    const shop = await shopWithEntries(6);
    await link(shop);
    const id = (await entryIds(shop)).at(-3)!;
    await intruder.query(`update audit_entries ${change} where organization_id = $1 and id = $2`, [shop, id]);
    const { faultCount, faults } = await prove(shop);
    expect({ faultCount, faults }).toMatchObject({
      faultCount: 1,
      faults: [{ entryId: id, kind: 'changed' }],
    });
  });

  test('a removed entry is found, linked or not', async () => {
    const shop = await shopWithEntries(6);
    await link(shop);
    const id = (await entryIds(shop)).at(2)!;
    await writeEntries(shop, 1);
    const { rows } = await intruder.query<{ id: string }>(
      'select max(id) as id from audit_entries where organization_id = $1',
      [shop],
    );
    const latest = Number(rows[0]!.id);
    await intruder.query('delete from audit_entries where organization_id = $1 and id = any($2)', [
      shop,
      [id, latest],
    ]);
    const found = (faults: readonly { kind: string; entryId: number | null }[]) =>
      faults.map(({ kind, entryId }) => [kind, entryId]);
    expect(found((await prove(shop)).faults)).toEqual([
      ['removed', id],
      ['removed', latest],
    ]);
    // It stays so when the chain goes on.
    await link(shop);
    expect(found((await prove(shop)).faults)).toEqual([
      ['removed', id],
      ['removed', latest],
    ]);
  });

  test('an inserted entry is found, of whatever time', async () => {
    const shop = await shopWithEntries(3);
    await link(shop);
    await intruder.query(
      `insert into audit_entries (organization_id, id, actor, action, subject_type, subject_id, details, created_at)
       values ($1, 1, 'staff:1', 'order.canceled', 'order', '5', '{}', now() - interval '3 days'),
              ($1, 2, 'staff:1', 'order.canceled', 'order', '6', '{}', now())`,
      [shop],
    );
    await link(shop);
    const { faults } = await prove(shop);
    expect(faults.map(({ kind, entryId }) => [kind, entryId])).toEqual([
      ['inserted', 1],
      ['inserted', 2],
    ]);
  });

  test('an entry that was changed with its own link leaves the link behind it', async () => {
    const shop = await shopWithEntries(6);
    await link(shop);
    const ids = await entryIds(shop);
    const [id, next] = ids.slice(-3);
    await intruder.query(
      `update audit_entries set actor = 'staff:1' where organization_id = $1 and id = $2`,
      [shop, id],
    );
    await relink(shop, { from: ids.indexOf(id!) + 1, to: ids.indexOf(id!) + 1 });
    expect((await prove(shop)).faults).toMatchObject([
      { entryId: next, kind: 'changed', words: expect.stringContaining(`entry ${id} before it`) },
    ]);
  });

  test('a chain that was rewritten to its end differs from its anchor, and two anchors tell where', async () => {
    const shop = await shopWithEntries(6);
    await link(shop);
    const first = await anchorOf(shop);
    await writeEntries(shop, 4);
    await link(shop);
    const second = await anchorOf(shop);
    const ids = await entryIds(shop);
    await intruder.query(
      `update audit_entries set actor = 'staff:1' where organization_id = $1 and id = $2`,
      [shop, ids.at(-2)],
    );
    await relink(shop, { from: ids.length - 1, to: ids.length });
    expect((await prove(shop)).faults).toEqual([]);
    expect((await prove(shop, first, second)).faults).toMatchObject([
      { kind: 'rewritten', words: expect.stringContaining(`behind link ${first.entries}`) },
    ]);
  });

  test('links that were cut off are found by the chain, or by an anchor', async () => {
    const shop = await shopWithEntries(4);
    await link(shop);
    await writeEntries(shop, 2);
    await link(shop);
    const anchor = await anchorOf(shop);
    await intruder.query(
      `delete from audit_links where organization_id = $1 and first_number = (
         select max(first_number) from audit_links where organization_id = $1)`,
      [shop],
    );
    expect((await prove(shop)).faults[0]).toMatchObject({ kind: 'links-missing' });
    await intruder.query('delete from audit_chains where organization_id = $1', [shop]);
    await intruder.query('delete from audit_links where organization_id = $1', [shop]);
    expect((await prove(shop, anchor)).faults[0]).toMatchObject({ kind: 'links-missing', number: 1 });
  });
});

/** Makes the hashes of some links again, as one who owns the database can; with the last one, the end of the chain. */
async function relink(shop: OrganizationId, { from, to }: { from: number; to: number }): Promise<void> {
  const { rows } = await intruder.query<{ first_number: string; at: string; text: string; hash: Buffer }>(
    `select l.first_number, t.at, jsonb_build_array(a.id, a.actor, a.action, a.subject_type, a.subject_id, a.details,
            a.request_id, (extract(epoch from a.created_at) * 1000000)::bigint)::text as text,
            substr(l.hashes, (t.at::int - 1) * 32 + 1, 32) as hash
       from audit_links l cross join lateral unnest(l.entry_ids) with ordinality t(id, at)
       join audit_entries a on a.organization_id = l.organization_id and a.id = t.id
      where l.organization_id = $1 order by l.first_number, t.at`,
    [shop],
  );
  let before = rows[from - 2]!.hash;
  for (const row of rows.slice(from - 1, to)) {
    before = createHash('sha256')
      .update(`${before.toString('hex')}\n${row.text}`)
      .digest();
    await intruder.query(
      `update audit_links set hashes = overlay(hashes placing decode($3, 'hex') from $4::int for 32)
        where organization_id = $1 and first_number = $2`,
      [shop, row.first_number, before.toString('hex'), (Number(row.at) - 1) * 32 + 1],
    );
  }
  if (to === rows.length) {
    await intruder.query("update audit_chains set head = decode($2, 'hex') where organization_id = $1", [
      shop,
      before.toString('hex'),
    ]);
  }
}
