import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connectEmbedded } from '../src/embedded-postgres/embedded-postgres.ts';
import { makeBenchShop } from './bench-shop.ts';
import { declaredEndpoints, type ListRequest, listRequests } from './list-requests.ts';
import { ListRows } from './list-rows.ts';
import { ServerProcess } from './server-process.ts';

/**
 * `npm run lists [-- --rows=1000000] [--only=text]`: measures the first page of every list of either audience, with
 * every filter and sort, with six thousand rows in each table and with a million. Fails and names the page if it
 * takes more than twice as long and five milliseconds longer. See README.md.
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    /** Only these tables grow past six thousand rows, separated by commas. */
    tables: { type: 'string', default: '' },
    /** Only pages with this text in their names. */
    only: { type: 'string', default: '' },
    /** Leaves the grown database running at the end, to look at plans. */
    hold: { type: 'boolean', default: false },
  },
});
const fewRows = 6_000;
const manyRows = Number(options.rows);
const tables = options.tables.split(',').filter((table) => table !== '');
const slackMs = 5;
/** The first requests prepare the statement and its generic plan. */
const warmUps = 6;
const timesMeasured = 15;
/** A slow page is measured as often as this time allows. */
const measuringMsMax = 3_000;

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
  // Without the worker, which would process all new rows meanwhile.
  const server = await ServerProcess.start(dataDir, { ROLES: 'api,menu' });
  undo.push(() => server.stop());
  const { adminConnection, ownerConnection } = connectEmbedded({ dataDir })!;
  const rows = await ListRows.open(
    { ...adminConnection, database: ownerConnection.database },
    organization.id,
  );
  undo.push(() => rows.close());
  const baseUrl = `http://127.0.0.1:${server.basePort}`;
  const headers = {
    staff: { authorization: `Bearer ${await signIn(baseUrl, organization.staff)}` },
    integrator: { 'x-consumer-key': organization.consumerKey, 'x-client-key': organization.clientKey },
  };
  const took = async ({ path, audience }: ListRequest): Promise<number> => {
    const startedAtMs = performance.now();
    const response = await fetch(baseUrl + path, { headers: headers[audience] as Record<string, string> });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`GET ${path} answers ${response.status}: ${text}`);
    return performance.now() - startedAtMs;
  };
  const measure = async (request: ListRequest): Promise<number> => {
    const untilMs = performance.now() + measuringMsMax;
    for (let at = 0; at < warmUps && performance.now() < untilMs; at++) await took(request);
    const times: number[] = [];
    while (times.length < timesMeasured && (times.length === 0 || performance.now() < untilMs)) {
      times.push(await took(request));
    }
    // The minimum: other load on the machine only adds to a time.
    return Math.min(...times);
  };

  await rows.growTo(fewRows, [], (table) => note(`${fewRows} rows: ${table} …`));
  const requests = (await listRequests(declaredEndpoints(), rows)).filter(({ name }) =>
    name.includes(options.only),
  );
  const before = new Map<string, number>();
  for (const request of requests) before.set(request.name, await measure(request));
  await rows.growTo(manyRows, tables, (table) => note(`${manyRows} rows: ${table} …`));

  const failed: string[] = [];
  console.log(
    `| first page of | ${fewRows.toLocaleString('en-US')} rows, ms | ${manyRows.toLocaleString('en-US')} rows, ms |`,
  );
  console.log('| --- | ---: | ---: |');
  for (const request of requests) {
    const { name } = request;
    const few = before.get(name)!;
    let many = await measure(request);
    const isSlowAt = (ms: number): boolean => ms > 2 * few + slackMs;
    if (isSlowAt(many)) many = Math.min(many, await measure(request));
    const isSlow = isSlowAt(many);
    if (isSlow) failed.push(name);
    console.log(`| ${name} | ${few.toFixed(1)} | ${many.toFixed(1)}${isSlow ? ' **slow**' : ''} |`);
  }
  if (options.hold) {
    note(`The database is in ${dataDir}; Ctrl-C ends.`);
    await new Promise((resolve) => process.once('SIGINT', resolve));
  }
  for (const [index, bytes] of await rows.indexSizes()) {
    if (bytes > 10_000_000) note(`${index}: ${Math.round(bytes / 1_000_000)} MB`);
  }
  console.log('');
  if (failed.length > 0) {
    process.exitCode = 1;
    console.log(
      `\nMore than twice as long, and ${slackMs} ms:\n${failed.map((name) => `- ${name}`).join('\n')}`,
    );
  }
}

/** Resolves to the token of a new session. */
async function signIn(baseUrl: string, staff: object): Promise<string> {
  const session = await fetch(`${baseUrl}/staff/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(staff),
  });
  const { data } = (await session.json()) as { data: { token: string } };
  return data.token;
}

function note(text: string): void {
  console.error(text);
}
