import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { DemoOrganization } from '../seed/load-shop.ts';
import {
  connectEmbedded,
  startEmbeddedPostgres,
} from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { organizationId } from '../src/kernel/ids.ts';
import { patientDeadlines } from '../src/platform/connections/deadlines.ts';
import { Database } from '../src/platform/database/database.ts';
import { bringReportSumsUpToDate } from '../src/shop/reports/reports.ts';
import { median } from './closed-loop.ts';
import { table } from './result-tables.ts';
import { ServerProcess } from './server-process.ts';
import { openStaffSession } from './staff-token.ts';

/** Sales that are not in the sums yet: those of half a minute of a very busy shop. */
const waitingCount = 500;
const timesMeasured = 15;
/** The report of a year has to be there after this time. */
const targetMs = 300;

/** The report of a year. */
interface MeasuredReport {
  readonly name: string;
  readonly rows: number;
  readonly ms: number;
  readonly databaseCpuMs: number;
  /** With changes that are not in the sums. */
  readonly waitingMs: number;
  readonly waitingCpuMs: number;
}

/** What was measured, and how long the sums took. */
interface MeasuredReports {
  readonly orderCount: number;
  readonly reports: readonly MeasuredReport[];
  readonly countedSeconds: number;
  readonly sumsMegabytes: number;
}

const copiedTables = [
  ...['order_line_items', 'order_taxes', 'order_payments', 'order_adjustments', 'order_credits'],
  ...['order_returns', 'order_return_lines', 'order_return_taxes'],
];

/**
 * Copies the sales of a shop over a year up to that number, with their lines, taxes, payments and returns, makes their sums as
 * the worker does, and reads the reports of the year over HTTP.
 */
export async function measureReports(
  dataDir: string,
  organization: DemoOrganization,
  orderCount: number,
  note: (message: string) => void,
): Promise<MeasuredReports> {
  const { countedSeconds, sumsMegabytes } = await fillShop(dataDir, organization, orderCount, note);
  // Without the worker, which would take the waiting changes away.
  const server = await ServerProcess.start(dataDir, { ROLES: 'api,menu' });
  const admin = await openAdmin(dataDir, organization);
  try {
    const baseUrl = `http://127.0.0.1:${server.basePort}`;
    const headers = { authorization: `Bearer ${await openStaffSession(baseUrl, organization.staff)}` };
    const { rows: days } = await admin.query<{ from: string; to: string }>(
      `select (now() - interval '365 days')::date::text as "from", now()::date::text as "to"`,
    );
    const read = async (path: string) => {
      const response = await fetch(`${baseUrl}/staff/v1/reports/${path}`, { headers });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`GET ${path} answers ${response.status}: ${text}`);
      return JSON.parse(text).data as { readonly rows: readonly unknown[]; readonly total: object };
    };
    const cost = async (path: string) => {
      const { rows, total } = await read(path);
      for (let warmUp = 0; warmUp < 6; warmUp += 1) await read(path);
      const times: number[] = [];
      const before = await server.usage();
      while (times.length < timesMeasured) {
        const startedAtMs = performance.now();
        await read(path);
        times.push(performance.now() - startedAtMs);
      }
      const cpuSeconds = (await server.usage()).databaseCpuSeconds - before.databaseCpuSeconds;
      return { ms: median(times), cpuMs: (cpuSeconds * 1000) / timesMeasured, rows: rows.length, total };
    };
    const range = `from=${days[0]!.from}&to=${days[0]!.to}`;
    const groups = ['day', 'hour', 'category', 'product', 'type', 'source', 'payment', 'staff'];
    const paths = [...groups.map((by) => `sales?${range}&by=${by}`), `taxes?${range}`];
    const quiet = new Map<string, Awaited<ReturnType<typeof cost>>>();
    for (const path of paths) quiet.set(path, await cost(path));
    note(`${waitingCount} changes …`);
    await noteChanges(admin);
    const reports: MeasuredReport[] = [];
    for (const path of paths) {
      const { ms, cpuMs, rows, total } = quiet.get(path)!;
      const waiting = await cost(path);
      if (JSON.stringify(waiting.total) !== JSON.stringify(total)) {
        throw new Error(`${path}: ${JSON.stringify(waiting.total)} instead of ${JSON.stringify(total)}`);
      }
      const name = path.replace(`${range}&`, '').replace(`?${range}`, '').replace('?', ' ').replace('=', ' ');
      reports.push({
        name,
        rows,
        ms,
        databaseCpuMs: cpuMs,
        waitingMs: waiting.ms,
        waitingCpuMs: waiting.cpuMs,
      });
    }
    return { orderCount, reports, countedSeconds, sumsMegabytes };
  } finally {
    await admin.end();
    await server.stop();
  }
}

/** The result, as Markdown. */
export function reportTable({ orderCount, reports, countedSeconds, sumsMegabytes }: MeasuredReports): string {
  const shown = (ms: number): string => ms.toFixed(1);
  const count = orderCount.toLocaleString('en-US');
  return `${table(
    [
      `a year of ${count} orders`,
      'rows',
      'ms',
      'database CPU ms',
      `with ${waitingCount} changes, ms`,
      'database CPU ms',
    ],
    reports.map(({ name, rows, ms, databaseCpuMs, waitingMs, waitingCpuMs }) => [
      `${name}${ms > targetMs ? ' −' : ''}`,
      String(rows),
      ...[ms, databaseCpuMs, waitingMs, waitingCpuMs].map(shown),
    ]),
  )}

Target: ${targetMs} ms. The sums of these orders were made in ${countedSeconds.toFixed(0)} s, and take ${sumsMegabytes.toFixed(0)} MB.`;
}

async function openAdmin(dataDir: string, organization: DemoOrganization): Promise<Client> {
  const { adminConnection, ownerConnection } = connectEmbedded({ dataDir })!;
  const admin = new Client({ ...adminConnection, database: ownerConnection.database });
  await admin.connect();
  await admin.query(`select set_config('app.organization_id', $1, false)`, [String(organization.id)]);
  return admin;
}

async function fillShop(
  dataDir: string,
  organization: DemoOrganization,
  orderCount: number,
  note: (message: string) => void,
) {
  const postgres = await startEmbeddedPostgres({ dataDir, onProgress: () => {} });
  const admin = await openAdmin(dataDir, organization);
  const database = new Database(postgres.servingConnection, 2, undefined, patientDeadlines);
  try {
    note(`copying sales up to ${orderCount.toLocaleString('en-US')} …`);
    await copySales(admin, organization.id, orderCount);
    note('making their sums …');
    const startedAtMs = performance.now();
    const isComplete = async (): Promise<boolean> => {
      const { rows } = await admin.query(
        `select from book_states where counted_from = '-infinity' and organization_id = $1`,
        [organization.id],
      );
      return rows.length > 0;
    };
    const context = { database, randomBytes };
    while (!(await isComplete())) await bringReportSumsUpToDate(context, organizationId(organization.id));
    const countedSeconds = (performance.now() - startedAtMs) / 1000;
    // As autovacuum does.
    await admin.query('vacuum analyze');
    const { rows } = await admin.query<{ bytes: string }>(
      `select pg_total_relation_size('book_sums') + pg_total_relation_size('book_taxes') as bytes`,
    );
    return { countedSeconds, sumsMegabytes: Number(rows[0]!.bytes) / 1_000_000 };
  } finally {
    await database.close();
    await admin.end();
    await postgres.stop();
  }
}

/** Evenly over the year, at the hours of the sales that are copied; without triggers and checks. */
async function copySales(admin: Client, organization: number, orderCount: number): Promise<void> {
  await admin.query('set session_replication_role = replica');
  await admin.query('set synchronous_commit = off');
  await admin.query(
    `create temp table sold as
     select id, fulfilled_at, row_number() over () as place
       from orders where organization_id = ${organization} and status = 'fulfilled'`,
  );
  const { rows } = await admin.query<{ number: string }>('select count(*) as number from sold');
  await admin.query('analyze sold');
  await admin.query(
    `create temp table copies as
     select s.id as template, n, uuidv7(at - clock_timestamp()) as id, at
       from generate_series(1, ${orderCount}) n join sold s on s.place = n % ${rows[0]!.number} + 1,
            lateral (select date_trunc('day', now()) - (1 + n * 364 / ${orderCount}) * interval '1 day'
                            + (s.fulfilled_at - date_trunc('day', s.fulfilled_at)) as at) t`,
  );
  await admin.query('create index on copies (template)');
  await admin.query('analyze copies');
  const id = '1000000000::bigint * c.n';
  await copyRows(admin, organization, 'orders', 't.id = c.template', {
    ...{ id: 'c.id', number: `5000000000 + c.n`, document: `''`, idempotency_key: 'null' },
    ...{ created_at: 'c.at', updated_at: 'c.at', fulfilled_at: 'c.at', packed_at: 'c.at' },
  });
  for (const name of copiedTables) {
    const isOfReturn = name === 'order_return_taxes';
    await copyRows(
      admin,
      organization,
      isOfReturn ? `${name} t join order_returns r using (organization_id)` : name,
      isOfReturn ? 'r.id = t.order_return_id and r.order_id = c.template' : 't.order_id = c.template',
      {
        order_id: 'c.id',
        id: `t.id + ${id}`,
        order_return_id: `t.order_return_id + ${id}`,
        order_line_item_id: `t.order_line_item_id + ${id}`,
        ...{ idempotency_key: 'null', document: `''`, customer_credit_id: 't.customer_credit_id' },
      },
    );
  }
  await admin.query('set session_replication_role = origin');
  await admin.query('set synchronous_commit = on');
  await admin.query('vacuum analyze');
}

async function copyRows(
  admin: Client,
  organization: number,
  source: string,
  condition: string,
  changed: Readonly<Record<string, string>>,
): Promise<void> {
  const [name] = source.split(' ');
  const { rows } = await admin.query<{ column: string }>(
    `select quote_ident(attname) as column from pg_attribute
      where attrelid = '${name}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  const columns = rows.map(({ column }) => column);
  await admin.query(
    `insert into ${name} (${columns.join(', ')})
     select ${columns.map((column) => (column === 'organization_id' ? organization : (changed[column] ?? `t.${column}`))).join(', ')}
       from copies c, ${source.includes(' ') ? source : `${name} t`}
      where t.organization_id = ${organization} and ${condition}`,
  );
}

/** As if the latest sales had come since the sums: a reader counts them beside the sums, which have them as well. */
async function noteChanges(admin: Client): Promise<void> {
  await admin.query(
    `insert into book_changes (organization_id, order_id, at, fulfilled_at, voids)
     select o.organization_id, o.id, o.fulfilled_at, o.fulfilled_at, false
       from orders o where o.organization_id = current_organization_id() and o.status = 'fulfilled'
      order by o.fulfilled_at desc limit ${waitingCount}`,
  );
}
