import { createStaffClient } from '../../sdk/src/staff-client.ts';
import { watchedFetch } from './parts/watched-fetch.ts';
import { approvedFetch } from './session/manager-approvals.ts';
import { provenFetch } from './session/proven-fetch.ts';

export { ApiFailure } from '../../sdk/src/api-failure.ts';
export { dataOf, ifUnchanged, type Schema, type StaffPaths } from '../../sdk/src/staff-client.ts';

/** The client of the staff operations, with this browser's session cookie. All screens use it and no other. */
export const api = createStaffClient({ fetch: approvedFetch(provenFetch(watchedFetch)) });
