import { Client } from 'pg';
import type { DemoOrganization } from '../seed/load-shop.ts';
import {
  connectEmbedded,
  startEmbeddedPostgres,
} from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { percentile } from './closed-loop.ts';
import { makeLargeCatalog, packageLabel, productSku, productUpc } from './large-catalog.ts';
import { table } from './result-tables.ts';
import { ServerProcess } from './server-process.ts';
import { openStaffSession } from './staff-token.ts';

const timesMeasured = 61;
const warmUps = 8;
/** A search has to answer after this time, at the median. */
const targetMs = 20;

/** What is sought, in kinds that read different amounts. */
const searches: readonly (readonly [name: string, query: Readonly<Record<string, string>>])[] = [
  ['no search', {}],
  ['no search, by name', { sortBy: 'name' }],
  ['a word that half of all have', { search: 'gram' }],
  ['a letter', { search: 'g' }],
  ['two letters', { search: 'ge' }],
  ['a word of many', { search: 'gelato' }],
  ['the begin of a word', { search: 'gel' }],
  ['a brand', { search: 'lantern kitchen' }],
  ['two words of many', { search: 'dream gelato' }],
  ['a size and a word', { search: '1g gelato' }],
  ['four words', { search: 'lantern gelato 3.5g flower' }],
  ['a word of many, one category', { search: 'gelato', category: 'one' }],
  ['a rare number', { search: '31pk tangie harbor' }],
  ['a SKU', { search: productSku(31_415) }],
  ['a UPC', { search: productUpc(27_182, 1) }],
  ['a label', { search: packageLabel(1_618) }],
  ['one wrong letter', { search: 'gellato' }],
  ['a wrong letter in two words', { search: 'purpel dream' }],
  ['a wrong letter in a size', { search: 'sunset hase 3.5g' }],
  ['what none has', { search: 'zuwqx' }],
  ['three words that none has together', { search: 'gelato gram quuxly' }],
  ['parts that many have, the whole none', { search: 'ingerlinge' }],
];

/** What a search costs. */
interface MeasuredSearch {
  readonly name: string;
  readonly found: string;
  /** Other load on the machine only adds to it. */
  readonly leastMs: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly serverCpuMs: number;
  readonly databaseCpuMs: number;
}

/** Fills a shop with that many products, and measures searches of staff over HTTP, one after the other. */
export async function measureSearches(
  dataDir: string,
  organization: DemoOrganization,
  productCount: number,
  note: (message: string) => void,
): Promise<readonly MeasuredSearch[]> {
  const postgres = await startEmbeddedPostgres({ dataDir, onProgress: () => {} });
  const admin = new Client({ ...postgres.adminConnection, database: postgres.ownerConnection.database });
  await admin.connect();
  note(`making ${productCount} products …`);
  await makeLargeCatalog(admin, organization.id, productCount, note);
  await admin.end();
  await postgres.stop();
  return searchProducts(dataDir, organization, note);
}

/** The same in a shop that has the products. */
async function searchProducts(
  dataDir: string,
  organization: DemoOrganization,
  note: (message: string) => void,
): Promise<readonly MeasuredSearch[]> {
  const server = await ServerProcess.start(dataDir, { ROLES: 'api,menu' });
  const { adminConnection, ownerConnection } = connectEmbedded({ dataDir })!;
  const admin = new Client({ ...adminConnection, database: ownerConnection.database });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ id: string }>(
      'select min(id) as id from product_categories where organization_id = $1',
      [organization.id],
    );
    const baseUrl = `http://127.0.0.1:${server.basePort}`;
    const headers = { authorization: `Bearer ${await openStaffSession(baseUrl, organization.staff)}` };
    const measured: MeasuredSearch[] = [];
    for (const [name, { category, ...asked }] of searches) {
      note(`${name} …`);
      const query = new URLSearchParams(category ? { ...asked, productCategoryId: rows[0]!.id } : asked);
      measured.push({ name, ...(await costOf(server, `${baseUrl}/staff/v1/products?${query}`, headers)) });
    }
    return measured;
  } finally {
    await admin.end();
    await server.stop();
  }
}

/** The searches, as Markdown. */
export function searchTable(searches: readonly MeasuredSearch[]): string {
  return `${table(
    ['staff search', 'found', 'least ms', 'median ms', 'p95 ms', 'server CPU ms', 'database CPU ms'],
    searches.map(({ name, found, leastMs, medianMs, p95Ms, serverCpuMs, databaseCpuMs }) => [
      `${name}${medianMs > targetMs ? ' −' : ''}`,
      found,
      ...[leastMs, medianMs, p95Ms, serverCpuMs, databaseCpuMs].map((ms) => ms.toFixed(1)),
    ]),
  )}

Target: ${targetMs} ms at the median; − misses it.`;
}

async function costOf(server: ServerProcess, url: string, headers: Readonly<Record<string, string>>) {
  let found = '';
  const search = async (): Promise<void> => {
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`GET ${url} answers ${response.status}: ${text}`);
    const { meta } = JSON.parse(text) as { meta: { total: number; more: boolean } };
    found = `${meta.total}${meta.more ? '+' : ''}`;
  };
  for (let warmUp = 0; warmUp < warmUps; warmUp += 1) await search();
  const times: number[] = [];
  const before = await server.usage();
  while (times.length < timesMeasured) {
    const startedAtMs = performance.now();
    await search();
    times.push(performance.now() - startedAtMs);
  }
  const after = await server.usage();
  times.sort((a, b) => a - b);
  return {
    found,
    leastMs: times[0]!,
    medianMs: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    serverCpuMs: ((after.serverCpuSeconds - before.serverCpuSeconds) * 1_000) / timesMeasured,
    databaseCpuMs: ((after.databaseCpuSeconds - before.databaseCpuSeconds) * 1_000) / timesMeasured,
  };
}
