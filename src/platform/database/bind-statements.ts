import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { PipelineRow, PipelineStatement } from '../connections/pipeline.ts';
import { type BoundStatement, organizationPlaceholder, type SqlValue } from '../statements/statement.ts';

/** The statements of a round trip; null for one that this request does not need. */
export type Statements = readonly (BoundStatement<unknown> | null)[];

/** The rows of each statement of a round trip. */
export type RowsOf<Given extends Statements> = {
  [Index in keyof Given]: NonNullable<Given[Index]> extends BoundStatement<infer Row> ? Row[] : never;
};

/** Binds the statements that are not null to the organization. */
export function bindAll(statements: Statements, organizationId: OrganizationId): PipelineStatement[] {
  return statements.flatMap((statement) =>
    statement === null ? [] : [bindTenant(statement, organizationId)],
  );
}

/** Gives each statement its rows; an omitted statement gets none. */
export function rowsOf<Given extends Statements>(
  statements: Given,
  sent: readonly PipelineRow[][],
): RowsOf<Given> {
  let at = 0;
  return statements.map((statement) => (statement === null ? [] : sent[at++])) as RowsOf<Given>;
}

/** Prepares a statement on global tables for sending. */
export function bindGlobal(statement: BoundStatement<unknown>): PipelineStatement {
  const values = statement.values.map((value) => {
    assert(value !== organizationPlaceholder, () => `${statement.name} belongs to an organization`);
    return value as SqlValue;
  });
  return { name: statement.name, text: statement.text, values };
}

/** Prepares a tenant statement for sending: binds the organization. */
export function bindTenant(
  statement: BoundStatement<unknown>,
  organizationId: OrganizationId,
): PipelineStatement {
  const fill = (values: BoundStatement<unknown>['values']) =>
    values.map((value) => (value === organizationPlaceholder ? organizationId : value));
  const { name, text, onDistributed } = statement;
  const bound = { name, text, values: fill(statement.values) };
  if (onDistributed === undefined) return bound;
  return { ...bound, onDistributed: { text: onDistributed.text, values: fill(onDistributed.values) } };
}
