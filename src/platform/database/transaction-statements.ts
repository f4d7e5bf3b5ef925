import type { OrganizationId } from '../../kernel/ids.ts';
import { currentTraceparent } from '../../kernel/tracing.ts';
import { holdPart } from '../connections/for-distributed.ts';
import type { PipelineStatement } from '../connections/pipeline.ts';

/* Statements that begin and end a transaction. */

/** READ COMMITTED: a write that waited for a lock sees the state after it. */
export const begin: PipelineStatement = {
  name: 'begin_write',
  text: 'begin isolation level read committed, read write',
  values: [],
};
export const commit: PipelineStatement = { name: 'commit', text: 'commit', values: [] };
/** A write inside another transaction can fail or restart independently. */
export const beginAmbient: PipelineStatement = {
  name: 'begin_ambient',
  text: 'savepoint ambient',
  values: [],
};
export const endAmbient: PipelineStatement = {
  name: 'end_ambient',
  text: 'release savepoint ambient',
  values: [],
};

/*
 * Writes that are done for the time they take, or kept: they begin alike and end alike. Not for tries whose failure is awaited: an error
 * of a queued statement ends the transaction.
 */
export const beginTrial: PipelineStatement = { name: 'begin_trial', text: 'savepoint trial', values: [] };
export const keepTrial: PipelineStatement = {
  name: 'keep_trial',
  text: 'release savepoint trial',
  values: [],
};
export const undoTrial: PipelineStatement = {
  name: 'undo_trial',
  text: 'rollback to savepoint trial',
  values: [],
};

/** Transaction-local, so a pooled connection never carries one organization over to the next use. */
export function enterTenant(organizationId: OrganizationId): PipelineStatement {
  return {
    name: 'enter_tenant',
    text: `select set_config('app.organization_id', $1, true)`,
    values: [String(organizationId)],
  };
}

/** The events and jobs of the transaction name the trace that they continue; without a trace there is no statement. */
function enterTrace(): PipelineStatement[] {
  const traceparent = currentTraceparent();
  if (traceparent === undefined) return [];
  return [
    { name: 'enter_trace', text: `select set_config('app.traceparent', $1, true)`, values: [traceparent] },
  ];
}

/** Begins a write of one organization. */
export function openingOfWrite(organizationId: OrganizationId, isDistributed: boolean): PipelineStatement[] {
  const held = isDistributed ? [holdPart(organizationId)] : [];
  return [begin, enterTenant(organizationId), ...enterTrace(), ...held];
}

/** Rolls back a write inside another transaction, and keeps the other. */
export const undoAmbient = 'rollback to savepoint ambient';
