import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Ajv } from 'ajv';
import type { Client } from 'pg';
import { type Entry, extract } from 'tar-stream';
import Type from 'typebox';
import { Failure, failure } from '../../kernel/failure.ts';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { lazily } from '../../kernel/lazily.ts';
import { strongRandomBytes } from '../../kernel/random-bytes.ts';
import { isDistributedHere } from '../../platform/connections/is-distributed.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { runOnSession } from '../../platform/database/run-on-session.ts';
import { numberAbove } from '../../platform/distribution/move-part.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { isBlobName } from '../../platform/storage/blob-store.ts';
import { type MasterKey, wrapKey } from '../../platform/storage/envelope.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { fileNameOf, sealLabel } from '../../shop/documents/documents.ts';
import { type MoveManifest, type MoveSums, openReading, schemaOf } from './export-organization.ts';
import { type MovedTable, movedTables } from './moved-tables.ts';
import {
  beginMove,
  enterOrganization,
  LineSum,
  noIntegrator,
  quoted,
  readRows,
  withOrganization,
} from './organization-rows.ts';

const WholeNumber = (maximum: number) => Type.Integer({ minimum: 1, maximum });

/** An archive that cannot be taken in; nothing was changed. For people. */
export class UnfitArchive extends Error {}

interface ImportRun {
  /** A session that may set `session_replication_role`: no trigger runs, and the rows are those of the other deployment. */
  readonly client: Client;
  readonly archive: AsyncIterable<Uint8Array>;
  readonly documents: SealedFiles;
  readonly photos: BlobStore;
  readonly nowMs: number;
  /** An id of this deployment that no organization has, if the former one is taken. */
  readonly takeId: () => Promise<number>;
  /** Makes an integrator that is not known here by its name, in the transaction of the import. */
  readonly makeIntegrator: (
    name: string,
    write: (...statements: readonly BoundStatement<unknown>[]) => Promise<void>,
  ) => Promise<{ readonly id: number; readonly consumerKey: string }>;
  /** The last of the transaction: what it queues is committed with the organization, and a failure leaves nothing of it. */
  readonly closing?: (tx: Pick<TenantTransaction, 'queue'>, imported: ImportedOrganization) => Promise<void>;
  readonly onTable?: (table: string, rows: number) => void;
}

/** An entry is read as a whole: the longest that an export writes, some hundred rows, is a hundredth of it. */
const entryBytesMax = 256 * 1_048_576;

/** The next numbers of this deployment are above those that come in: enough are left that programs can tell apart. */
const numberMax = BigInt(Number.MAX_SAFE_INTEGER - 2 ** 48);

export interface ImportedOrganization {
  readonly id: OrganizationId;
  readonly name: string;
  readonly formerId: number;
  readonly sums: MoveSums;
  /** Integrators that are new here, with their keys, which are shown once. */
  readonly integrators: readonly {
    readonly id: number;
    readonly name: string;
    readonly consumerKey: string;
  }[];
}

/**
 * Takes an organization of an archive in, in one transaction: its rows, with what was sealed sealed by the keys of this deployment, and
 * its files. It compares the sums of every table with those of the archive before it commits. The organization is suspended; no row
 * of another one is touched. Fails with an UnfitArchive.
 */
export async function importOrganization(run: ImportRun): Promise<ImportedOrganization> {
  const { client } = run;
  const taking = new Taking(run);
  try {
    await beginMove(client);
    await client.query('set local session_replication_role = replica');
    await refuseAnother(client);
    const entries = extract();
    const fed = pipeline(Readable.from(run.archive), entries);
    fed.catch(() => {});
    for await (const entry of entries) await taking.take(entry);
    // To the last byte: only then is an encrypted archive authenticated.
    await fed;
    const taken = await taking.finish();
    await client.query('set local session_replication_role = origin');
    const queued: BoundStatement<unknown>[] = [];
    await run.closing?.({ queue: (...statements) => void queued.push(...statements) }, taken);
    await runOnSession(client, taken.id, queued);
    await client.query('commit');
    return taken;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    await taking.undo();
    throw inWords(error);
  }
}

/** An arbitrary number: the advisory lock of the one import that runs on this database. */
export const importLock = 7_312_450_882;

/** Two at once would both find an id free. The end of the transaction gives the lock back. */
async function refuseAnother(client: Client): Promise<void> {
  const { rows } = await client.query<{ is_mine: boolean }>(
    'select pg_try_advisory_xact_lock($1) as is_mine',
    [importLock],
  );
  if (rows[0]!.is_mine) return;
  throw failure('SERVICE_UNAVAILABLE', 'Another organization is coming in: wait until it is there.');
}

/** What is wrong with an archive that could not be taken in, or with its deployment; other errors as they are. */
export function inWords(error: unknown): unknown {
  if (error instanceof Failure || error instanceof UnfitArchive) return error;
  const { code = '', message, syscall } = error as NodeJS.ErrnoException;
  if (code === '42501') return failure('SERVICE_UNAVAILABLE', mayNotImport);
  if (code === '53100') {
    return failure('STORAGE_FULL', 'The disk of the database is full: nothing of it came in.');
  }
  if (syscall === 'connect' || /^(?:08|40|57P|ECONN)/.test(code)) {
    return failure(
      'SERVICE_UNAVAILABLE',
      'The database broke the import off: nothing of it came in. Try again.',
    );
  }
  if (message === 'Unexpected end of data')
    return new UnfitArchive('the archive ends early', { cause: error });
  if (message.startsWith('Invalid tar header')) {
    return new UnfitArchive('the file is no archive of an organization, or damaged', { cause: error });
  }
  const isOfContent =
    /^2[23]/.test(code) || [SyntaxError, TypeError, RangeError].some((kind) => error instanceof kind);
  if (!isOfContent) return error;
  return new UnfitArchive('the archive is damaged: what stands in it is not what was exported', {
    cause: error,
  });
}

const mayNotImport =
  'The login of DATABASE_URL may not switch triggers off: grant set on parameter session_replication_role to it, or run ' +
  "dispensary organization import with a superuser's.";

class Taking {
  readonly #run: ImportRun;
  readonly #made: { id: number; name: string; consumerKey: string }[] = [];
  #manifest: MoveManifest | undefined;
  #sums: MoveSums | undefined;
  #id = 0;
  #tables: readonly MovedTable[] = [];
  #integrators = new Map<string, number>();
  #masters: readonly [MasterKey, ...MasterKey[]] | undefined;
  #sealer: Awaited<ReturnType<SealedFiles['keys']['sealer']>> | undefined;
  #files = { photos: 0, documents: 0 };
  readonly #documentFiles: string[] = [];
  #rows = new Map<string, number>();
  /** What the rows of documents say of their files, by their ids. */
  readonly #documents = new Map<number, Readonly<Record<string, string>>>();

  constructor(run: ImportRun) {
    this.#run = run;
  }

  async take(entry: Entry): Promise<void> {
    const { name, size = 0 } = entry.header;
    if (size > entryBytesMax) throw new UnfitArchive(`the archive has ${name}, which is too large for one`);
    const bytes = await bytesOf(entry);
    if (this.#manifest === undefined) {
      if (name !== 'manifest.json') throw new UnfitArchive('the file is no archive of an organization');
      return this.#begin(parsed(bytes));
    }
    const [kind, place = '', part] = name.split('/');
    if (name === 'sums.json') this.#sums = parsed(bytes) as MoveSums;
    else if (kind === 'rows' && part !== undefined) await this.#insert(place, bytes.toString());
    else if (kind === 'documents' && /^\d{1,16}$/.test(place)) await this.#keepDocument(Number(place), bytes);
    else if (kind === 'photos' && isBlobName(place)) {
      await this.#keepPhoto(place, bytes);
    } else throw new UnfitArchive(`the archive has ${name}, which is no part of one`);
  }

  async #begin(manifest: unknown): Promise<void> {
    const { client, takeId, makeIntegrator, documents } = this.#run;
    const isManifest = manifestCheck();
    if (!isManifest(manifest)) {
      throw new UnfitArchive('the file is no archive of an organization, or one of a later release');
    }
    const schema = await schemaOf(client);
    if (manifest.schema !== schema) {
      throw new UnfitArchive(
        `the archive is of the schema ${manifest.schema}, this deployment has ${schema}: bring both to one release, and export again`,
      );
    }
    const { rows } = await client.query('select from organizations where id = $1', [
      manifest.organization.id,
    ]);
    this.#id = rows.length === 0 ? manifest.organization.id : await takeId();
    await enterOrganization(client, this.#id);
    const known = await client.query<{ id: string; name: string }>(
      'select id::text, name from integrators where revoked_at is null order by id desc',
    );
    this.#integrators = new Map(known.rows.map(({ id, name }) => [name, Number(id)]));
    for (const name of manifest.integrators) {
      if (this.#integrators.has(name)) continue;
      const made = await makeIntegrator(name, (...statements) =>
        runOnSession(client, organizationId(this.#id), statements),
      );
      this.#made.push({ ...made, name });
      this.#integrators.set(name, made.id);
    }
    this.#tables = await movedTables(client);
    this.#masters = await documents.keys.load(strongRandomBytes);
    this.#sealer = await documents.keys.sealer(strongRandomBytes);
    this.#manifest = manifest;
  }

  async #insert(name: string, text: string): Promise<void> {
    const table = this.#tables.find((it) => it.name === name);
    if (table === undefined)
      throw new UnfitArchive(`the archive has rows of ${name}, which no organization has`);
    const rows = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => this.#rowOf(table, JSON.parse(line)));
    const columns = [
      ...table.columns,
      ...table.own,
      ...(table.hasIntegrator ? ['integrator_id'] : []),
      ...table.sealed.flatMap(({ sealed, keyId }) => [sealed, keyId]),
    ].map(quoted);
    await this.#run.client.query(
      `insert into ${quoted(name)} (${[table.tenant, ...columns].join(', ')}) overriding system value
       ${rowsFor(name, columns)}`,
      [this.#id, `[${rows.join(',')}]`],
    );
    const count = (this.#rows.get(name) ?? 0) + rows.length;
    this.#rows.set(name, count);
    this.#run.onTable?.(name, count);
  }

  /** The row of a line as JSON text: numbers keep the digits that they have. */
  #rowOf(table: MovedTable, line: TravelingLine): string {
    const text = table.name === 'audit_entries' ? line.text : withOrganization(line.text, 0, this.#id);
    // One row: texts are put together as they stand.
    JSON.parse(text);
    // What is this deployment's own is never what the archive says.
    const added: Record<string, unknown> = {
      ...Object.fromEntries(table.own.map((column) => [column, null])),
      ...this.#ownValues(table, text, line),
    };
    if (line.integrator !== undefined) {
      added.integrator_id =
        line.integrator === '' ? Number(noIntegrator) : this.#integrators.get(line.integrator);
    }
    for (const column of table.sealed) {
      const open = line.open?.[column.sealed];
      if (open === undefined) continue;
      const id =
        column.idColumn === 'organization_id' ? String(this.#id) : String(JSON.parse(text)[column.idColumn]);
      const label = column.label(this.#id, id);
      const { wrapped, masterKeyId } = wrapKey(
        this.#masters![0],
        Buffer.from(open, 'base64'),
        label,
        strongRandomBytes,
      );
      added[column.sealed] = `\\x${Buffer.from(wrapped).toString('hex')}`;
      added[column.keyId] = masterKeyId;
      if (column.sealed === 'patient_number_sealed') {
        const number = patientNumberOf(Buffer.from(open, 'base64').toString());
        added.patient_number_digest = this.#sealer!.digests(number, label)[0];
      }
    }
    const more = JSON.stringify(added).slice(1);
    if (more === '}') return text;
    return text === '{}' ? `{${more}` : `${text.slice(0, -1)},${more}`;
  }

  /** What is this deployment's own. */
  #ownValues({ name }: MovedTable, text: string, { began }: TravelingLine): Record<string, unknown> {
    if (name === 'organizations') {
      return {
        suspended_at: new Date(this.#run.nowMs).toISOString(),
        suspended_because: 'imported',
        ends_at: null,
      };
    }
    if (name === 'client_keys') return { key_prefix: '' };
    if (name === 'state_connections') return { is_on: false };
    if (name === 'audit_chains') return { began_as: Number(began) };
    if (name === 'customer_documents') return { ...this.#documents.get(Number(JSON.parse(text).id)) };
    return {};
  }

  /** Other organizations may have a picture of that name: it is written once more for its time, and never changed. */
  async #keepPhoto(name: string, bytes: Buffer): Promise<void> {
    const { photos } = this.#run;
    const kept = await photos.get(name);
    if (kept === null || kept.equals(bytes)) await photos.put(name, bytes);
    this.#files.photos += 1;
  }

  async #keepDocument(id: number, bytes: Buffer): Promise<void> {
    const organization = organizationId(this.#id);
    const name = fileNameOf(organization, id, strongRandomBytes(8));
    const label = sealLabel(organization, id);
    this.#documentFiles.push(name);
    const { masterKeyId, wrapped } = await this.#run.documents.put(name, bytes, label, strongRandomBytes);
    this.#documents.set(id, {
      ...{ file_name: name, master_key_id: masterKeyId },
      wrapped_key: `\\x${Buffer.from(wrapped).toString('hex')}`,
    });
    this.#files.documents += 1;
  }

  /** Deletes the files of documents. Photos, which organizations may share, are cleared with others that no row names. */
  async undo(): Promise<void> {
    for (const name of this.#documentFiles) await this.#run.documents.delete(name).catch(() => {});
  }

  async finish(): Promise<ImportedOrganization> {
    const { client } = this.#run;
    const manifest = this.#manifest;
    const sums = this.#sums;
    if (manifest === undefined || sums === undefined) throw new UnfitArchive('the archive ends early');
    await this.#compare(sums);
    await client.query('select note_searches_of_organization($1)', [this.#id]);
    await this.#goBeyondItsIds();
    const { name, id: formerId } = manifest.organization;
    return { id: organizationId(this.#id), name, formerId, sums, integrators: this.#made };
  }

  /** What stands here now gives the same lines as what was exported. */
  async #compare(sums: MoveSums): Promise<void> {
    const { client, documents } = this.#run;
    const reading = await openReading(client, this.#id, documents);
    for (const table of this.#tables) {
      const sum = new LineSum();
      for await (const lines of readRows(reading, table)) for (const line of lines) sum.add(line);
      const { rows, digest } = sums.tables[table.name] ?? { rows: 0, digest: '0'.repeat(32) };
      if (sum.sum.rows === rows && sum.sum.digest === digest) continue;
      throw new UnfitArchive(
        `${table.name}: ${sum.sum.rows} rows with the sum ${sum.sum.digest} came in, the archive says ${rows} with ${digest}`,
      );
    }
    for (const kind of ['photos', 'documents'] as const) {
      if (this.#files[kind] !== sums[kind]) {
        throw new UnfitArchive(`${this.#files[kind]} ${kind} came in, the archive says ${sums[kind]}`);
      }
    }
  }

  /** The next ids of this deployment are above those that came in. */
  async #goBeyondItsIds(): Promise<void> {
    const { client } = this.#run;
    await client.query(
      `select setval('record_id_blocks', greatest($1::bigint, pg_sequence_last_value('record_id_blocks'), 1))`,
      [this.#manifest!.idBlock],
    );
    const highest = new Map<string, bigint>();
    const note = async (column: string, table: string, sequence: string) => {
      const { rows } = await client.query<{ highest: string | null }>(
        `select max(${quoted(column)})::text as highest from ${quoted(table)} where organization_id = $1`,
        [this.#id],
      );
      if (rows[0]!.highest === null) return;
      const number = BigInt(rows[0]!.highest);
      if (number > numberMax)
        throw new UnfitArchive(`${table}: its numbers are higher than any deployment has`);
      highest.set(sequence, number);
    };
    for (const { name, counted } of this.#tables) {
      for (const column of counted) await note(column, name, `${name}_${column}_seq`);
    }
    await note('announced', 'outbox_events', 'outbox_announcements');
    if (await isDistributedHere(client)) return numberAbove(client, this.#id, highest);
    for (const [sequence, least] of highest) {
      await client.query(
        'select setval($1::regclass, greatest($2::bigint, pg_sequence_last_value($1::regclass)))',
        [quoted(sequence), least],
      );
    }
  }
}

/**
 * The rows in `$2` of the organization `$1`. On several servers they are made beside its own row: rows that are selected from no table
 * come by a copy, which row-level security forbids to all but superusers.
 */
function rowsFor(name: string, columns: readonly string[]): string {
  if (name === 'organizations') {
    const row = '(json_populate_record(null::organizations, $2::json -> 0))';
    return `values (${['$1::bigint', ...columns.map((column) => `${row}.${column}`)].join(', ')})`;
  }
  return `select ${['o.id', ...columns.map((column) => `r.${column}`)].join(', ')}
            from (select id from organizations where id = $1::bigint) o
           cross join json_populate_recordset(null::${quoted(name)}, $2::json) r`;
}

/** As customers are searched by it: case, hyphens and spaces say nothing. */
const patientNumberOf = (text: string) => text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');

/** Nothing of it is taken on trust: its numbers become ids, and the next ones of this deployment. */
const manifestCheck = lazily(() =>
  new Ajv().compile<MoveManifest>(
    Type.Object({
      format: Type.Literal('dispensary-organization'),
      version: Type.Literal(1),
      schema: Type.String(),
      organization: Type.Object({ id: WholeNumber(Number.MAX_SAFE_INTEGER), name: Type.String() }),
      integrators: Type.Array(Type.String()),
      // A thousand ids each.
      idBlock: WholeNumber(1e12),
    }),
  ),
);

interface TravelingLine {
  readonly text: string;
  readonly integrator?: string;
  readonly open?: Readonly<Record<string, string>>;
  readonly began?: string;
}

async function bytesOf(entry: Entry): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of entry) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new UnfitArchive('the archive is damaged: a part of it is no JSON');
  }
}
