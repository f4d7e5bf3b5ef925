/**
 * Front door of retention (D76): what is kept for a time only, for how long, and the job that deletes the rest. Orders, the stock
 * ledger and the audit log are kept for ever. Each slice deletes its own rows; here is who comes when. Owns `stray_files`.
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
