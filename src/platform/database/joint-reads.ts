import type { OrganizationId } from '../../kernel/ids.ts';
import { Batcher } from '../connections/batcher.ts';
import type { PipelineRow, PipelineStatement } from '../connections/pipeline.ts';
import type { SqlValue } from '../statements/statement.ts';

/** Statements of one batch, by name and values: equal statements are sent once. */
type JointRead = Map<string, PipelineStatement>;

/** Reads of an organization that share a round trip. */
export type JointReads = Batcher<OrganizationId, JointRead, ReadonlyMap<string, PipelineRow[]>>;

/** The statements of a batch wait for each other, so their number is limited. */
const jointStatementsMax = 32;

/** `opening`: the statements that begin a read of the organization; `read` sends a batch. */
export function newJointReads(
  openingOf: (organizationId: OrganizationId) => readonly PipelineStatement[],
  read: (batch: readonly PipelineStatement[], organizationId: OrganizationId) => Promise<PipelineRow[][]>,
): JointReads {
  return new Batcher({
    newBatch: () => new Map(),
    isFull: (statements) => statements.size >= jointStatementsMax,
    run: async (organizationId, statements) => {
      const opening = openingOf(organizationId);
      const rows = await read([...opening, ...statements.values()], organizationId);
      return new Map([...statements.keys()].map((key, index) => [key, rows[opening.length + index]!]));
    },
  });
}

/** Equal for statements whose rows are the same. */
export function jointKeyOf({ name, values }: PipelineStatement): string {
  return JSON.stringify([name, values.map(jsonValue)]);
}

/** JSON has no bigint. */
function jsonValue(value: SqlValue): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
