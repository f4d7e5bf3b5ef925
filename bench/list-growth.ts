import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connectEmbedded } from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { makeBenchShop } from './bench-shop.ts';
import { checksummedTables, reportChecksums } from './checksum-times.ts';
import { declaredEndpoints, type ListRequest, listRequests } from './list-requests.ts';
import { ListRows } from './list-rows.ts';
import { PagePlans } from './page-plans.ts';
import { type PageCost, PageTimes } from './page-times.ts';
import { ServerProcess } from './server-process.ts';
import { openStaffSession } from './staff-token.ts';

/**
 * `npm run lists [-- --rows=1000000] [--only=text]`: measures the first page of every list of either audience, with
 * every filter and sort and each pair of them, with six thousand rows in each table and with a million. Fails and names the
 * page if it takes more than twice as long and five milliseconds longer, or reads more than twice as many blocks and
 * two hundred more. Then measures the checksums of these million rows. See README.md.
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    /** Only these tables grow past six thousand rows, separated by commas. */
    tables: { type: 'string', default: '' },
    /** Only pages with one of these texts in their names, separated by commas. */
    only: { type: 'string', default: '' },
    /** Only checksums, and no pages. */
    checksums: { type: 'boolean', default: false },
    /** Leaves the grown database running at the end, to look at plans. */
    hold: { type: 'boolean', default: false },
  },
});
const fewRows = 6_000;
const manyRows = Number(options.rows);
const namedTables = options.tables.split(',').filter((table) => table !== '');
const tables = options.checksums ? checksummedTables : namedTables;
const hasChecksums = options.checksums || (options.only === '' && namedTables.length === 0);
const slackMs = 5;
const slackBlocks = 200;
interface Measured extends ListRequest {
  readonly few: PageCost;
}

const dataDir = mkdtempSync(join(tmpdir(), 'dispensary-lists-'));
const undo: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true })];
try {
  await measureGrowth();
} finally {
  for (const step of undo.reverse()) await step();
}

async function measureGrowth(): Promise<void> {
  note('making the shop …');
  const organization = await makeBenchShop(dataDir);
  const first = await ServerProcess.start(dataDir);
  const { adminConnection } = connectEmbedded({ dataDir })!;
  await PagePlans.prepare(adminConnection);
  await first.stop();
  // Without the worker, which would process all new rows meanwhile.
  const server = await ServerProcess.start(dataDir, { ROLES: 'api,menu' });
  undo.push(() => server.stop());
  const { adminConnection: running, ownerConnection } = connectEmbedded({ dataDir })!;
  const connection = { ...running, database: ownerConnection.database };
  const rows = await ListRows.open(connection, organization);
  undo.push(() => rows.close());
  const plans = await PagePlans.open(running, dataDir);
  undo.push(() => plans.close());
  const baseUrl = `http://127.0.0.1:${server.basePort}`;
  const headers: Record<ListRequest['audience'], Record<string, string>> = {
    staff: { authorization: `Bearer ${await openStaffSession(baseUrl, organization.staff)}` },
    integrator: { 'x-consumer-key': organization.consumerKey, 'x-client-key': organization.clientKey },
  };
  const pages = new PageTimes(plans, ({ path, audience }) =>
    fetch(baseUrl + path, { headers: headers[audience] }),
  );

  await rows.growTo(fewRows, [], (table) => note(`${fewRows} rows: ${table} …`));
  const requests = (await listRequests(declaredEndpoints(), rows)).filter(
    ({ name }) => !options.checksums && options.only.split(',').some((text) => name.includes(text)),
  );
  note(`${requests.length} pages …`);
  const measured: Measured[] = [];
  for (const [request, few] of await pages.costs(requests)) {
    if (few !== null) measured.push({ ...request, few });
  }
  await rows.growTo(manyRows, tables, (table) => note(`${manyRows} rows: ${table} …`));
  note(`${measured.length} pages …`);
  if (measured.length > 0) await reportGrowth(pages, measured);
  if (hasChecksums) {
    await reportChecksums({
      connection,
      organizationId: organization.id,
      rowCount: manyRows,
      get: async (path) => {
        const response = await fetch(baseUrl + path, { headers: headers.integrator });
        const text = await response.text();
        if (response.status !== 200) throw new Error(`GET ${path} answers ${response.status}: ${text}`);
        return (JSON.parse(text) as { data: unknown }).data;
      },
    });
  }
  if (options.hold) {
    note(`The database is in ${dataDir}; Ctrl-C ends.`);
    await new Promise((resolve) => process.once('SIGINT', resolve));
  }
  for (const [index, bytes] of await rows.indexSizes()) {
    if (bytes > 10_000_000) note(`${index}: ${Math.round(bytes / 1_000_000)} MB`);
  }
}

/** Prints the table; a page that grew is an exit code of 1. */
async function reportGrowth(pages: PageTimes, requests: readonly Measured[]): Promise<void> {
  const [few, many] = [fewRows, manyRows].map((count) => count.toLocaleString('en-US'));
  console.log(`| first page of | ${few} rows, ms | ${many} rows, ms | ratio | blocks | blocks | |`);
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | --- |');
  const failed: string[] = [];
  const costs = new Map((await pages.costs(requests)).map(([{ name }, cost]) => [name, cost!]));
  for (const request of requests) {
    const before = request.few;
    const after = costs.get(request.name)!;
    const isLater = (ms: number): boolean => ms > 2 * before.ms + slackMs;
    const ms = isLater(after.ms) ? Math.min(after.ms, (await pages.leastMs(request))!) : after.ms;
    const grew = [
      ...(isLater(ms) ? ['slow'] : []),
      ...(after.blocks > 2 * before.blocks + slackBlocks ? ['reads more'] : []),
    ].join(', ');
    if (grew !== '') failed.push(`${request.name}: ${grew}`);
    const ratio = (ms / before.ms).toFixed(1);
    console.log(
      `| ${request.name} | ${before.ms.toFixed(1)} | ${ms.toFixed(1)} | ${ratio} | ${before.blocks} | ${after.blocks} | ${grew && `**${grew}**`} |`,
    );
  }
  console.log(`\n${requests.length} pages, ${failed.length} of them grew.`);
  if (failed.length === 0) return;
  process.exitCode = 1;
  console.log(
    `More than twice as long and ${slackMs} ms, or twice as many blocks and ${slackBlocks}:\n${failed.map((name) => `- ${name}`).join('\n')}`,
  );
}

function note(text: string): void {
  console.error(text);
}
