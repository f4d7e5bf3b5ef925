import { createHash, webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { opened, sealed } from './archive-lock.ts';
import { ArchiveRefusal, type ArchiveStore } from './archive-store.ts';

/*
 * What is where in an archive:
 *   <shop>/timelines/<timeline>/timeline.json            a timeline: an unbroken piece of one database's WAL
 *   <shop>/timelines/<timeline>/tip.json             until when the timeline is complete
 *   <shop>/timelines/<timeline>/wal/<position>       the WAL from this position on
 *   <shop>/timelines/<timeline>/bases/<base>/…       volumes, files.gz, manifest.json (written last), verified.json
 *   <shop>/files/{photos,documents}/<name>   files beside the database
 *   <shop>/keys/<time>-<digest>              former and present contents of document-master-key
 *   <shop>/drill.json                        the last drill
 *   <shop>/locks/<time>-<name>               private keys of this archive, encrypted with the passphrase
 * The WAL, the volumes and the keys are encrypted if the archive has a lock; what says where they belong is plain.
 * A shop is the identifier that PostgreSQL gave the database when it was made; a restored copy has the same.
 */

/** A position in the WAL: PostgreSQL's LSN as a number. */
export type Position = bigint;

export interface TimelineFacts {
  readonly format: 1;
  readonly timeline: string;
  readonly shop: string;
  readonly timelineId: number;
  readonly segmentBytes: number;
  /** The first position of the timeline, as PostgreSQL writes it. */
  readonly from: string;
  readonly startedAtMs: number;
}

export interface Tip {
  readonly position: string;
  /** What was answered before this moment is in the archive. */
  readonly atMs: number;
}

export interface BaseManifest {
  readonly format: 1;
  readonly base: string;
  /** The WAL that it needs begins here … */
  readonly startPosition: string;
  /** … and it is whole from here on. */
  readonly stopPosition: string;
  readonly startedAtMs: number;
  /** The earliest moment that it can be restored to. */
  readonly stoppedAtMs: number;
  /** The bytes of its files. */
  readonly bytes: number;
  /** The SHA-256 of each volume, and of the list of files, in hexadecimal. */
  readonly volumes: readonly string[];
  readonly files: string;
  /** The time zone of its first organization, for messages. */
  readonly timeZone: string | null;
}

/** The list of a base backup's files, in the order of its volumes, and the names beside the database at that time. */
export interface BaseFiles {
  /** Path below DATA_DIR, mode, bytes; of a folder, null in place of bytes. */
  readonly files: readonly (readonly [path: string, mode: number, bytes: number | null])[];
  readonly blobs: Readonly<Record<string, readonly string[]>>;
}

/** The outcome of a drill. */
export interface DrillRecord {
  readonly atMs: number;
  readonly isWhole: boolean;
  readonly tookMs: number;
  readonly timeline: string;
  readonly base: string;
  /** The moment that it restored. */
  readonly restoredToMs: number;
  readonly orders: number;
  /** Why it failed; null if it did not. */
  readonly reason: string | null;
}

export const timelinesOf = (shop: string): string => `${shop}/timelines`;
export const timelineFolder = (shop: string, timeline: string): string => `${timelinesOf(shop)}/${timeline}`;
export const blobFolder = (shop: string, kind: string): string => `${shop}/files/${kind}`;
export const keyFolder = (shop: string): string => `${shop}/keys`;
export const drillPath = (shop: string): string => `${shop}/drill.json`;

/** Fixed length, so that names sort by position. */
export function positionName(position: Position): string {
  return position.toString(16).toUpperCase().padStart(16, '0');
}

/** The position of such a name. */
export function positionOfName(name: string): Position {
  return BigInt(`0x${name}`);
}

/** From PostgreSQL's writing, `16/B374D848`. */
export function parsePosition(text: string): Position {
  const [high, low] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** As PostgreSQL writes it. */
export function positionText(position: Position): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();
}

/** The name of the file in pg_wal with this position. */
export function segmentName(timelineId: number, position: Position, segmentBytes: number): string {
  const number = position / BigInt(segmentBytes);
  const perHigh = 0x1_0000_0000n / BigInt(segmentBytes);
  const parts = [BigInt(timelineId), number / perHigh, number % perHigh];
  return parts.map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('');
}

/** A name that sorts by time. */
export function timeName(atMs: number, suffix: string): string {
  return `${new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+Z/g, '')}-${suffix}`.toLowerCase();
}

/** A piece of the WAL. */
export interface Piece {
  readonly bytes: Buffer;
  /** What was answered before this moment is in this piece or an earlier one. */
  readonly atMs: number;
}

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** In a thread of its own, with the least time: the WAL shrinks well, and other bytes hardly at all. */
export function zipped(bytes: Uint8Array): Promise<Buffer> {
  return compress(bytes, { level: constants.Z_BEST_SPEED });
}

/** Throws a {@link DamagedArchive}, with the path, for other bytes. */
export async function unzipped(path: string, bytes: Uint8Array): Promise<Buffer> {
  try {
    return await expand(bytes);
  } catch (error) {
    throw new DamagedArchive(`${path} in the archive is damaged: ${(error as Error).message}`);
  }
}

/** What is in the archive is not what was written to it. */
export class DamagedArchive extends Error {}

/** SHA-256 in hexadecimal, in a thread of its own. */
export async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

/** A digest that tells contents apart in a name. */
export function shortDigestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** What is known of a piece without opening it. */
interface PieceFacts {
  readonly atMs: number;
  /** The digest of the WAL in it. */
  readonly digest: string;
  /** The bytes of the WAL in it. */
  readonly length: number;
}

/** A timeline of facts, and the WAL, zipped and sealed. */
export async function encodePiece(
  store: ArchiveStore,
  path: string,
  { bytes, atMs }: Piece,
): Promise<Buffer> {
  const digest = await digestOf(bytes as Buffer<ArrayBuffer>);
  const facts: PieceFacts = { atMs, digest, length: bytes.length };
  const wal = await sealed(store, path, (await zipped(bytes)) as Buffer<ArrayBuffer>);
  return Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\n`), wal]);
}

/** The facts of a piece: no key is needed. */
export function pieceFacts(path: string, stored: Buffer): PieceFacts {
  return parsed<PieceFacts>(path, stored.subarray(0, stored.indexOf(10)));
}

/** Throws a {@link DamagedArchive} if it is not what was written. */
export async function decodePiece(store: ArchiveStore, path: string, stored: Buffer): Promise<Piece> {
  const { atMs, digest } = pieceFacts(path, stored);
  const bytes = await unzipped(path, await opened(store, path, stored.subarray(stored.indexOf(10) + 1)));
  if ((await digestOf(bytes as Buffer<ArrayBuffer>)) !== digest) {
    throw new DamagedArchive(`${path} in the archive is damaged: its digest is another one`);
  }
  return { bytes, atMs };
}

/** Null without the file; throws a {@link DamagedArchive} if it is not JSON. */
export async function readJson<Content>(store: ArchiveStore, path: string): Promise<Content | null> {
  const bytes = await store.get(path);
  return bytes === null ? null : parsed<Content>(path, bytes);
}

/** Writes or replaces a file of JSON. */
export function writeJson(store: ArchiveStore, path: string, content: unknown): Promise<void> {
  return store.put(path, Buffer.from(`${JSON.stringify(content)}\n`));
}

function parsed<Content>(path: string, bytes: Uint8Array): Content {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new DamagedArchive(`${path} in the archive is damaged: it is not JSON`);
  }
}

/** The bytes of a file that must be there. */
export async function getExpected(store: ArchiveStore, path: string): Promise<Buffer> {
  const bytes = await store.get(path);
  if (bytes === null)
    throw new ArchiveRefusal(`${path} is missing in ${store.place}`, 'a file of it is missing');
  return bytes;
}
