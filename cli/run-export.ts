import { createHash } from 'node:crypto';
import { access, constants, type FileHandle, mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '../src/kernel/assert.ts';
import { Failure } from '../src/kernel/failure.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import type { SnapshotDatabase } from '../src/platform/database/snapshot-database.ts';
import type { AnyEndpoint, Reply } from '../src/platform/http/endpoint.ts';
import { replySerializer } from '../src/platform/http/endpoint-pipeline.ts';
import { packagesById } from '../src/shop/inventory/stock.ts';
import { type ExportedList, exportedLists, packagesResource } from './export-lists.ts';
import { UsageError } from './usage-error.ts';

interface ExportRun {
  readonly organization: OrganizationId;
  /** The snapshot that the operations read from. */
  readonly snapshot: SnapshotDatabase;
  readonly operations: readonly AnyEndpoint[];
  readonly resources: readonly string[];
  readonly folder: string;
  /** Records the export: after its folder is checked and before any data is read. */
  announce(): Promise<unknown>;
  onProgress(resource: string, written: number, share: number): void;
}

export interface ExportedFile {
  readonly resource: string;
  readonly file: string;
  readonly records: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Checksums for `sha256sum -c`; written last, so an export that has them is complete. */
export const sumsFile = 'SHA256SUMS';

interface Entry {
  readonly id?: unknown;
}

/**
 * Writes an organization's resources as NDJSON, one file each, all of the same moment. Each line is an entry of the list that
 * the staff API returns. Only the owner of the files can read them. Fails with a UsageError if the folder cannot be written to
 * or is not empty.
 */
export async function runExport(run: ExportRun): Promise<readonly ExportedFile[]> {
  await makeEmptyFolder(run.folder);
  await run.announce();
  const chosen = new Set(run.resources);
  const parents = new Map<string, unknown[]>();
  const files: ExportedFile[] = [];
  const steps = [...exportedLists.map((list) => list.resource), packagesResource];
  for (const [at, resource] of steps.entries()) {
    const list = exportedLists.find((candidate) => candidate.resource === resource);
    const isParent = exportedLists.some(({ of }) => of?.resource === resource && chosen.has(of.resource));
    if (!chosen.has(resource)) continue;
    const ids: unknown[] = [];
    const pages =
      list === undefined ? packages(run) : pagesOf(run, list, parents.get(list.of?.resource ?? '') ?? []);
    files.push(
      await writeResource(run.folder, resource, pages, (entries, written) => {
        if (isParent) ids.push(...entries.map(({ id }) => id));
        run.onProgress(resource, written, (at + 1) / steps.length);
      }),
    );
    parents.set(resource, ids);
  }
  const sums = files.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join('');
  await writeFile(join(run.folder, sumsFile), sums, { mode: 0o600 });
  return files;
}

async function makeEmptyFolder(folder: string): Promise<void> {
  let found: readonly string[];
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    found = await readdir(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UsageError(`--to: ${folder} cannot be written to: ${(error as Error).message}`);
  }
  if (found.length > 0) throw new UsageError(`--to: ${folder} must be empty or not exist`);
}

async function writeResource(
  folder: string,
  resource: string,
  pages: AsyncIterable<readonly Entry[]>,
  onPage: (entries: readonly Entry[], written: number) => void,
): Promise<ExportedFile> {
  const file = `${resource}.ndjson`;
  const digest = createHash('sha256');
  const handle: FileHandle = await open(join(folder, file), 'wx', 0o600);
  let records = 0;
  let bytes = 0;
  try {
    for await (const entries of pages) {
      const text = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      await handle.appendFile(text);
      digest.update(text);
      records += entries.length;
      bytes += text.length;
      onPage(entries, records);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { resource, file, records, bytes, sha256: digest.digest('hex') };
}

async function* packages({ snapshot, organization }: ExportRun): AsyncGenerator<readonly Entry[]> {
  for (let after = 0; ; ) {
    const page = await packagesById((...statements) => snapshot.read(organization, ...statements), after);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.id;
  }
}

async function* pagesOf(
  run: ExportRun,
  { operation, query = {}, of }: ExportedList,
  parentIds: readonly unknown[],
): AsyncGenerator<readonly Entry[]> {
  const endpoint = run.operations.find(({ id }) => id === operation);
  assert(endpoint !== undefined, `there is no operation ${operation}`);
  const ask = asker(run, endpoint);
  if (of === undefined) {
    yield* pages(endpoint, query, (sent) => ask({}, sent));
    return;
  }
  for (const id of parentIds) {
    const params = { [of.param]: id };
    // Entries of such a list do not contain their owner's id.
    try {
      for await (const page of pages(endpoint, query, (sent) => ask(params, sent))) {
        yield page.map((entry) => ({ ...params, ...entry }));
      }
    } catch (error) {
      // Erased customers are listed and show no documents.
      if (!(error instanceof Failure && error.code === 'USER_NOT_FOUND')) throw error;
    }
  }
}

/** All pages of a list; a list without pages and a single record are one page. */
async function* pages(
  endpoint: AnyEndpoint,
  query: Readonly<Record<string, unknown>>,
  ask: (query: object) => Promise<unknown>,
): AsyncGenerator<readonly Entry[]> {
  const isPaged =
    'startingAfter' in ((endpoint.query as { properties?: object } | undefined)?.properties ?? {});
  let startingAfter: unknown;
  do {
    const data = await ask(startingAfter === undefined ? query : { ...query, startingAfter });
    const entries = [data].flat() as Entry[];
    if (entries.length === 0) return;
    yield entries;
    startingAfter = entries.at(-1)!.id;
  } while (isPaged);
}

/** Calls an operation as the owner, and reads what the API would write. */
function asker({ organization }: ExportRun, endpoint: AnyEndpoint) {
  const serialize = replySerializer(endpoint);
  const ignore = () => {};
  const owner = {
    organizationId: organization,
    staffId: 0,
    sessionId: 0,
    role: 'owner',
    email: '',
    firstName: '',
    lastName: '',
  };
  return async (params: object, query: object): Promise<unknown> => {
    const request = {
      params,
      query,
      body: undefined,
      staff: owner,
      caller: { organizationId: organization },
      requestId: 'export',
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      ifNoneMatch: undefined,
      requestsLeft: null,
    };
    // Lists use only the organization and the parameters; the frame adds the rest of a request.
    const reply: Reply = await endpoint.handle(request as never);
    assert(reply.kind === 'json' || reply.kind === 'raw-json', `${endpoint.id} returns no data`);
    const text = reply.kind === 'json' ? serialize(reply) : reply.text;
    return (JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString()) as { data: unknown })
      .data;
  };
}
