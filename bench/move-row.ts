import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DemoOrganization } from '../seed/load-shop.ts';
import type { BenchDatabase } from './bench-shop.ts';
import { table } from './result-tables.ts';
import type { ServerProcess } from './server-process.ts';
import { openStaffSession } from './staff-token.ts';

/* A shop moves in: its customers and the tickets of some years come through the service, in files as large as it takes. */

const fileBytesMax = 24 * 1_048_576;
const dayMs = 86_400_000;
const historyDays = 900;
/** Longer than this, other requests wait. */
const probeEveryMs = 20;
const targetSeconds = 600;

/** A part of a move: how long it took, and what of it the processors worked. */
interface MovedPart {
  readonly name: string;
  readonly rows: number;
  readonly seconds: number;
  readonly serverCpuSeconds: number;
  readonly databaseCpuSeconds: number;
  /** Resident memory of the server at the start, in the middle and at the end; and its peak. */
  readonly megabytes: readonly number[];
  /** What the server holds after a forced collection before the part, within its last file, and after it. */
  readonly heldMegabytes: readonly number[];
  /** The longest time that another request took meanwhile. */
  readonly longestWaitMs: number;
}

/** Moves that many customers and tickets of about two and a half lines each. */
export async function measureMove(
  server: ServerProcess,
  shop: BenchDatabase,
  { staff }: DemoOrganization,
  folder: string,
  size: { readonly customers: number; readonly sales: number },
  note: (message: string) => void,
): Promise<readonly MovedPart[]> {
  mkdirSync(folder, { recursive: true });
  const baseUrl = `http://127.0.0.1:${server.basePort}`;
  const authorization = `Bearer ${await openStaffSession(baseUrl, staff)}`;
  const ask = async (method: string, path: string, body?: string | Buffer) => {
    const response = await fetch(`${baseUrl}/staff/v1/move${path}`, {
      method,
      headers: {
        authorization,
        'idempotency-key': crypto.randomUUID(),
        'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
      },
      ...(body !== undefined && { body }),
    });
    const { data, error } = (await response.json()) as { data: ShownMove; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method} ${path} is answered with ${error.message}`);
    return data;
  };
  await ask('POST', '', JSON.stringify({ till: 'Corner till' }));
  const goods = await shop.productNames();
  const parts: MovedPart[] = [];
  const move = async (kind: string, paths: readonly string[], rows: number) => {
    note(`moving ${rows.toLocaleString('en-US')} ${kind} in ${paths.length} files …`);
    const held = [await server.heldBytes()];
    const watch = new Watch(server, baseUrl);
    for (const path of paths) {
      let isWithin = false;
      const name = path.slice(folder.length + 1);
      const { id } = await ask('POST', `/files?kind=${kind}&fileName=${name}`, readFileSync(path));
      await ask('POST', `/files/${id}/runs`, JSON.stringify({ dryRun: false }));
      for (;;) {
        await pause(500);
        // A busy machine may refuse to answer for a moment.
        const move = await ask('GET', '').catch(() => null);
        if (move === null) continue;
        const { status, refused, failure, progress } = move.uploads.find((upload) => upload.name === name)!;
        if (status === 'failed' || refused > 0) throw new Error(`${name}: ${refused} refused, ${failure}`);
        if (status === 'done') break;
        if (!isWithin && path === paths.at(-1) && progress >= 50) {
          isWithin = true;
          held.push(await server.heldBytes());
        }
      }
    }
    const watched = await watch.end();
    held.push(await server.heldBytes());
    parts.push({
      name: `${kind} in ${paths.length} files`,
      rows,
      ...watched,
      heldMegabytes: held.map((bytes) => bytes / 1_048_576),
    });
  };
  await move('customers', [writeCustomers(folder, size.customers)], size.customers);
  await move('sales', writeSales(folder, size, goods), size.sales);
  return parts;
}

/** The result, as Markdown. */
export function moveTable(parts: readonly MovedPart[]): string {
  const sum = (of: (part: MovedPart) => number) => parts.reduce((total, part) => total + of(part), 0);
  const cells = (name: string, part: Omit<MovedPart, 'name'>) => [
    name,
    part.rows.toLocaleString('en-US'),
    ...[part.seconds, part.serverCpuSeconds, part.databaseCpuSeconds].map((value) => value.toFixed(0)),
    part.megabytes.map((value) => value.toFixed(0)).join(', '),
    part.heldMegabytes.map((value) => value.toFixed(1)).join(', '),
    part.longestWaitMs.toFixed(0),
  ];
  const all = {
    ...{ rows: sum(({ rows }) => rows), seconds: sum(({ seconds }) => seconds) },
    serverCpuSeconds: sum(({ serverCpuSeconds }) => serverCpuSeconds),
    databaseCpuSeconds: sum(({ databaseCpuSeconds }) => databaseCpuSeconds),
    ...{ megabytes: [], heldMegabytes: [] },
    longestWaitMs: Math.max(...parts.map(({ longestWaitMs }) => longestWaitMs)),
  };
  return `${table(
    [
      ...['a move of', 'rows', 's', 'server CPU s', 'database CPU s'],
      ...['server MB: start, middle, end, peak', 'held MB: start, within, end'],
      'longest other request, ms',
    ],
    [...parts.map((part) => cells(part.name, part)), cells('all', all)],
  )}

Target: ${targetSeconds} s on two cores, ${2 * targetSeconds} s of processor.`;
}

/** Samples the server, and sends it a light request all the time. */
class Watch {
  readonly #server: ServerProcess;
  readonly #baseUrl: string;
  readonly #startedAtMs = performance.now();
  readonly #before: ReturnType<ServerProcess['usage']>;
  readonly #megabytes: number[] = [];
  readonly #running: Promise<unknown>;
  #isOver = false;
  #longestWaitMs = 0;

  constructor(server: ServerProcess, baseUrl: string) {
    this.#server = server;
    this.#baseUrl = baseUrl;
    this.#before = server.usage();
    this.#running = Promise.all([this.#sample(), this.#probe()]);
  }

  async #sample(): Promise<void> {
    while (!this.#isOver) {
      // A sample less is no harm: a machine that stands still for seconds ends the kept connection.
      const usage = await this.#server.usage().catch(() => null);
      if (usage !== null) this.#megabytes.push(usage.serverResidentBytes / 1_048_576);
      await pause(500);
    }
  }

  async #probe(): Promise<void> {
    while (!this.#isOver) {
      const sentAtMs = performance.now();
      const answered = await fetch(`${this.#baseUrl}/healthz`).then(
        (reply) => reply.arrayBuffer(),
        () => null,
      );
      if (answered === null) continue;
      this.#longestWaitMs = Math.max(this.#longestWaitMs, performance.now() - sentAtMs);
      await pause(probeEveryMs);
    }
  }

  async end(): Promise<Omit<MovedPart, 'name' | 'rows' | 'heldMegabytes'>> {
    this.#isOver = true;
    await this.#running;
    const [before, after] = [await this.#before, await this.#server.usage()];
    const all = this.#megabytes;
    return {
      seconds: (performance.now() - this.#startedAtMs) / 1000,
      serverCpuSeconds: after.serverCpuSeconds - before.serverCpuSeconds,
      databaseCpuSeconds: after.databaseCpuSeconds - before.databaseCpuSeconds,
      megabytes: [all[0]!, all[Math.floor(all.length / 2)]!, all.at(-1)!, Math.max(...all)],
      longestWaitMs: this.#longestWaitMs,
    };
  }
}

/** A move, or a file of it. */
interface ShownMove {
  readonly id: number;
  readonly uploads: readonly {
    readonly name: string;
    readonly status: string;
    readonly refused: number;
    /** Percent. */
    readonly progress: number;
    readonly failure: string | null;
  }[];
}

function writeCustomers(folder: string, count: number): string {
  const path = join(folder, 'people.csv');
  const file = openSync(path, 'w');
  writeSync(file, 'formerId,firstName,lastName,email,birthday,points,credit,emailOptIn\n');
  for (let at = 0; at < count; at++) {
    const credit = at % 50 === 0 ? 1_250 : 0;
    writeSync(
      file,
      `${at},Wren,Alder ${at % 977},wren${at}@customers.example.com,19${50 + (at % 50)}-03-14,${at % 400},${credit},${at % 3 === 0}\n`,
    );
  }
  closeSync(file);
  return path;
}

const salesHeadings =
  'Date Closed,Time Closed,Ticket ID,Ticket Line ID,Type,Product Type,Brand,Product Name,State Tracking ID,Qty,Gross Sales,Discounts,Net Sales,Taxes,Customer ID\n';

/** Tickets of some years up to yesterday, in the order of their days; resolves to the paths of the files. */
function writeSales(
  folder: string,
  { customers, sales }: { readonly customers: number; readonly sales: number },
  goods: readonly string[],
): string[] {
  const paths: string[] = [];
  const today = Math.floor(Date.now() / dayMs);
  let file: number | null = null;
  let lines = 0;
  for (let at = 0; at < sales; at++) {
    if (file === null) {
      paths.push(join(folder, `tickets-${paths.length + 1}.csv`));
      file = openSync(paths.at(-1)!, 'w');
      writeSync(file, salesHeadings);
    }
    const ago = historyDays - Math.floor((at * historyDays) / sales);
    const [year, month, day] = new Date((today - 1 - ago) * dayMs).toISOString().slice(0, 10).split('-');
    let text = '';
    for (let line = 0; line <= (at % 2) + (at % 3 === 0 ? 2 : 0); line++) {
      const cents = 500 + ((at * 37 + line * 911) % 9_500);
      const dollars = (amount: number) => `$${(amount / 100).toFixed(2)}`;
      const cells = [
        ...[
          `${month}/${day}/${year}`,
          `${10 + (at % 9)}:${10 + (at % 50)}:00`,
          `T${at}`,
          ++lines,
          'Sale',
          'FLOWER',
        ],
        ...['Fernweh Farms', `"${goods[(at * 7 + line) % goods.length]!.replaceAll('"', '""')}"`],
        ...[
          `1A40${String(at % 3_000).padStart(20, '0')}`,
          1 + (at % 2),
          dollars(cents),
          '$0.00',
          dollars(cents),
        ],
        ...[dollars(Math.round(cents * 0.18)), at % 4 === 0 ? '' : at % customers],
      ];
      text += `${cells.join(',')}\n`;
    }
    writeSync(file, text);
    if (at % 500 === 0 && statSync(paths.at(-1)!).size > fileBytesMax) {
      closeSync(file);
      file = null;
    }
  }
  if (file !== null) closeSync(file);
  return paths;
}
