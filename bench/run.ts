import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DemoOrganization } from '../seed/load-shop.ts';
import { connectEmbedded } from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import type { ConnectionConfig } from '../src/platform/database/database.ts';
import { batchTable, measureBatches } from './batch-row.ts';
import { type MeasuredRow, measureRow } from './bench-row.ts';
import { BenchRows } from './bench-rows.ts';
import { BenchDatabase, makeBenchShop, makeBenchShops } from './bench-shop.ts';
import { median } from './closed-loop.ts';
import { lifeTable, measureLife } from './life-row.ts';
import { measureMove, moveTable } from './move-row.ts';
import { diskTable, measureDisk } from './order-disk.ts';
import { measureOrganizations, organizationsTable } from './organizations-row.ts';
import { measureEngine } from './pricing-engine.ts';
import { measureProcesses } from './process-rates.ts';
import { RecordedProgram } from './recorded-program.ts';
import { measureReports, reportTable } from './report-row.ts';
import { concurrencyTable, engineTable, pageTable, ratioTable } from './result-tables.ts';
import { measureSearches, searchTable } from './search-row.ts';
import { ServerProcess } from './server-process.ts';
import { measureReporting } from './state-row.ts';
import { reportingTable } from './state-table.ts';
import { measureWaiting, waitingTable } from './waiting-row.ts';
import { measureWebhooks, webhookTable } from './webhook-row.ts';

/**
 * `npm run bench [-- --million] [--only=text] [--rounds=5] [--seconds=2]`: measures the program against the best this
 * machine can do, both in one run. See README.md.
 */
const { values: options } = parseArgs({
  options: {
    /** Repeats the lists at a million orders; making these takes minutes. */
    million: { type: 'boolean', default: false },
    /** Only rows with this text in their names. */
    only: { type: 'string', default: '' },
    /** Tickets and customers of `--only=move`. */
    sales: { type: 'string', default: '200000' },
    customers: { type: 'string', default: '50000' },
    /** Sales of the year that `--only=report` reads. */
    orders: { type: 'string', default: '1000000' },
    /** Orders of each part of a round, waiting reports, and receipts of the year of `--only=reporting`; 0 leaves a part out. */
    sold: { type: 'string', default: '400' },
    waiting: { type: 'string', default: '10000' },
    receipts: { type: 'string', default: '73000' },
    /** Organizations of `--only=organizations`, beside one of them alone. */
    organizations: { type: 'string', default: '10000' },
    /** Products that `--only=search` looks through, and that `--only=catalog` sends. */
    products: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});
const rounds = { count: Number(options.rounds), durationMs: Number(options.seconds) * 1000 };
const coldMenuCount = 50;
const organizationCount = 4;

/** What is measured only when it is asked for by its whole name. */
const benchesApart: Readonly<Record<string, () => Promise<void>>> = {
  report: benchReports,
  reporting: benchReporting,
  search: benchSearches,
  catalog: benchCatalog,
  move: benchMove,
  organizations: benchOrganizations,
  processes: async () => console.log(await measureProcesses(dataDir, rounds)),
};

const dataDir = mkdtempSync(join(tmpdir(), 'dispensary-bench-'));
const undo: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true })];
try {
  await bench();
} finally {
  for (const step of undo.reverse()) await step();
}

async function bench(): Promise<void> {
  if (options.only === 'engine') return console.log(engineTable(measureEngine()));
  const built = spawnSync(process.execPath, [join(projectFolder(), 'scripts', 'run.mjs'), 'build']);
  if (built.status !== 0) throw new Error(`The build failed: ${built.stderr}`);
  note('making the shop …');
  const apart = benchesApart[options.only];
  if (apart !== undefined) return apart();
  const [organization, ...otherOrganizations] = await makeBenchShops(dataDir, organizationCount);
  if (organization === undefined) throw new Error('no shop was made');

  const startsMs: number[] = [];
  if (options.only === '') {
    for (let start = 0; start < rounds.count; start++) {
      const server = await ServerProcess.start(dataDir);
      startsMs.push(server.readyAfterMs);
      await server.stop();
    }
  }
  const server = await ServerProcess.start(dataDir, {
    ...{ WEBHOOK_HOSTS_ALLOWED: '127.0.0.1', PAYMENT_HOSTS_ALLOWED: '127.0.0.1' },
  });
  undo.push(() => server.stop());
  const { adminConnection, ownerConnection, servingConnection } = connectEmbedded({ dataDir })!;
  const admin = { ...adminConnection, database: ownerConnection.database };
  const program = await RecordedProgram.open(servingConnection, organization);
  undo.push(() => program.close());
  const shop = await BenchDatabase.open(admin, organization.id);
  undo.push(() => shop.close());
  const others = await openOthers(admin, otherOrganizations);
  const rows = new BenchRows(server, shop, program, servingConnection, admin, organization);
  undo.push(() => rows.stop());
  const idleBytes = (await server.usage()).serverResidentBytes;

  const measured: MeasuredRow[] = [];
  const measure = async (name: string, prepare: BenchRows['status']): Promise<void> => {
    if (!name.includes(options.only)) return;
    note(`${name} …`);
    measured.push(await measureRow(await prepare(), server, rounds));
  };
  // First: later on, orders would fill the room that other work left in the tables.
  const disk = await diskPart(server, shop, organization, { admin, serving: servingConnection });
  await shop.growOrders(6_000);
  for (const page of [1, 100]) await measure(`page ${page} of 6,000`, rows.orders(page, '6,000'));
  await measure('price with discounts', rows.price('no', 20));
  await measure('price with customer and discounts', rows.price('known', 20));
  await measure('price', rows.price('no', 0));
  await measure('price with customer', rows.price('known', 0));
  await measure('status', rows.status);
  await measure('changes', rows.changes);
  await measure('menu warm', rows.menu('warm'));
  await measure('menu 304', rows.menu('revalidated'));
  await measure('place draft', rows.place('draft'));
  await measure('place new', rows.place('new'));
  await measure('place, one product', rows.placeOneProduct);
  await measure('place, one organization', rows.placeOneOrganization(others));
  await measure('place draft against its own statements', rows.placeOverStatements('draft'));
  await measure('place new against its own statements', rows.placeOverStatements('new'));
  const loadedBytes = (await server.usage()).serverResidentBytes;
  const furtherTables = await measureTables(server, shop, organization);
  const coldMenuMs = await rows.coldMenuMs(coldMenuCount);
  if (options.million) {
    // Last: orders are copied without their lines, so only lists behave as with real orders.
    note('making a million orders …');
    await shop.growOrders(1_000_000);
    await measure('page 1 of 1,000,000', rows.orders(1, '1,000,000'));
    await measure('page 100 of 1,000,000', rows.orders(100, '1,000,000'));
  }

  const pages = measured.filter(({ work }) => work.startsWith('page '));
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;
  console.log(`
${ratioTable(measured)}

${concurrencyTable(measured)}
${pages.length > 1 ? `\n${pageTable(pages)}\n` : ''}${options.only === '' ? `\n${engineTable(measureEngine())}\n` : ''}${furtherTables}
${disk}menu, cold: ${median(coldMenuMs).toFixed(1)} ms after a write (median of ${coldMenuCount})
start to ready, the second time: ${startsMs.length > 0 ? `${Math.round(median(startsMs))} ms` : 'not measured'} (target 5 s, goal 2 s)
server's resident memory: ${megabytes(idleBytes)} idle, ${megabytes(loadedBytes)} after load (target 250 MB, goal 200 MB)`);
}

async function benchReports(): Promise<void> {
  const organization = await makeBenchShop(dataDir);
  console.log(reportTable(await measureReports(dataDir, organization, Number(options.orders), note)));
}

async function benchReporting(): Promise<void> {
  const organization = await makeBenchShop(dataDir);
  const size = {
    rounds: rounds.count,
    ...{ sold: Number(options.sold), waiting: Number(options.waiting), receipts: Number(options.receipts) },
  };
  console.log(reportingTable(await measureReporting(dataDir, organization, size, note), size));
}

/** A whole catalog, new and then again, in ten parts: the last ones show what its size does to them. */
async function benchCatalog(): Promise<void> {
  const organization = await makeBenchShop(dataDir);
  const server = await ServerProcess.start(dataDir);
  undo.push(() => server.stop());
  console.log(batchTable(await measureBatches(server, organization, Number(options.products), 10, note)));
}

async function benchMove(): Promise<void> {
  const organization = await makeBenchShop(dataDir);
  const server = await ServerProcess.start(dataDir);
  undo.push(() => server.stop());
  const { adminConnection, ownerConnection } = connectEmbedded({ dataDir })!;
  const shop = await BenchDatabase.open(
    { ...adminConnection, database: ownerConnection.database },
    organization.id,
  );
  undo.push(() => shop.close());
  const size = { customers: Number(options.customers), sales: Number(options.sales) };
  console.log(moveTable(await measureMove(server, shop, organization, join(dataDir, 'files'), size, note)));
}

async function benchOrganizations(): Promise<void> {
  const measured = [];
  for (const count of [1, Number(options.organizations)])
    measured.push(await measureOrganizations(join(dataDir, String(count)), count, note));
  console.log(organizationsTable(measured));
}

async function benchSearches(): Promise<void> {
  const organization = await makeBenchShop(dataDir);
  console.log(searchTable(await measureSearches(dataDir, organization, Number(options.products), note)));
}

async function diskPart(...of: Parameters<typeof measureDisk>): Promise<string> {
  if (!'disk'.includes(options.only)) return '';
  note('disk …');
  return `${diskTable(await measureDisk(...of))}\n`;
}

/** Tables of what follows the feed of events, as far as they are asked for. */
async function measureTables(
  server: ServerProcess,
  shop: BenchDatabase,
  organization: DemoOrganization,
): Promise<string> {
  let tables = '';
  if ('waiting'.includes(options.only)) {
    note('waiting …');
    tables += `\n${waitingTable(await measureWaiting(server, shop, organization, rounds.count))}\n`;
  }
  if ('webhooks'.includes(options.only)) {
    note('webhooks …');
    tables += `\n${webhookTable(await measureWebhooks(server, shop, organization, rounds.count))}\n`;
  }
  if ('batches'.includes(options.only)) {
    note('batches …');
    tables += `\n${batchTable(await measureBatches(server, organization, 2_000, 1, note))}\n`;
  }
  if ('life'.includes(options.only)) {
    note('life …');
    tables += `\n${lifeTable(await measureLife(server, shop, organization))}\n`;
  }
  return tables;
}

/** Further shops, each with its keys. */
async function openOthers(admin: ConnectionConfig, organizations: readonly DemoOrganization[]) {
  const others: { readonly shop: BenchDatabase; readonly keys: DemoOrganization }[] = [];
  for (const keys of organizations) {
    const shop = await BenchDatabase.open(admin, keys.id);
    undo.push(() => shop.close());
    others.push({ shop, keys });
  }
  return others;
}

function note(message: string): void {
  console.error(message);
}
