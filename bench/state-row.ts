import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { DemoOrganization } from '../seed/load-shop.ts';
import { externalNumber } from '../src/engines/state-reports/external-number.ts';
import { connectEmbedded } from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { seededKeys, seededLicenses } from '../src/hosting/state-server/seed-world.ts';
import { type BenchCart, BenchDatabase } from './bench-shop.ts';
import { ChildWorker } from './child-worker.ts';
import { allOf, median } from './closed-loop.ts';
import { ServerProcess } from './server-process.ts';
import { openStaffSession } from './staff-token.ts';
import type { CopiedReceipt, HeldPackage, StandInReply, StandInRequest } from './state-stand-in.ts';

const concurrency = 8;
/** Looking whether something is done costs the database, too. */
const lookEveryMs = 1_000;
/** Not counted: the runtime compiles hot code. */
const warmUpCount = 1_500;
/** How long the service is watched at rest. */
const idleMs = 20_000;
/** The year of a busy shop has 73,000. */
const receiptsADay = 200;
const stateLimits = '50/150/10/30';

/** How much is measured; 0 leaves a part out. */
export interface ReportingSize {
  readonly rounds: number;
  /** Orders of each part of a round. */
  readonly sold: number;
  /** Reports that wait. */
  readonly waiting: number;
  /** Receipts that are compared. */
  readonly receipts: number;
}

/** The processor's milliseconds of one order, of the service and of PostgreSQL together. */
interface MeasuredOrders {
  readonly without: number;
  /** Besides, in the requests of the order. */
  readonly written: number;
  /** Besides, by the worker: sending, and reading the receipt back. */
  readonly sent: number;
  readonly readBack: number;
}

export interface MeasuredBacklog {
  readonly seconds: number;
  readonly cpuMs: number;
  readonly refused: number;
  readonly megabytes: readonly number[];
}

export interface MeasuredYear {
  readonly cpuSeconds: number;
  readonly reads: number;
  readonly workSeconds: number;
  readonly megabytes: readonly number[];
}

/** What reporting to the state costs. */
export interface MeasuredReporting {
  readonly orders: MeasuredOrders;
  readonly backlog: MeasuredBacklog | null;
  readonly year: MeasuredYear | null;
}

// biome-ignore lint/suspicious/noExplicitAny: what the service answers
type Data = any;

interface Parts {
  readonly server: ServerProcess;
  readonly admin: Client;
  readonly organization: number;
  readonly state: ChildWorker<StandInRequest, StandInReply>;
  readonly note: (message: string) => void;
}

/**
 * What reporting costs: an order's life with and without it, by turns; a backlog of ten thousand; the comparison of a busy shop's year.
 * The state is a stand-in in a process of its own.
 */
export async function measureReporting(
  dataDir: string,
  { id: organization, ...keys }: DemoOrganization,
  size: ReportingSize,
  note: (message: string) => void,
): Promise<MeasuredReporting> {
  const state = new ChildWorker<StandInRequest, StandInReply>('state-stand-in.ts');
  const { url } = (await state.ask({ open: true })) as { url: string };
  const server = await ServerProcess.start(dataDir, { METRC_URL: url, METRC_VENDOR_KEY: seededKeys.vendor });
  const { adminConnection, ownerConnection } = connectEmbedded({ dataDir })!;
  const admin = new Client({ ...adminConnection, database: ownerConnection.database });
  await admin.connect();
  await admin.query(`select set_config('app.organization_id', $1, false)`, [String(organization)]);
  const shop = await BenchDatabase.open(
    { ...adminConnection, database: ownerConnection.database },
    organization,
  );
  const parts: Parts = { server, admin, organization, state, note };
  try {
    await state.ask({ packages: await packagesOf(parts) });
    const token = await openStaffSession(`http://127.0.0.1:${server.basePort}`, keys.staff);
    const seller = new Seller(server, token, keys, await shop.carts(), await shop.paymentTypeId());
    await shop.setStatusOnCreation('new');
    await seller.sell(warmUpCount);
    await seller.connect();
    note('the first comparison …');
    await until(parts, `select count(*) = 0 as done from state_lanes where packages_read_until is null`);
    await until(parts, `select count(*) = 1 as done from state_comparisons where state = 'done'`);
    const orders = await measureOrders(parts, seller, size);
    note(`${JSON.stringify(orders)}; ${size.waiting} waiting reports …`);
    const backlog = size.waiting === 0 ? null : await measureBacklog(parts, size.waiting);
    note(`${JSON.stringify(backlog)}; ${size.receipts} receipts …`);
    const year = size.receipts === 0 ? null : await measureYear(parts, size.receipts);
    return { orders, backlog, year };
  } finally {
    await shop.close();
    await admin.end();
    await server.stop();
    state.stop();
  }
}

/** Sells over HTTP as a shop does. */
class Seller {
  readonly #base: string;
  readonly #staff: Readonly<Record<string, string>>;
  readonly #integrator: Readonly<Record<string, string>>;
  readonly #carts: readonly BenchCart[];
  readonly #paymentTypeId: number;
  #connection: Data;
  #sold = 0;

  constructor(
    server: ServerProcess,
    token: string,
    { consumerKey, clientKey }: Omit<DemoOrganization, 'id'>,
    carts: readonly BenchCart[],
    paymentTypeId: number,
  ) {
    this.#base = `http://127.0.0.1:${server.basePort}`;
    this.#staff = { authorization: `Bearer ${token}` };
    this.#integrator = { 'x-consumer-key': consumerKey, 'x-client-key': clientKey };
    this.#carts = carts;
    this.#paymentTypeId = paymentTypeId;
  }

  /** Orders from placing to the hand-over. */
  async sell(count: number): Promise<void> {
    await allOf(count, concurrency, async () => {
      const cart = this.#carts[this.#sold++ % this.#carts.length]!;
      const { id } = await this.#ask('POST', '/api/v1/orders', this.#integrator, {
        ...{ type: 'pickup', ...cart, idempotencyKey: randomUUID() },
        payments: [{ paymentTypeId: this.#paymentTypeId, remaining: true }],
      });
      for (const action of ['pack', 'fulfill']) {
        await this.#ask('POST', `/staff/v1/orders/${id}/${action}`, this.#staff, {});
      }
    });
  }

  /** Connects the license of the shop to the state. */
  async connect(): Promise<void> {
    this.#connection = await this.#ask('POST', '/staff/v1/state-connections', this.#staff, {
      ...{ inventoryLocationId: null, state: 'CA', isSandbox: false, licenseNumber: seededLicenses[0] },
      ...{ userKey: seededKeys.user, isOn: true },
    });
  }

  /** Whether sales are reported from now on. */
  async report(isOn: boolean): Promise<void> {
    const { id, state, isSandbox, licenseNumber } = this.#connection;
    const body = { state, isSandbox, licenseNumber, adjustmentReason: null, isOn };
    await this.#ask('PUT', `/staff/v1/state-connections/${id}`, this.#staff, body);
    // A process keeps for a second what it knows of connections.
    await delay(1_100);
  }

  async #ask(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: object,
  ): Promise<Data> {
    const response = await fetch(this.#base + path, {
      ...{ method, headers: { 'content-type': 'application/json', ...headers } },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: Data }).data;
  }
}

/** Rounds of orders that are not reported, that are, and the work of the worker after these. */
async function measureOrders(
  parts: Parts,
  seller: Seller,
  { rounds, sold }: ReportingSize,
): Promise<MeasuredOrders> {
  const measured: MeasuredOrders[] = [];
  // What the service does every second anyway is none of an order's cost.
  const startMs = performance.now();
  const idleSeconds = await cost(parts, () => delay(idleMs));
  const idleShare = (idleSeconds * 1_000) / (performance.now() - startMs);
  const above = async (work: () => Promise<unknown>): Promise<number> => {
    const beganMs = performance.now();
    const seconds = await cost(parts, work);
    return seconds - (idleShare * (performance.now() - beganMs)) / 1_000;
  };
  for (let round = 0; round <= rounds; round += 1) {
    parts.note(`orders, round ${round} …`);
    await seller.report(false);
    const without = await above(() => seller.sell(sold));
    await seller.report(true);
    await keepWorkerAway(parts, true);
    const together = await above(() => seller.sell(sold));
    const sent = await above(async () => {
      await keepWorkerAway(parts, false);
      await until(parts, nothingOpen);
    });
    const readBack = await above(() => readAllBack(parts));
    const of = (seconds: number): number => (seconds * 1_000) / sold;
    measured.push({
      ...{ without: of(without), written: of(together - without), sent: of(sent), readBack: of(readBack) },
    });
  }
  // The first round warms up.
  const kept = measured.slice(1);
  const middle = (name: keyof MeasuredOrders): number => median(kept.map((it) => it[name]));
  return {
    ...{ without: middle('without'), written: middle('written') },
    ...{ sent: middle('sent'), readBack: middle('readBack') },
  };
}

const nothingOpen = `select count(*) = 0 as done from state_reports where state in ('waiting', 'sending', 'unknown')`;
const allReadBack = `select not exists (select from state_reports p where state = 'accepted' and state_record_id is not null
    and not exists (select from state_receipts r where r.organization_id = p.organization_id
      and r.connection_id = p.connection_id and r.state_record_id = p.state_record_id)) as done`;

/** Has the receipts of all reports read, as every five minutes. */
async function readAllBack(parts: Parts): Promise<void> {
  await parts.admin.query(
    `update state_lanes set receipts_read_until = receipts_read_until - interval '5 minutes'`,
  );
  // Again and again: a turn that is ending says when the next one is.
  await until(parts, allReadBack, 'update state_lanes set next_at = now()');
}

/** Another worker seems to have the license, or leaves it. */
async function keepWorkerAway({ admin }: Parts, isAway: boolean): Promise<void> {
  await admin.query(
    isAway
      ? `update state_lanes set worker = 'bench', leased_until = now() + interval '1 hour', next_at = now() + interval '1 hour'`
      : `update state_lanes set worker = null, leased_until = now(), next_at = now()`,
  );
}

/** Reports that wait, at the limits that the state's interface had last, for writes as well. */
async function measureBacklog(parts: Parts, waitingCount: number): Promise<MeasuredBacklog> {
  const { admin, state, server } = parts;
  await keepWorkerAway(parts, true);
  await state.ask({ limits: stateLimits, limitsWrites: true });
  const numbers = Array.from({ length: waitingCount }, (_, at) => externalNumber(700_000_000 + at, 1));
  await admin.query(
    `insert into state_reports (organization_id, id, connection_id, kind, order_id, order_number, revision, external_number,
            payload, digest, packages, state, next_at, occurred_at, alarm_at, created_at, updated_at)
     select p.organization_id, 900000000000 + n, p.connection_id, 'sale', gen_random_uuid(), 700000000 + n, 1, number, p.payload,
            p.digest, p.packages, 'waiting', now(), now(), now() + interval '1 day', now(), now()
       from unnest($1::text[]) with ordinality as w(number, n)
       join (select *, row_number() over (order by id) - 1 as place from state_reports where state = 'accepted') as p
         on p.place = n % (select count(*) from state_reports where state = 'accepted')`,
    [numbers],
  );
  await admin.query('analyze state_reports');
  const megabytes = [await megabytesOf(server)];
  const startMs = performance.now();
  const before = await server.usage();
  await keepWorkerAway(parts, false);
  for (const share of [1 / 4, 1 / 2, 3 / 4, 1]) {
    const left = Math.round(waitingCount * (1 - share));
    await until(parts, nothingOpen.replace('= 0', `<= ${left}`));
    megabytes.push(await megabytesOf(server));
  }
  const seconds = (performance.now() - startMs) / 1_000;
  const after = await server.usage();
  const { rows } = await admin.query<{ refused: number }>(
    `select count(*)::int as refused from state_report_steps where state = 'waiting' and report_id > 900000000000`,
  );
  return {
    ...{ seconds, megabytes, refused: rows[0]!.refused },
    cpuMs: (secondsBetween(before, after) * 1_000) / waitingCount,
  };
}

/** A year of receipts at both sides, compared as at night, at the state's limits. */
async function measureYear(parts: Parts, receiptCount: number): Promise<MeasuredYear> {
  const { admin, state, server } = parts;
  // What the backlog has sent is no part of the year.
  await readAllBack(parts);
  await keepWorkerAway(parts, true);
  const { rows: known } = await admin.query<{ count: number }>(
    `select count(*)::int as count from state_receipts where not is_void`,
  );
  const count = receiptCount - known[0]!.count;
  const numbers = Array.from({ length: count }, (_, at) => externalNumber(800_000_000 + at, 1));
  const { copies } = (await state.ask({ copies: numbers, days: receiptCount / receiptsADay })) as {
    copies: readonly CopiedReceipt[];
  };
  for (let at = 0; at < copies.length; at += 5_000) {
    await admin.query(copiesHere, [JSON.stringify(copies.slice(at, at + 5_000))]);
  }
  await admin.query('vacuum analyze state_reports, state_receipts');
  await admin.query(
    `update state_comparisons set created_at = created_at - interval '2 days';
     update state_lanes set receipts_read_until = now(), packages_read_until = now()`,
  );
  const megabytes = [await megabytesOf(server)];
  const cpuSeconds = await cost(parts, async () => {
    await keepWorkerAway(parts, false);
    await until(
      parts,
      `select bool_or(read_until > created_at - interval '${receiptCount / receiptsADay / 2} days') as done from state_comparisons where created_at > now() - interval '1 day'`,
    );
    megabytes.push(await megabytesOf(server));
    await until(parts, `select bool_and(state = 'done') and count(*) = 2 as done from state_comparisons`);
  });
  megabytes.push(await megabytesOf(server));
  const { rows } = await admin.query<{ calls: number; work_ms: number; receipts: number }>(
    'select calls, work_ms::int, receipts from state_comparisons order by id desc limit 1',
  );
  const { calls: reads, work_ms: workMs, receipts } = rows[0]!;
  if (receipts < receiptCount) throw new Error(`only ${receipts} receipts were compared`);
  return { cpuSeconds, reads, workSeconds: workMs / 1_000, megabytes };
}

/** The same receipts as they are kept here, with reports that were accepted. */
const copiesHere = `
  with r as (
    select * from jsonb_to_recordset($1::jsonb) as r(id bigint, number text, at timestamptz, modified timestamptz)
  ), k as (
    select k.*, r.at, r.modified, r.id as record, r.number
      from r, (select p.* from state_reports p join state_receipts y on y.connection_id = p.connection_id
              and y.state_record_id = p.state_record_id and y.lines is not null
             where p.state = 'accepted' order by p.state_record_id desc limit 1) as k
  ), receipts as (
    insert into state_receipts (organization_id, connection_id, state_record_id, external_number, is_void, is_final, total_cents,
           lines, last_modified, read_at)
    select k.organization_id, k.connection_id, k.record, k.number, false, false, x.total_cents, x.lines, k.modified, k.at
      from k join state_receipts x on x.connection_id = k.connection_id and x.state_record_id = k.state_record_id
  )
  insert into state_reports (organization_id, id, connection_id, kind, order_id, order_number, revision, external_number, payload,
         digest, packages, state, next_at, sent_at, state_record_id, occurred_at, alarm_at, settled_at, created_at, updated_at, attempts)
  select organization_id, 1000000000000 + record, connection_id, 'sale', gen_random_uuid(), 800000000, 1, number, payload, digest,
         packages, 'accepted', at, at, record, at, at, at, at, at, 1 from k`;

/** What the shop has, as the state is to have it. */
async function packagesOf({ admin, organization }: Parts): Promise<HeldPackage[]> {
  const { rows } = await admin.query<HeldPackage>(
    `select k.label, k.unit, round(sum(b.on_hand / k.multiplier), 4)::float8 as quantity
       from packages k join stock_balances b on b.organization_id = $1 and b.package_id = k.id
      where k.organization_id = $1 group by k.id, k.label, k.unit, k.multiplier`,
    [organization],
  );
  return rows;
}

/** Resolves when the statement answers that it is done. */
async function until({ admin }: Parts, text: string, meanwhile = ''): Promise<void> {
  for (;;) {
    if (meanwhile !== '') await admin.query(meanwhile);
    const { rows } = await admin.query<{ done: boolean | null }>(text);
    if (rows[0]!.done === true) return;
    await delay(lookEveryMs);
  }
}

/** The processor's seconds of the service and of PostgreSQL for some work. */
async function cost({ server }: Parts, work: () => Promise<unknown>): Promise<number> {
  const before = await server.usage();
  await work();
  return secondsBetween(before, await server.usage());
}

type Usage = Awaited<ReturnType<ServerProcess['usage']>>;

function secondsBetween(before: Usage, after: Usage): number {
  return (
    after.serverCpuSeconds - before.serverCpuSeconds + after.databaseCpuSeconds - before.databaseCpuSeconds
  );
}

async function megabytesOf(server: ServerProcess): Promise<number> {
  return Math.round((await server.usage()).serverResidentBytes / 1_048_576);
}
