/**
 * Front door of verification (D77): whether data is whole. Reads all tables and files and owns none; changes nothing. Each
 * check says what it promises, and names what breaks the promise: table, row, order, file. Repairs nothing: `reconcile` does that
 * for sums, a backup for the rest.
 */

export type { VerifiedFiles } from './file-checks.ts';
export type { VerificationFinding, VerificationReport } from './finding.ts';
export { reportLines } from './report-lines.ts';
export { type OrderSummary, selectOrderSummary } from './restored-queries.ts';
export { startVerifyingLatest } from './verify-after-crash.ts';
export { type QuickLook, type VerifiedData, verifyAll, verifyLatest } from './verify-data.ts';
