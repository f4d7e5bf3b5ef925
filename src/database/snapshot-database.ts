import { assert } from '../kernel/assert.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { type ConnectionConfig, Database } from './database.ts';
import { patientDeadlines } from './deadlines.ts';
import { type BoundStatement, statement } from './statement.ts';

/** Keeps the transaction that the batch is, which is repeatable and reads only, open after it. */
const keepSnapshot = statement<Record<never, never>, never>('keep_snapshot', 'begin');

const selectSnapshot = statement<Record<never, never>, { snapshot: string }>(
  'select_snapshot',
  'select pg_current_snapshot()::text as snapshot',
);

/**
 * A database as it was at the first read: whatever others write meanwhile, all further reads see the same. For what has
 * to fit together and takes many reads. It has one connection, and writes nothing; whoever is done closes it.
 */
export class SnapshotDatabase extends Database {
  #snapshot: Promise<string> | null = null;

  constructor(connection: ConnectionConfig) {
    super(connection, 1, undefined, patientDeadlines);
  }

  override async read<Given extends readonly (BoundStatement<unknown> | null)[]>(
    organizationId: OrganizationId,
    ...statements: Given
  ): ReturnType<typeof Database.prototype.read<Given>> {
    this.#snapshot ??= super
      .read(organizationId, keepSnapshot({}), selectSnapshot({}))
      .then(([, [row]]) => row!.snapshot);
    const first = await this.#snapshot;
    const [[row], ...rows] = await super.read(organizationId, selectSnapshot({}), ...statements);
    // Another one is another connection: the first was lost, and its snapshot with it.
    assert(row!.snapshot === first, 'the connection that held the snapshot is gone');
    // What is left are the rows of what was asked for.
    return rows as unknown as Awaited<ReturnType<typeof Database.prototype.read<Given>>>;
  }

  override async readBatched<Row>(
    organizationId: OrganizationId,
    statement: BoundStatement<Row>,
  ): Promise<Row[]> {
    const [rows] = await this.read(organizationId, statement);
    return rows;
  }

  override write(): never {
    throw new TypeError('a snapshot is not written to');
  }
}
