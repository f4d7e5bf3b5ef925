// Own code, because no archiver of npm or Debian knows this version of PostgreSQL (docs/decisions/0027-restore-to-a-moment.md).

import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { systemClock } from '../../kernel/clock.ts';
import { withSession } from '../../platform/connections/with-session.ts';
import type { ConnectionConfig } from '../../platform/database/database.ts';
import {
  type DrillRecord,
  drillPath,
  type Position,
  positionText,
  readJson,
  timeName,
  writeJson,
} from './archive-layout.ts';
import { type ArchiveStatus, ageMs, behindMsMax, newStatus, raiseConcerns } from './archive-status.ts';
import { type ArchiveStore, shownReasonOf } from './archive-store.ts';
import { ArchivedFiles } from './archived-files.ts';
import { takeBaseBackup } from './base-backup.ts';
import { pruneArchive } from './prune-archive.ts';
import { readTimeline } from './reachable.ts';
import { WalTimeline, walEnd } from './wal-timeline.ts';

interface ArchiveLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface ArchiverOptions {
  readonly store: ArchiveStore;
  readonly dataDir: string;
  /** The superuser of the embedded database. */
  readonly admin: ConnectionConfig;
  /** Whether photos and documents are in DATA_DIR. */
  readonly hasBlobs: boolean;
  readonly includesMasterKey: boolean;
  readonly baseHours: number;
  readonly keepBases: number;
  /** The time zone of the first organization. */
  readonly timeZone: () => Promise<string | null>;
  /**
   * Restores the newest base backup of the timeline and verifies it, in another process; it records the drill. Null: the archive is encrypted
   * for keys that are not here.
   */
  readonly drill: ((timeline: string, stop: AbortSignal) => Promise<void>) | null;
  readonly logger: ArchiveLog;
  readonly now?: () => number;
  /** By default that of the disk of DATA_DIR. */
  readonly freeBytes?: () => Promise<number>;
}

/** A sixth of what may be lost. */
const tickMs = 10_000;
/** Without sales there is no new WAL; then the tip tells that nothing is missing. */
const tipMs = 30_000;
const drillReadMs = 300_000;
const pruneMs = 3_600_000;
const baseRetryMs = 600_000;
/** A WAL that waits is given up when the disk is about to be full: the shop needs the room. */
const freeBytesMin = 1_073_741_824;
const waitingBytesMin = 67_108_864;
/** For what runs at the end of the process, and the last look: a silent bucket does not hold up a stop. */
const lastTickMs = 5_000;

/**
 * Archives the WAL of the embedded database all along, and takes base backups (D77). It reads the WAL beside PostgreSQL, so no
 * sale waits for it. What fails is tried again; meanwhile PostgreSQL keeps the WAL, up to a bound.
 */
export class WalArchiver {
  readonly status: ArchiveStatus;
  readonly files: ArchivedFiles;
  readonly #options: ArchiverOptions;
  readonly #now: () => number;
  #timeline: WalTimeline | null = null;
  #queue: Promise<void> = Promise.resolve();
  #tipAtMs = 0;
  #drillReadAtMs = 0;
  #prunedAtMs = 0;
  #baseNotBeforeMs = 0;
  #basing: Promise<void> | null = null;
  #writing: string | null = null;
  #saidReason: string | null = null;
  readonly #stopping = new AbortController();

  constructor(options: ArchiverOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => systemClock.now());
    this.status = newStatus(this.#now());
    const { store, dataDir, hasBlobs, includesMasterKey } = options;
    this.files = new ArchivedFiles(store, dataDir, { hasBlobs, includesKey: includesMasterKey });
  }

  /** Runs until `stop`, which archives what is left, unless that takes longer than some seconds. */
  start(): { stop(): Promise<void> } {
    let timer: NodeJS.Timeout | undefined;
    let wake: (() => void) | undefined;
    const run = async () => {
      while (!this.#stopping.signal.aborted) {
        await this.tick();
        if (!this.#stopping.signal.aborted) {
          this.#basing ??= this.#baseIfDue().finally(() => {
            this.#basing = null;
          });
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, this.#stopping.signal.aborted ? 0 : tickMs);
        });
      }
    };
    const running = run();
    return {
      stop: async () => {
        this.#stopping.abort();
        clearTimeout(timer);
        wake?.();
        const finish = async () => {
          await running;
          await this.#basing;
          await this.tick();
        };
        const patience = new Promise<void>((resolve) => {
          setTimeout(resolve, lastTickMs).unref();
        });
        await Promise.race([finish(), patience]);
      },
    };
  }

  /** Archives everything up to now. Never throws; one after the other. */
  tick(): Promise<void> {
    this.#queue = this.#queue.then(() => this.#tick());
    return this.#queue;
  }

  async #tick(): Promise<void> {
    const { status } = this;
    const options = this.#options;
    try {
      await withSession(options.admin, (client) => this.#archive(client));
      if (this.#saidReason !== null) {
        options.logger.warn({ failures: status.failures }, 'the WAL is archived again');
        this.#saidReason = null;
      }
      status.reason = null;
      status.shownReason = null;
    } catch (error) {
      status.failures += 1;
      status.reason = (error as Error).message;
      status.shownReason = shownReasonOf(error);
      // Once for each reason: a full disk would fill the WAL as well.
      if (this.#saidReason !== status.reason) {
        options.logger.error({ reason: status.reason }, 'the WAL is not archived; sales go on');
        this.#saidReason = status.reason;
      }
    }
    raiseConcerns(status, options.baseHours, this.#now());
  }

  async #archive(client: Client): Promise<void> {
    const { status } = this;
    const options = this.#options;
    const end = await walEnd(client);
    if (this.#timeline !== null) status.waitingBytes = Number(end.position - this.#timeline.position);
    if (this.#timeline !== null && !(await this.#timeline.isWhole(client)))
      this.#breakTimeline('its WAL was given up');
    try {
      this.#timeline ??= await this.#takeUp(client);
      const timeline = this.#timeline;
      // Before the WAL that has their rows, and after its end was asked for.
      await this.files.copyNew(timeline.facts.shop);
      if (!(await timeline.ship(client, end, status.safeAtMs ?? 0))) {
        await timeline.giveUp(client);
        this.#breakTimeline('the WAL was lost, or another database writes this timeline');
        throw new Error('The timeline of the archive ended; another one begins');
      }
      status.waitingBytes = 0;
      status.safeAtMs = end.atMs;
      await timeline.release(client);
      if (this.#isPast(this.#tipAtMs, tipMs)) {
        await writeJson(options.store, `${timeline.folder}/tip.json`, {
          ...{ position: positionText(timeline.position), atMs: end.atMs },
        });
        this.#tipAtMs = this.#now();
      }
      await this.#readDrill(timeline.facts.shop);
    } catch (error) {
      await this.#giveUpOnFullDisk(client);
      throw error;
    }
  }

  /** Whether that time has passed since then, or the clock was put back behind it. */
  #isPast(atMs: number, ms: number): boolean {
    const passedMs = this.#now() - atMs;
    return passedMs >= ms || passedMs < 0;
  }

  async #takeUp(client: Client): Promise<WalTimeline> {
    const { store, dataDir, logger } = this.#options;
    const timeline = await WalTimeline.takeUp(client, store, join(dataDir, 'postgres'));
    this.status.baseAtMs =
      (await readTimeline(store, timeline.facts.shop, timeline.facts.timeline))?.bases.at(-1)?.startedAtMs ??
      null;
    this.#baseNotBeforeMs = 0;
    this.#drillReadAtMs = 0;
    this.#tipAtMs = 0;
    logger.info({ timeline: timeline.facts.timeline, place: store.place }, 'the WAL is archived');
    return timeline;
  }

  #breakTimeline(reason: string): void {
    this.status.brokenTimelines += 1;
    this.#options.logger.error(
      { reason, timeline: this.#timeline?.facts.timeline },
      'a timeline of the archive has ended with a gap behind it; another begins with a base backup',
    );
    this.#timeline = null;
    this.status.baseAtMs = null;
  }

  async #giveUpOnFullDisk(client: Client): Promise<void> {
    const { freeBytes = () => freeBytesOf(this.#options.dataDir) } = this.#options;
    const timeline = this.#timeline;
    if (timeline === null || this.status.waitingBytes < waitingBytesMin) return;
    if ((await freeBytes()) >= freeBytesMin) return;
    await timeline.giveUp(client);
    this.#breakTimeline('the disk of DATA_DIR is about to be full');
  }

  async #readDrill(shop: string): Promise<void> {
    if (!this.#isPast(this.#drillReadAtMs, drillReadMs)) return;
    this.status.drill = await readJson<DrillRecord>(this.#options.store, drillPath(shop));
    this.#drillReadAtMs = this.#now();
  }

  /** Takes a base backup if the last one of the timeline is too old, has it verified, and removes what is too old. */
  async #baseIfDue(): Promise<void> {
    const { baseHours } = this.#options;
    const dueAtMs = (this.status.baseAtMs ?? 0) + baseHours * 3_600_000;
    const isDue = this.#timeline !== null && this.#now() >= Math.max(dueAtMs, this.#baseNotBeforeMs);
    if (isDue) await this.base();
    else if (this.#isPast(this.#prunedAtMs, pruneMs)) await this.#guarded(() => this.prune());
  }

  /** Takes a base backup now. Never throws: `status` has the outcome. */
  async base(): Promise<void> {
    const { status } = this;
    const isDone = await this.#guarded(() => this.#takeBase());
    if (!isDone) {
      this.#baseNotBeforeMs = this.#now() + baseRetryMs;
      return;
    }
    status.baseReason = null;
    status.shownBaseReason = null;
    const timeline = this.#timeline;
    if (timeline === null || this.#stopping.signal.aborted) return;
    await this.#guarded(async () => {
      await this.#options.drill?.(timeline.facts.timeline, this.#stopping.signal);
      this.#drillReadAtMs = 0;
      await this.prune();
    });
  }

  async #guarded(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (this.#stopping.signal.aborted) return false;
      this.status.failures += 1;
      this.status.baseReason = (error as Error).message;
      this.status.shownBaseReason = shownReasonOf(error);
      this.#options.logger.error({ reason: this.status.baseReason }, 'a base backup failed; sales go on');
      return false;
    }
  }

  async #takeBase(): Promise<void> {
    const { store, dataDir, admin, timeZone } = this.#options;
    const timeline = this.#timeline;
    if (timeline === null) throw new Error('The archive has no timeline yet');
    const base = timeName(systemClock.now(), 'base');
    const folder = `${timeline.folder}/bases/${base}`;
    this.#writing = folder;
    try {
      const zone = await timeZone();
      const manifest = await withSession(admin, (client) =>
        takeBaseBackup(client, {
          ...{ store, folder, base, dataDir, timeZone: zone },
          ...{ stop: this.#stopping.signal, blobs: () => this.files.present() },
          untilShipped: (position) => this.#untilShipped(timeline, position),
        }),
      );
      this.status.baseAtMs = manifest.startedAtMs;
      this.#options.logger.info({ base, bytes: manifest.bytes }, 'a base backup is complete');
    } finally {
      this.#writing = null;
    }
  }

  async #untilShipped(timeline: WalTimeline, position: Position): Promise<void> {
    await this.tick();
    if (this.#timeline !== timeline || timeline.position < position) {
      throw new Error(
        `The WAL of the base backup is not archived: ${this.status.reason ?? 'the timeline ended'}`,
      );
    }
  }

  /** Removes what retention does not keep, in small steps. */
  async prune(): Promise<void> {
    const { store, keepBases } = this.#options;
    const drillsHere = this.#options.drill !== null;
    for (;;) {
      const timeline = this.#timeline;
      if (timeline === null || this.#stopping.signal.aborted) return;
      const { shop, timeline: name } = timeline.facts;
      const writing = this.#writing;
      const removed = await pruneArchive({
        ...{ store, shop, timeline: name, keepBases, drillsHere, files: this.files, writing },
      });
      if (removed === 0) break;
    }
    this.#prunedAtMs = this.#now();
  }

  /** Whether more than a minute of sales would be lost with the disk. */
  get isBehind(): boolean {
    return ageMs(this.status, this.#now()) > behindMsMax;
  }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
