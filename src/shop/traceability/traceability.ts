/**
 * Front door of traceability. Owns the tables state_*: how a license reports to its state, what the state is told, and what was read of
 * its receipts. A report is written in the transaction of what happened, never changes, and is sent until the state has it;
 * what may be at the state is looked for before it is sent again. Does not decide sales or stock.
 */

export { resealStateKeys } from './connection-keys.ts';
export { selectConnections } from './connection-queries.ts';
export { probeConnection } from './probe-connection.ts';
export { startRemindingOfReports } from './remind-of-reports.ts';
export { reportWaste } from './report-adjustment.ts';
export { reportSale } from './report-sale.ts';
export { reportLoading, reportStopBack, reportTripStep } from './report-trip.ts';
export { selectReportedState, shownReportedState } from './reported-state.ts';
export { changeConnection, createConnection } from './save-connection.ts';
export { stateAsTold, toldSoFar } from './state-as-told.ts';
export { StateClients } from './state-clients.ts';
export { selectAlarmingReports } from './state-report-list.ts';
export { StateReporter, startReporting } from './state-reporter.ts';
export { knownTrips } from './told-trips.ts';
