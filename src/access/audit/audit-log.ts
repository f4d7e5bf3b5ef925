/**
 * Front door of reading the audit log: its list and its export. Owns no table; events writes the entries.
 */
export { announceAuditExport, auditExportLines, auditFormats, exportAuditEntries } from './export-audit.ts';
