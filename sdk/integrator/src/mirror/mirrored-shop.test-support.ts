import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import type { TestDatabase } from '../../../../test/harness/test-database.ts';
import type { TestKeys } from '../../../../test/harness/test-shop.ts';
import { createClient } from '../client.ts';
import { type CollectionName, collectionNames, type ShownRecord } from './collections.ts';
import { PostgresStore } from './postgres-store.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { MirrorStore } from './store.ts';

/** The records of every collection, by id. */
export type Rows = Readonly<Record<CollectionName, ReadonlyMap<string, ShownRecord>>>;

interface Addresses {
  readonly baseUrl: string;
  readonly menuUrl: string;
}

export function clientOf(addresses: Addresses, keys: TestKeys, fetch?: typeof globalThis.fetch) {
  return createClient({
    ...addresses,
    consumerKey: keys.consumerKey!,
    clientKey: keys.clientKey!,
    ...(fetch && { fetch }),
  });
}

/** The lists of the service, whole, by their own cursors. */
export async function rowsOfService(
  addresses: Addresses,
  keys: TestKeys,
  fetch?: typeof globalThis.fetch,
): Promise<Rows> {
  const client = clientOf(addresses, keys, fetch);
  const list = async (path: string) => {
    const rows: ShownRecord[] = [];
    for await (const row of client.list<ShownRecord>(path)) rows.push(row);
    return byId(rows);
  };
  const { data: products } = await client.get<ShownRecord[]>('/api/v1/products/all');
  const packages: ShownRecord[] = [];
  for (let page: ShownRecord[] = []; ; ) {
    const last = page.at(-1);
    const cursor = last && { startingAfterUpdatedAt: last.updatedAt, startingAfterId: last.id };
    ({ data: page } = await client.get<ShownRecord[]>('/api/v1/packages', { query: { ...cursor } }));
    if (page.length === 0) break;
    packages.push(...page);
  }
  return {
    orders: await list('/api/v1/orders'),
    customers: await list('/api/v1/customers'),
    products: byId(products),
    packages: byId(packages),
    purchase_orders: await list('/api/v1/purchase-orders'),
  };
}

/** The rows of a copy. */
export async function rowsOfCopy(store: MirrorStore): Promise<Rows> {
  const rows = {} as Record<CollectionName, ReadonlyMap<string, ShownRecord>>;
  for (const collection of collectionNames) {
    const found = new Map<string, ShownRecord>();
    for await (const page of store.versions(collection)) {
      const jsonOf = await store.read(
        collection,
        page.map(({ id }) => id),
      );
      for (const [id, json] of jsonOf) found.set(id, JSON.parse(json));
    }
    rows[collection] = found;
  }
  return rows;
}

/** Fails with the first rows that differ. */
export function expectSameRows(copy: Rows, service: Rows): void {
  for (const collection of collectionNames) {
    const [ours, theirs] = [copy[collection], service[collection]];
    expect([collection, [...ours.keys()].sort()]).toEqual([collection, [...theirs.keys()].sort()]);
    for (const [id, record] of theirs) {
      expect([collection, id, ours.get(id)]).toEqual([collection, id, record]);
    }
  }
}

function byId(rows: readonly ShownRecord[]): ReadonlyMap<string, ShownRecord> {
  return new Map(rows.map((row) => [String(row.id), row]));
}

/** A place for copies: a folder, and schemas of the test's database. */
export function openCopies(database: TestDatabase) {
  const folder = mkdtempSync(join(tmpdir(), 'mirror-'));
  let schemas = 0;
  return {
    folder,
    open: async (kind: 'SQLite' | 'PostgreSQL'): Promise<MirrorStore> => {
      schemas += 1;
      if (kind === 'SQLite') return openSqliteStore(join(folder, `copy-${schemas}.db`));
      return openSchema(database, `copy_${schemas}`);
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** A copy in a schema beside the service's own tables. */
export async function openSchema(database: TestDatabase, schema: string): Promise<MirrorStore> {
  const connection = new pg.Client({ ...database.owner });
  connection.on('error', () => undefined);
  await connection.connect();
  return new PostgresStore(connection, schema);
}
