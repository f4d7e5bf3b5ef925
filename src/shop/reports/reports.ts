/**
 * Front door of the reports (D78). Owns the sums that reports of sales and taxes read, how far they go, and the changes that
 * are not in them yet, which triggers write. At every moment, sums and changes together equal the sums over the fulfilled orders
 * and their returns to the cent, each on the day of its money (D87). Also owns which reports are mailed to whom. Writes nothing else. Does not decide what an order costs or what a return refunds.
 */
export { bringReportSumsUpToDate, recountReportSums, startKeepingReportSums } from './keep-report-sums.ts';
export { startMailingReports } from './mail-reports.ts';
export { findReportDrift, type ReportDrift } from './report-drift.ts';
export { selectReportDays } from './report-queries.ts';
export { selectExpiringPackages, selectLowStock } from './today-queries.ts';
export { expiresWithinDays, soldWithinDays, unitsLeftMax } from './today-report.ts';
