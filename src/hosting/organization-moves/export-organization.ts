import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { type Pack, pack } from 'tar-stream';
import { InvariantError } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { strongRandomBytes } from '../../kernel/random-bytes.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { photoSizes } from '../../shop/catalog/products.ts';
import { sealLabel } from '../../shop/documents/documents.ts';
import { type MovedTable, movedTables } from './moved-tables.ts';
import {
  beginMove,
  enterOrganization,
  LineSum,
  type Reading,
  type RowSum,
  readRows,
} from './organization-rows.ts';

/** What stands at the beginning of an archive. */
export interface MoveManifest {
  readonly format: 'dispensary-organization';
  readonly version: 1;
  /** The last migration of the schema: only a deployment with the same one takes the archive. */
  readonly schema: string;
  readonly exportedAt: string;
  readonly organization: { readonly id: number; readonly name: string };
  /** The names of the integrators that its rows name. */
  readonly integrators: readonly string[];
  /** All ids in it are below this block of ids. */
  readonly idBlock: number;
}

/** What stands at its end: proof that nothing is missing. */
export interface MoveSums {
  readonly tables: Readonly<Record<string, RowSum>>;
  readonly photos: number;
  readonly documents: number;
}

interface ExportRun {
  /** A session of the database's owner, in which nothing has begun. */
  readonly client: Client;
  readonly organization: OrganizationId;
  readonly documents: SealedFiles;
  readonly photos: BlobStore;
  readonly nowMs: number;
  readonly onTable?: (table: string, rows: number) => void;
}

/**
 * One organization as a tar archive: all its rows and files of one moment, without ids of the deployment. It is streamed: some hundred
 * rows, or one file, are in memory. What is sealed here is open in it, so it is to be encrypted, or kept like a password. `sums`
 * resolves when the archive has been read to its end.
 */
export function exportOrganization(run: ExportRun): {
  readonly archive: AsyncIterable<Uint8Array>;
  readonly sums: Promise<MoveSums>;
} {
  const archive = pack();
  const sums = fill(archive, run);
  sums.then(
    () => archive.finalize(),
    (error: Error) => archive.destroy(error),
  );
  sums.catch(() => {});
  return { archive, sums };
}

async function fill(archive: Pack, run: ExportRun): Promise<MoveSums> {
  const { client, organization, documents, photos, nowMs } = run;
  await beginMove(client, 'isolation level repeatable read, read only');
  try {
    await enterOrganization(client, organization);
    const reading = await openReading(client, organization, documents);
    await addJson(archive, 'manifest.json', await manifestOf(reading, nowMs));
    // Before the rows: what they say of their files is known when they come.
    const documentRows = await documentsOf(client, organization);
    for (const row of documentRows) {
      const key = { masterKeyId: row.master_key_id, wrapped: row.wrapped_key };
      const label = sealLabel(organization, Number(row.id));
      const bytes = await documents.get(row.file_name, key, label, strongRandomBytes);
      await add(archive, `documents/${row.id}`, bytes);
    }
    const tables: Record<string, RowSum> = {};
    const names = new Set<string>();
    for (const table of await movedTables(client)) {
      const sum = await addTable(archive, reading, table, names);
      tables[table.name] = sum;
      run.onTable?.(table.name, sum.rows);
    }
    let photoCount = 0;
    for (const name of [...names].toSorted()) {
      const bytes = await photos.get(name);
      if (bytes === null) continue;
      await add(archive, `photos/${name}`, bytes);
      photoCount += 1;
    }
    const sums = { tables, photos: photoCount, documents: documentRows.length };
    await addJson(archive, 'sums.json', sums);
    return sums;
  } finally {
    await client.query('rollback').catch(() => {});
  }
}

interface DocumentRow {
  readonly id: string;
  readonly file_name: string;
  readonly master_key_id: string;
  readonly wrapped_key: Buffer;
}

async function documentsOf(client: Client, organization: number): Promise<readonly DocumentRow[]> {
  const { rows } = await client.query<DocumentRow>(
    'select id, file_name, master_key_id, wrapped_key from customer_documents where organization_id = $1 order by id',
    [organization],
  );
  return rows;
}

/** Reads what turns rows into traveling ones. */
export async function openReading(
  client: Client,
  organization: number,
  { keys }: Pick<SealedFiles, 'keys'>,
): Promise<Reading> {
  const { rows } = await client.query<{ id: string; name: string }>('select id::text, name from integrators');
  return {
    ...{ client, organization, masters: await keys.known() },
    integrators: new Map(rows.map(({ id, name }) => [id, name])),
  };
}

async function manifestOf(
  { client, organization, integrators }: Reading,
  nowMs: number,
): Promise<MoveManifest> {
  // Asked where its rows are: row-level security of a server that was not told of it would show few of them, without an error.
  const asked = await client.query<{ name: string; is_entered: boolean }>(
    'select name, id = current_organization_id() as is_entered from organizations where id = $1',
    [organization],
  );
  const [[row], schema] = [asked.rows, await schemaOf(client)];
  if (row === undefined) throw new InvariantError(`there is no organization ${organization}`);
  if (!row.is_entered) throw new InvariantError(`the server of organization ${organization} hides its rows`);
  const { rows } = await client.query<{ integrator: string }>(
    'select distinct integrator_id::text as integrator from client_keys where organization_id = $1 order by 1',
    [organization],
  );
  const blocks = await client.query<{ last: string }>(
    `select coalesce(pg_sequence_last_value('record_id_blocks'), 1)::text as last`,
  );
  return {
    ...{ format: 'dispensary-organization', version: 1, schema, exportedAt: new Date(nowMs).toISOString() },
    organization: { id: Number(organization), name: row.name },
    integrators: rows.map(({ integrator }) => integrators.get(integrator)!).toSorted(),
    idBlock: Number(blocks.rows[0]!.last),
  };
}

/** The last migration of a database. */
export async function schemaOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ file: string }>(
    'select file from schema_migrations order by file desc limit 1',
  );
  return rows[0]!.file;
}

/** Where a picture of a row is stored here. */
const photoLocation = /\/photos\/[a-z0-9-]+\.[a-z0-9]+/g;

async function addTable(
  archive: Pack,
  reading: Reading,
  table: MovedTable,
  photos: Set<string>,
): Promise<RowSum> {
  const sum = new LineSum();
  let part = 0;
  for await (const lines of readRows(reading, table)) {
    for (const line of lines) {
      sum.add(line);
      for (const [location] of line.matchAll(photoLocation)) addFilesOf(location, photos);
    }
    part += 1;
    const text = `${lines.join('\n')}\n`;
    await add(archive, `rows/${table.name}/${String(part).padStart(6, '0')}.ndjson`, Buffer.from(text));
  }
  return sum.sum;
}

/** All sizes of a picture, and the drawing that they are made of, if there is one. */
function addFilesOf(location: string, names: Set<string>): void {
  for (const size of photoSizes(location)) {
    const name = size.location.slice('/photos/'.length);
    names.add(name).add(name.replace(/-\d+\.webp$/, '.svg'));
  }
  names.add(location.slice('/photos/'.length));
}

function addJson(archive: Pack, name: string, value: unknown): Promise<void> {
  return add(archive, name, Buffer.from(`${JSON.stringify(value)}\n`));
}

async function add(archive: Pack, name: string, bytes: Uint8Array): Promise<void> {
  const entry = archive.entry({ name, size: bytes.length, mode: 0o600 });
  await pipeline(Readable.from([bytes]), entry);
}
