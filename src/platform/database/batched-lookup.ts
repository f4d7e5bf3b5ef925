import type { OrganizationId } from '../../kernel/ids.ts';
import { Batcher } from '../connections/batcher.ts';
import type { BoundStatement } from '../statements/statement.ts';
import type { Database } from './database.ts';

/** Each id is an index look-up; a hundred take about a millisecond. */
const idsMax = 100;

/**
 * Looks rows up by UUID. Look-ups that an organization asks for at the same time become one statement, on a snapshot
 * taken after all of them asked. Most of the cost of a single look-up is its round trip.
 */
export class BatchedLookup<Row extends { readonly id: string }> {
  readonly #batcher: Batcher<OrganizationId, Set<string>, ReadonlyMap<string, Row>>;

  /** @param select returns the rows of these ids, and no row for an unknown id */
  constructor(
    database: Pick<Database, 'read'>,
    select: (parameters: { readonly ids: readonly string[] }) => BoundStatement<Row>,
  ) {
    this.#batcher = new Batcher({
      newBatch: () => new Set(),
      isFull: (ids) => ids.size >= idsMax,
      run: async (organization, ids) => {
        const [rows] = await database.read(organization, select({ ids: [...ids] }));
        return new Map(rows.map((row) => [row.id, row]));
      },
    });
  }

  /** Returns the row, or undefined when the organization has none with this id. The id must be a UUID. */
  async find(organization: OrganizationId, id: string): Promise<Row | undefined> {
    // PostgreSQL writes UUIDs in lower case.
    const written = id.toLowerCase();
    const { batch, result } = this.#batcher.join(organization);
    batch.add(written);
    return (await result).get(written);
  }
}
