import type { OrganizationId } from '../../kernel/ids.ts';
import type { DatabaseDeadlines } from '../../platform/connections/deadlines.ts';
import type { ConnectionConfig } from '../../platform/database/database.ts';
import { SnapshotDatabase } from '../../platform/database/snapshot-database.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import type { FindingList, Named } from './finding.ts';

/** PostgreSQL's code for a statement that took longer than its time. */
const timedOut = '57014';

/**
 * One snapshot of the data, read only, beside a service that writes. A statement that fails because of damage becomes a finding,
 * and the next one gets a new snapshot.
 */
export class VerifiedSnapshot {
  readonly #connection: ConnectionConfig;
  readonly #deadlines: DatabaseDeadlines;
  readonly #found: FindingList;
  #database: SnapshotDatabase;

  constructor(connection: ConnectionConfig, deadlines: DatabaseDeadlines, found: FindingList) {
    this.#connection = connection;
    this.#deadlines = deadlines;
    this.#found = found;
    this.#database = new SnapshotDatabase(connection, deadlines);
  }

  /** The rows of a statement; none if it failed. */
  async rows<Row>(
    check: Named,
    organization: OrganizationId,
    statement: BoundStatement<Row>,
  ): Promise<readonly Row[]> {
    const result = await this.run(check, organization, (database) => database.read(organization, statement));
    return result?.[0] ?? [];
  }

  /** The result of some work on the snapshot; null if it failed. */
  async run<Result>(
    check: Named,
    organization: OrganizationId,
    work: (database: SnapshotDatabase) => Promise<Result>,
  ): Promise<Result | null> {
    try {
      return await work(this.#database);
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      await this.#database.close();
      this.#database = new SnapshotDatabase(this.#connection, this.#deadlines);
      if (code === timedOut) {
        this.#found.skipped(check, 'it took too long');
        return null;
      }
      this.#found.add(check, {
        ...{
          organizationId: organization,
          place: 'the database',
          row: null,
          orderNumber: null,
          isDamage: true,
        },
        words: message,
      });
      return null;
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
