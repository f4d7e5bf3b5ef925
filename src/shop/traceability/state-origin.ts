import type { Origin } from '../../platform/database/context.ts';

/** Who changes what the state says: the job. */
export const stateOrigin: Origin = { actor: 'job:state-reports', requestId: null };
