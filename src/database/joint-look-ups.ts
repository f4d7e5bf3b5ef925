import type { OrganizationId } from '../kernel/ids.ts';
import type { Database } from './database.ts';
import { Gatherings } from './gatherings.ts';
import type { BoundStatement } from './statement.ts';

/** An index is asked for each: so many take a millisecond. */
const idsMax = 100;

/**
 * Look-ups of rows by their UUID. Those of an organization that are asked for at the same time are one statement, on a
 * snapshot of a moment after all of them asked: the round trip is most of what one costs, and the statement the rest.
 */
export class JointLookUps<Row extends { readonly id: string }> {
  readonly #gatherings: Gatherings<OrganizationId, Set<string>, ReadonlyMap<string, Row>>;

  /** @param select the rows of these ids; none for ids that are nobody's */
  constructor(
    database: Pick<Database, 'read'>,
    select: (parameters: { readonly ids: readonly string[] }) => BoundStatement<Row>,
  ) {
    this.#gatherings = new Gatherings({
      newBatch: () => new Set(),
      isFull: (ids) => ids.size >= idsMax,
      run: async (organization, ids) => {
        const [rows] = await database.read(organization, select({ ids: [...ids] }));
        return new Map(rows.map((row) => [row.id, row]));
      },
    });
  }

  /** The row; undefined when the organization has none of this id, which must be a UUID. */
  async find(organization: OrganizationId, id: string): Promise<Row | undefined> {
    // As the database writes it.
    const written = id.toLowerCase();
    const { batch, result } = this.#gatherings.join(organization);
    batch.add(written);
    return (await result).get(written);
  }
}
