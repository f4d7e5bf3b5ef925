import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { systemClock } from '../../kernel/clock.ts';
import {
  digestOf,
  encodePiece,
  getExpected,
  type Position,
  parsePosition,
  pieceFacts,
  positionName,
  positionOfName,
  positionText,
  readJson,
  segmentName,
  type TimelineFacts,
  timelineFolder,
  timeName,
  writeJson,
} from './archive-layout.ts';
import type { ArchiveStore } from './archive-store.ts';

/** A replication slot keeps the WAL until it is archived. Its name is that of the timeline: a copy of the database has no slots. */
const slotHead = 'dispensary_archive_';

/** Where the database is now. */
export interface WalEnd {
  /** Everything before it is on the disk. */
  readonly position: Position;
  /** A moment before which everything that was answered is before the position. */
  readonly atMs: number;
}

interface ServerFacts {
  readonly shop: string;
  readonly timelineId: number;
  readonly segmentBytes: number;
}

/**
 * A timeline of the archive: the WAL of this database without a gap, in pieces that are named by their first position and never
 * replaced. So two databases cannot write one timeline: the second one finds the name taken, by bytes that are not its own, and begins
 * another timeline.
 */
export class WalTimeline {
  readonly facts: TimelineFacts;
  readonly #store: ArchiveStore;
  readonly #clusterDir: string;
  readonly #slot: string;
  /** The end of what is archived. */
  position: Position;
  /** The start of the last piece: up to here PostgreSQL may forget the WAL, so that the last piece can be compared. */
  #kept: Position;
  /** The position of the slot. */
  #released: Position;

  constructor(
    store: ArchiveStore,
    clusterDir: string,
    facts: TimelineFacts,
    at: { readonly position: Position; readonly kept: Position; readonly released: Position },
  ) {
    this.#store = store;
    this.#clusterDir = clusterDir;
    this.facts = facts;
    this.#slot = slotHead + facts.timeline.replaceAll('-', '_');
    this.position = at.position;
    this.#kept = at.kept;
    this.#released = at.released;
  }

  /** Goes on with the timeline of this database, or begins one if there is none, or if its WAL is not continuous any more. */
  static async takeUp(client: Client, store: ArchiveStore, clusterDir: string): Promise<WalTimeline> {
    const server = await askServer(client);
    const slots = await slotsOf(client);
    // Writing comes first: a slot that is never emptied only takes room.
    await writeJson(store, `${server.shop}/writable.json`, {});
    for (const { name, from, isWhole } of slots) {
      const timeline = isWhole && from !== null ? await resume(store, clusterDir, server, name, from) : null;
      if (timeline !== null) return timeline;
      await client.query('select pg_drop_replication_slot($1)', [name]);
    }
    const timeline = timeName(systemClock.now(), randomBytes(4).toString('hex'));
    const slot = slotHead + timeline.replaceAll('-', '_');
    const { rows } = await client.query<{ lsn: string | null }>(
      `select lsn from pg_create_physical_replication_slot($1, true, false)`,
      [slot],
    );
    return begin(store, clusterDir, server, timeline, parsePosition(rows[0]!.lsn!));
  }

  get folder(): string {
    return timelineFolder(this.facts.shop, this.facts.timeline);
  }

  /** Whether PostgreSQL still has all WAL from the position on. */
  async isWhole(client: Client): Promise<boolean> {
    const slot = (await slotsOf(client)).find(({ name }) => name === this.#slot);
    return slot?.isWhole ?? false;
  }

  /** Archives the WAL up to there. False if the timeline has ended: the WAL is lost, or another database writes the timeline. */
  async ship(client: Client, { position: target, atMs }: WalEnd, safeAtMs: number): Promise<boolean> {
    const { segmentBytes } = this.facts;
    while (this.position < target) {
      const from = this.position;
      const segmentEnd = (from / BigInt(segmentBytes) + 1n) * BigInt(segmentBytes);
      const end = target < segmentEnd ? target : segmentEnd;
      const bytes = await this.#read(from, end);
      // Read before it was asked: a segment that PostgreSQL has taken for other WAL is never archived.
      if (bytes === null || !(await this.isWhole(client))) return false;
      const path = this.#pathOf(from);
      const stored = await encodePiece(this.#store, path, {
        ...{ bytes, atMs: end === target ? atMs : safeAtMs },
      });
      if (await this.#store.putNew(path, stored)) this.position = end;
      else if (!(await this.#adopt(path, from))) return false;
      this.#kept = from;
    }
    return true;
  }

  /** Lets PostgreSQL forget what is archived. */
  async release(client: Client): Promise<void> {
    if (this.#kept <= this.#released) return;
    await client.query('select pg_replication_slot_advance($1, $2::pg_lsn)', [
      this.#slot,
      positionText(this.#kept),
    ]);
    this.#released = this.#kept;
  }

  /** Gives up the timeline: its WAL takes no more room. */
  async giveUp(client: Client): Promise<void> {
    await client.query(
      'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1',
      [this.#slot],
    );
  }

  /** Whether the piece that is there is this database's own, as after a reply that was lost; then it counts. */
  async #adopt(path: string, from: Position): Promise<boolean> {
    const { digest, length } = pieceFacts(path, await getExpected(this.#store, path));
    const end = from + BigInt(length);
    const own = await this.#read(from, end);
    if (own === null || (await digestOf(own as Buffer<ArrayBuffer>)) !== digest) return false;
    this.position = end;
    return true;
  }

  #pathOf(position: Position): string {
    return `${this.folder}/wal/${positionName(position)}`;
  }

  /** The WAL between two positions of one segment; null if PostgreSQL no longer has it. */
  async #read(from: Position, end: Position): Promise<Buffer | null> {
    return readLog(this.#clusterDir, this.facts, from, end);
  }
}

async function askServer(client: Client): Promise<ServerFacts> {
  const { rows } = await client.query<{ shop: string; timelineId: number; bytes: number }>(
    `select (select system_identifier::text from pg_control_system()) as shop,
            (select timeline_id from pg_control_checkpoint()) as "timelineId",
            pg_size_bytes(current_setting('wal_segment_size'))::int as bytes`,
  );
  const { shop, timelineId, bytes } = rows[0]!;
  return { shop, timelineId, segmentBytes: bytes };
}

async function slotsOf(client: Client) {
  const { rows } = await client.query<{ name: string; lsn: string | null; status: string | null }>(
    `select slot_name as name, restart_lsn::text as lsn, wal_status as status from pg_replication_slots
      where starts_with(slot_name, 'dispensary_archive_')`,
  );
  return rows.map(({ name, lsn, status }) => ({
    name,
    from: lsn === null ? null : parsePosition(lsn),
    // "unreserved" is lost at the next checkpoint, but not yet.
    isWhole: lsn !== null && status !== 'lost',
  }));
}

/** Removes what an archive that is no longer set keeps of the WAL. */
export async function dropArchiveSlots(client: Client): Promise<void> {
  for (const { name } of await slotsOf(client)) {
    await client.query('select pg_drop_replication_slot($1)', [name]);
  }
}

/** The end of the WAL, and the time before. */
export async function walEnd(client: Client): Promise<WalEnd> {
  // Two statements: the moment comes first.
  const { rows: times } = await client.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn');
  return { position: parsePosition(rows[0]!.lsn), atMs: Math.floor(times[0]!.ms) };
}

/** The timeline of a slot; null if the archive shows that another database went on with it. */
async function resume(
  store: ArchiveStore,
  clusterDir: string,
  server: ServerFacts,
  slot: string,
  from: Position,
): Promise<WalTimeline | null> {
  const timeline = slot.slice(slotHead.length).replaceAll('_', '-');
  const folder = timelineFolder(server.shop, timeline);
  const facts = await readJson<TimelineFacts>(store, `${folder}/timeline.json`);
  // Another archive than before, or an emptied one.
  if (facts === null) return begin(store, clusterDir, server, timeline, from);
  if (facts.timelineId !== server.timelineId || facts.segmentBytes !== server.segmentBytes) return null;
  const start = segmentStart(from, server.segmentBytes);
  const pieces = await store.list(
    `${folder}/wal`,
    start === 0n ? undefined : `${folder}/wal/${positionName(start - 1n)}`,
  );
  const last = pieces.at(-1);
  if (last === undefined) {
    const first = parsePosition(facts.from);
    return from < first + BigInt(server.segmentBytes)
      ? new WalTimeline(store, clusterDir, facts, { position: first, kept: first, released: from })
      : null;
  }
  const at = positionOfName(last.path.split('/').at(-1)!);
  // By its digest: the one who writes an encrypted archive need not be able to open it.
  const { digest, length } = pieceFacts(last.path, await getExpected(store, last.path));
  const end = at + BigInt(length);
  const own = await readLog(clusterDir, facts, at, end);
  return own !== null && (await digestOf(own as Buffer<ArrayBuffer>)) === digest
    ? new WalTimeline(store, clusterDir, facts, { position: end, kept: at, released: from })
    : null;
}

async function begin(
  store: ArchiveStore,
  clusterDir: string,
  server: ServerFacts,
  timeline: string,
  kept: Position,
): Promise<WalTimeline> {
  // PostgreSQL keeps whole segments.
  const from = segmentStart(kept, server.segmentBytes);
  const facts: TimelineFacts = {
    ...{
      format: 1,
      timeline,
      shop: server.shop,
      timelineId: server.timelineId,
      segmentBytes: server.segmentBytes,
    },
    ...{ from: positionText(from), startedAtMs: systemClock.now() },
  };
  await writeJson(store, `${timelineFolder(server.shop, timeline)}/timeline.json`, facts);
  return new WalTimeline(store, clusterDir, facts, { position: from, kept: from, released: kept });
}

function segmentStart(position: Position, segmentBytes: number): Position {
  return position - (position % BigInt(segmentBytes));
}

async function readLog(
  clusterDir: string,
  { timelineId, segmentBytes }: Pick<TimelineFacts, 'timelineId' | 'segmentBytes'>,
  from: Position,
  end: Position,
): Promise<Buffer | null> {
  try {
    const file = await open(join(clusterDir, 'pg_wal', segmentName(timelineId, from, segmentBytes)), 'r');
    try {
      const bytes = Buffer.alloc(Number(end - from));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, Number(from % BigInt(segmentBytes)));
      return bytesRead === bytes.length ? bytes : null;
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
