/**
 * Front door of retention (D76): which rows expire, after how long, and the job that deletes them. Orders, the stock ledger and
 * the audit log never expire. Each slice deletes its own rows; the job calls the slices in turn. Owns `stray_files`.
 */
export { type PrunedKind, pruneInTurns, startPruning } from './prune-in-turns.ts';
export { retainedKinds } from './retained-kinds.ts';
export {
  type BacklogOfKind,
  backlogOf,
  type RetainedKindName,
  readBacklog,
  retainedKindNames,
} from './retention-backlog.ts';
export { RetentionMetrics } from './retention-metrics.ts';
export { clearStrayFiles, startClearingStrayFiles } from './stray-files.ts';
export { clearStrayObjects } from './stray-objects.ts';
