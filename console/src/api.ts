import { createStaffClient } from '../../sdk/src/staff-client.ts';
import { watchedFetch } from './parts/watched-fetch.ts';

export { ApiFailure } from '../../sdk/src/api-failure.ts';
export { dataOf, ifUnchanged, type Schema, type StaffPaths } from '../../sdk/src/staff-client.ts';

/** The staff operations, with the session cookie of this browser. Every screen asks by this, and by nothing else. */
export const api = createStaffClient({ fetch: watchedFetch });
