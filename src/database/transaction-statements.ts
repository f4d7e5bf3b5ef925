import type { OrganizationId } from '../kernel/ids.ts';
import type { PipelineStatement } from './pipeline.ts';

/* What begins and ends a transaction. */

/** Each statement of a write sees what others have committed: a write that waited for a lock looks at what is now. */
export const begin: PipelineStatement = {
  name: 'begin_write',
  text: 'begin isolation level read committed, read write',
  values: [],
};
export const commit: PipelineStatement = { name: 'commit', text: 'commit', values: [] };
/** A write inside another transaction can still fail, or begin anew, by itself. */
export const beginEnclosed: PipelineStatement = {
  name: 'begin_enclosed',
  text: 'savepoint enclosed',
  values: [],
};
export const endEnclosed: PipelineStatement = {
  name: 'end_enclosed',
  text: 'release savepoint enclosed',
  values: [],
};

/** Transaction-local, so a pooled connection never carries one organization over to another. */
export function enterTenant(organizationId: OrganizationId): PipelineStatement {
  return {
    name: 'enter_tenant',
    text: `select set_config('app.organization_id', $1, true)`,
    values: [String(organizationId)],
  };
}

/** Undoes a write inside another transaction, and leaves that as it was. */
export const undoEnclosed = 'rollback to savepoint enclosed';
