import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../sdk/integrator/src/commerce-sdk.ts';
import {
  type MirrorProgress,
  type MirrorStore,
  mirror,
  openPostgresStore,
  openSqliteStore,
  type RepairReport,
  type VerifyReport,
} from '../sdk/integrator/src/mirror/mirror-sdk.ts';
import type { DemoFile } from '../seed/seed-demo.ts';
import { systemClock } from '../src/kernel/clock.ts';
import {
  type Command,
  flag,
  optional,
  type RemoteCaller,
  type RemoteConfig,
  type Result,
  required,
} from './command.ts';
import { ProgressBar, type Screen } from './progress-bar.ts';
import { UsageError } from './usage-error.ts';

/** The exit code when the copy differs from the shop. */
const differs = 3;
const verifyEveryMs = 3_600_000;

/** A copy of a shop, for an integrator: over HTTP, with its keys. */
export const mirrorCommands: Readonly<Record<string, Command>> = {
  mirror: {
    summary: 'keep a copy of a shop in SQLite or PostgreSQL, over HTTP',
    options: {
      to: required('a file (./copy.db), or postgres://…'),
      url: optional('the address of the service; DISPENSARY_URL, or that of demo.json'),
      organization: optional('id or name of a shop of demo.json; by default its first'),
      schema: optional('of PostgreSQL, where the copy is; by default dispensary'),
      once: flag('end when the copy is up to date; otherwise follow the shop until stopped'),
      verify: flag('also prove that the copy is exact; ends with 3 if it is not'),
      repair: flag('verify, and read again what differs'),
    },
    runRemote: runMirror,
  },
};

/** The address of the service and the keys: of the environment, else of the demo. Fails with a UsageError. */
export function shopOf(
  { dataDir, mirrored }: RemoteConfig,
  options: Readonly<Record<string, string>>,
): { readonly baseUrl: string; readonly consumerKey: string; readonly clientKey: string } {
  const { consumerKey, clientKey } = mirrored;
  const url = options.url ?? mirrored.url;
  if (consumerKey !== '' || clientKey !== '') {
    const missing = [
      ...(consumerKey ? [] : ['DISPENSARY_CONSUMER_KEY']),
      ...(clientKey ? [] : ['DISPENSARY_CLIENT_KEY']),
      ...(url ? [] : ['--url or DISPENSARY_URL']),
    ];
    if (missing.length > 0) throw new UsageError(`missing: ${missing.join(', ')}`);
    return { baseUrl: url!, consumerKey, clientKey };
  }
  const file = join(dataDir, 'demo.json');
  if (!existsSync(file)) {
    throw new UsageError(
      `no keys: set DISPENSARY_CONSUMER_KEY and DISPENSARY_CLIENT_KEY. There is no demo in ${file} either.`,
    );
  }
  const demo = JSON.parse(readFileSync(file, 'utf8')) as DemoFile;
  const { organization } = options;
  const shop = demo.organizations.find(
    ({ id, name }) => organization === undefined || String(id) === organization || name === organization,
  );
  if (shop === undefined) {
    const names = demo.organizations.map(({ id, name }) => `${id} (${name})`);
    throw new UsageError(`--organization must be one of ${names.join(', ')}`);
  }
  return { ...shop, baseUrl: url ?? demo.baseUrl };
}

async function runMirror(
  config: RemoteConfig,
  options: Readonly<Record<string, string>>,
  caller: RemoteCaller,
): Promise<Result> {
  const { stderr } = caller;
  const { baseUrl, consumerKey, clientKey } = shopOf(config, options);
  const to = options.to!;
  const isPostgres = /^postgres(ql)?:\/\//.test(to);
  if (options.schema !== undefined && !isPostgres)
    throw new UsageError('--schema is of a copy in PostgreSQL');
  const store: MirrorStore = isPostgres
    ? await openPostgresStore(to, options.schema)
    : await openSqliteStore(to);
  const bar = new Progress(stderr);
  const copy = mirror({
    client: createClient({ baseUrl, consumerKey, clientKey }),
    store,
    onProgress: (progress) => bar.show(progress),
  });
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  caller.stop?.addEventListener('abort', end);
  try {
    const synced = await copy.sync(stop.signal);
    bar.end();
    if (options.once === undefined) {
      stderr.write(
        `The copy is up to date (${synced.changes} changes read). Following the shop; stop with Ctrl+C.\n`,
      );
      await followAndVerify(copy, stop.signal, stderr);
    }
    const { organizationName, collections, leftOut, ownOnly = [] } = copy.state!;
    const proof =
      stop.signal.aborted || options.once === undefined
        ? null
        : options.repair !== undefined
          ? await copy.repair(stop.signal)
          : options.verify !== undefined
            ? await copy.verify(stop.signal)
            : null;
    bar.end();
    const verified = proof === null ? null : 'after' in proof ? proof.after : proof;
    return {
      lines: [
        `${organizationName}: ${synced.changes} changes read, ${synced.changed} records written, ${synced.removed} removed.`,
        ...leftOut.map(
          ({ collection, permission }) => `Left out: ${collection}; the key lacks ${permission}.`,
        ),
        ...ownOnly.map(
          ({ collection, permission }) =>
            `Only your own ${collection}: those that your integrator placed; the key lacks ${permission} for the others.`,
        ),
        ...linesOf(proof),
      ],
      data: {
        organization: organizationName,
        to: isPostgres ? 'postgres' : to,
        collections,
        leftOut,
        ownOnly,
        ...synced,
        proof,
      },
      exitCode: verified === null || verified.isExact ? 0 : differs,
    };
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return { lines: ['Stopped. The next run continues from here.'], data: { stopped: true } };
  } finally {
    bar.end();
    process.off('SIGINT', end).off('SIGTERM', end);
    await store.close();
  }
}

/** Follows the shop; every hour the copy is verified, and repaired where it differs. */
async function followAndVerify(
  copy: ReturnType<typeof mirror>,
  signal: AbortSignal,
  stderr: Screen,
): Promise<void> {
  while (!signal.aborted) {
    const hour = new AbortController();
    const end = () => hour.abort();
    const timer = setTimeout(end, verifyEveryMs);
    signal.addEventListener('abort', end);
    await copy.follow(hour.signal, ({ changes, changed, removed }) => {
      if (changes > 0) stderr.write(`${changes} changes: ${changed} records written, ${removed} removed\n`);
    });
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    if (signal.aborted) return;
    for (const line of linesOf(await copy.repair(signal))) stderr.write(`${line}\n`);
  }
}

/** Progress of one collection after the other. */
class Progress {
  readonly #stderr: Screen;
  #bar: ProgressBar;
  #collection: MirrorProgress['collection'] = null;

  constructor(stderr: Screen) {
    this.#stderr = stderr;
    this.#bar = new ProgressBar(stderr, systemClock.now);
  }

  show({ phase, collection, read, total }: MirrorProgress): void {
    if (phase === 'refresh') return;
    // Elsewhere than on a terminal a bar shows each tenth once.
    if (collection !== this.#collection) this.#bar = new ProgressBar(this.#stderr, systemClock.now);
    this.#collection = collection;
    const count = read.toLocaleString('en-US');
    if (phase === 'copy') this.#bar.show(total ? Math.min(1, read / total) : 0, `${collection} ${count}`);
    else this.#bar.show(1, `changes ${count}`);
  }

  end(): void {
    this.#bar.end();
  }
}

function linesOf(proof: VerifyReport | RepairReport | null): string[] {
  if (proof === null) return [];
  const { collections } = 'after' in proof ? proof.after : proof;
  return [
    ...('swept' in proof && proof.swept.length > 0
      ? [
          `Read again: ${proof.swept.map((it) => ('month' in it ? `orders of ${it.month}` : it.collection)).join(', ')}; ` +
            `${proof.changed} records written, ${proof.removed} removed.`,
        ]
      : []),
    ...collections.map(({ collection, isExact, copy, service, months }) =>
      isExact
        ? `${collection}: exact, ${copy.count} records, digest ${copy.digest}`
        : `${collection}: DIFFERS; ${copy.count} records here, ${service.count} in the shop` +
          (months.length > 0 ? `; months ${months.join(', ')}` : ''),
    ),
  ];
}
