import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { type DatabaseDeadlines, patientDeadlines } from '../connections/deadlines.ts';
import { type BoundStatement, statement } from '../statements/statement.ts';
import { type ConnectionConfig, Database } from './database.ts';

/** Keeps the batch's transaction (repeatable read, read only) open after it. */
const keepSnapshot = statement<Record<never, never>, never>('keep_snapshot', 'begin');

/** With its session: on a coordinator of several servers two sessions can have the same snapshot, because others write. */
const selectSnapshot = statement<Record<never, never>, { snapshot: string }>(
  'select_snapshot',
  `select concat(pg_backend_pid(), ' ', pg_current_snapshot()) as snapshot`,
);

/**
 * A database as of its first read: all further reads use the same snapshot. For work that needs many consistent reads.
 * It has one connection and refuses writes; its user closes it.
 */
export class SnapshotDatabase extends Database {
  #snapshot: Promise<string> | null = null;
  protected override readonly closesReads = false;

  constructor(connection: ConnectionConfig, deadlines: DatabaseDeadlines = patientDeadlines) {
    super(connection, 1, undefined, deadlines);
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
    // Another snapshot means another connection: the first one was lost.
    assert(row!.snapshot === first, 'the connection that held the snapshot is gone');
    // The rest are the rows that the caller asked for.
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
    throw new TypeError('a snapshot is read only');
  }
}
