import { setTimeout as pause } from 'node:timers/promises';
import { createClientKey, createIntegrator } from '../src/access/keys/keys.ts';
import { createOrganization } from '../src/access/organizations/organizations.ts';
import { startSession } from '../src/access/sessions/sessions.ts';
import { createStaff } from '../src/access/staff/staff.ts';
import type { Origin } from '../src/platform/database/context.ts';
import { type OpenStream, openStream } from '../src/shop/live/live-stream.test-support.ts';
import { fillDataDir } from './bench-shop.ts';
import { percentile } from './closed-loop.ts';
import { table } from './result-tables.ts';
import { ServerProcess } from './server-process.ts';

/* What the organizations of one deployment cost while they rest, when they come back, and while their staff watch. */

const origin: Origin = { actor: 'job:seed', requestId: null };
const idleMs = 10_000;
const quietMs = 2_000;
/** Fewer round trips a second than this are rest. */
const quietTripsMax = 100;
/** So many come back, one after the other, and have a listener each: one address may hold 512 connections. */
const awakeMax = 500;
const announcementMax = 100;

interface MadeOrganization {
  readonly headers: Readonly<Record<string, string>>;
  /** A token of a member of staff. */
  readonly token: string;
}

/** Measures a program with that many organizations, each with a key, a member of staff and a session. */
export async function measureOrganizations(
  dataDir: string,
  count: number,
  note: (message: string) => void,
): Promise<readonly [name: string, figure: string][]> {
  note(`making ${count} organizations …`);
  const all = await makeOrganizations(dataDir, count);
  note('their first sums …');
  const firstSumsMs = await makeFirstSums(dataDir);
  const server = await ServerProcess.start(dataDir, { RATE_LIMITS: 'on' });
  try {
    const address = `http://127.0.0.1:${server.basePort}`;
    const rows: [string, string][] = [
      ['organizations', String(count)],
      ['their first sums, once, beside the service', `${Math.round(firstSumsMs / 1_000)} s`],
      ['start to ready, from then on', ms(server.readyAfterMs)],
    ];
    note('at rest …');
    rows.push(...(await measureRest(server)));
    const awake = all.slice(0, awakeMax);
    note('keys …');
    const first = await timesOf(awake, (one) => useKey(address, one));
    const second = await timesOf(awake, (one) => useKey(address, one));
    rows.push(
      ['first use of a key: look-up and lease of its limit', quantiles(first)],
      ['second use', quantiles(second)],
    );
    note('live streams …');
    rows.push(...(await measureStreams(server, address, awake)));
    return rows;
  } finally {
    await server.stop();
  }
}

/** The first start of new organizations makes their sums; resolves to how long that takes, to a second. */
async function makeFirstSums(dataDir: string): Promise<number> {
  const server = await ServerProcess.start(dataDir);
  const beganMs = performance.now();
  let before = (await server.usage()).roundTrips;
  for (let isQuiet = false; !isQuiet; ) {
    await pause(quietMs);
    const now = (await server.usage()).roundTrips;
    isQuiet = ((now - before) * 1_000) / quietMs < quietTripsMax;
    before = now;
  }
  const tookMs = performance.now() - beganMs - quietMs;
  await server.stop();
  return tookMs;
}

async function makeOrganizations(dataDir: string, count: number): Promise<MadeOrganization[]> {
  return fillDataDir(dataDir, async ({ context }) => {
    const integrator = await createIntegrator(context, 'production', 'Lantern Web Shop');
    const make = async (at: number): Promise<MadeOrganization> => {
      const organization = await createOrganization(context, origin, {
        ...{ name: `Lantern ${at}`, state: 'CA', tz: 'America/Los_Angeles' },
      });
      const { clientKey } = await createClientKey(context, 'production', origin, organization, {
        ...{ integratorId: integrator.id, name: 'Shop', permissions: ['menu'], expiresAtMs: null },
      });
      const [staffId] = await createStaff(context, origin, organization, [
        {
          email: `wren${at}@shop.example.com`,
          firstName: 'Wren',
          lastName: 'Alder',
          role: 'owner',
          password: null,
        },
      ]);
      const { token } = await startSession(context, 'production', origin, organization, staffId!);
      return { headers: { 'x-consumer-key': integrator.consumerKey, 'x-client-key': clientKey }, token };
    };
    const made: MadeOrganization[] = [];
    const makeNext = async (): Promise<void> => {
      while (made.length < count) {
        const at = made.push(undefined as never) - 1;
        made[at] = await make(at);
      }
    };
    await Promise.all(Array.from({ length: 8 }, makeNext));
    return made;
  });
}

/** What background work costs while no request comes. */
async function measureRest(server: ServerProcess): Promise<[string, string][]> {
  // The work of the first seconds is part of the start.
  await pause(idleMs);
  const before = await server.usage();
  await pause(idleMs);
  const after = await server.usage();
  const perSecond = (what: 'roundTrips' | 'serverCpuSeconds' | 'databaseCpuSeconds') =>
    ((after[what] - before[what]) * 1_000) / idleMs;
  return [
    ['at rest: round trips a second', perSecond('roundTrips').toFixed(1)],
    [
      'at rest: processor of the program and of the database',
      `${percent(perSecond('serverCpuSeconds'))}, ${percent(perSecond('databaseCpuSeconds'))}`,
    ],
    ['resident memory at rest', megabytes(after.serverResidentBytes)],
  ];
}

/** One listener for each of some organizations: how soon each hears of a change of its own. */
async function measureStreams(
  server: ServerProcess,
  address: string,
  awake: readonly MadeOrganization[],
): Promise<[string, string][]> {
  const streams: OpenStream[] = [];
  const opened = await timesOf(awake, async ({ token }) => {
    const stream = await openStream(address, bearer(token));
    if (stream.status !== 200) throw new Error(`a stream is answered with ${stream.status}`);
    streams.push(stream);
    await stream.until('ready');
  });
  const step = Math.max(1, Math.floor(awake.length / announcementMax));
  const heard: number[] = [];
  for (let at = 0; at < awake.length; at += step) {
    const reply = await fetch(`${address}/staff/v1/tags`, {
      ...{ method: 'POST', body: JSON.stringify({ name: 'Scale' }) },
      headers: { ...bearer(awake[at]!.token), 'content-type': 'application/json' },
    });
    const beganMs = performance.now();
    if (reply.status !== 201)
      throw new Error(`a tag is answered with ${reply.status}: ${await reply.text()}`);
    while ((await streams[at]!.next())?.data.name !== 'tag.created');
    heard.push(performance.now() - beganMs);
  }
  const { serverResidentBytes } = await server.usage();
  for (const stream of streams) stream.close();
  return [
    ['opening a live stream', quantiles(opened)],
    ['a change is heard after its reply', quantiles(heard)],
    [`resident memory with a stream for each, ${awakeMax} at most`, megabytes(serverResidentBytes)],
  ];
}

async function useKey(address: string, { headers }: MadeOrganization): Promise<void> {
  const reply = await fetch(`${address}/api/v1/whoami`, { headers });
  await reply.text();
  if (reply.status !== 200) throw new Error(`a key is answered with ${reply.status}`);
}

async function timesOf(awake: readonly MadeOrganization[], work: (one: MadeOrganization) => Promise<void>) {
  const times: number[] = [];
  for (const one of awake) {
    const beganMs = performance.now();
    await work(one);
    times.push(performance.now() - beganMs);
  }
  return times;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ms = (value: number) => `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;
const quantiles = (times: readonly number[]) => {
  const sorted = [...times].sort((a, b) => a - b);
  return `${ms(percentile(sorted, 0.5))} at the median, ${ms(percentile(sorted, 0.95))} at p95`;
};

/** The figures of several counts side by side, as Markdown. */
export function organizationsTable(measured: readonly (readonly [name: string, figure: string][])[]): string {
  const [first, ...others] = measured;
  return table(
    ['organizations', ...measured.map((rows) => rows[0]![1])],
    first!.slice(1).map(([name, figure], at) => [name, figure, ...others.map((rows) => rows[at + 1]![1])]),
  );
}
