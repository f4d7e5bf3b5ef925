/** A node of a plan as EXPLAIN (ANALYZE, FORMAT JSON) says it, as far as it is read here. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** What a statement read to answer. */
export interface ReadCost {
  /** Rows of tables, also those that a filter took away. */
  readonly read: number;
  readonly answered: number;
  readonly blocks: number;
  /** By table, most rows first. */
  readonly tables: readonly (readonly [table: string, rows: number])[];
}

/** The cost of the one statement of an EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON). */
export function readCostOf([explained]: readonly { readonly Plan: PlanNode }[]): ReadCost {
  const { Plan: plan } = explained!;
  const tables = new Map<string, number>();
  const visit = (node: PlanNode): void => {
    const table = node['Relation Name'];
    // An index of a bitmap has no table; the scan above it counts.
    if (table !== undefined && node['Node Type'].includes('Scan')) {
      const rows =
        node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0);
      tables.set(table, (tables.get(table) ?? 0) + rows * node['Actual Loops']);
    }
    for (const part of node.Plans ?? []) visit(part);
  };
  visit(plan);
  const sorted = [...tables].sort(([, one], [, other]) => other - one);
  return {
    read: Math.round(sorted.reduce((sum, [, rows]) => sum + rows, 0)),
    answered: plan['Actual Rows'],
    blocks: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    tables: sorted.map(([table, rows]) => [table, Math.round(rows)]),
  };
}

const timesMax = 100;
/** Small tables are read whole: that is quicker than their index. */
const rowsFree = 1_000;

/** Whether a statement reads more than a hundred times what it answers, and more than a thousand rows. */
export function readsTooMuch({ read, answered }: ReadCost): boolean {
  return read > Math.max(rowsFree, timesMax * answered);
}
