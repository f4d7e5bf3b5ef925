/**
 * Front door of organizations that move between deployments (D110). Owns no table: it reads and writes the rows of one organization in
 * every table, without knowing what they mean. Does not say what a suspended organization may do.
 */
export { exportOrganization } from './export-organization.ts';
export { importOrganization, UnfitArchive } from './import-organization.ts';
export {
  announceMoveOut,
  endAfter,
  graceDays,
  opensAfterImport,
  shownStanding,
  tablesLogin,
} from './operate-organization.ts';
export { takeInOrganization } from './take-in-organization.ts';
