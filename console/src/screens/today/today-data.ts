import type { StaffPaths } from '../../api.ts';

/** The day so far, as the service reports it. */
export type Today =
  StaffPaths['/staff/v1/reports/today']['get']['responses'][200]['content']['application/json']['data'];
