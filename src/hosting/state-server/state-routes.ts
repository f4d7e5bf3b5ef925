import { facilityRoutes } from './facility-desk.ts';
import { packageListRoutes } from './package-lists.ts';
import { packageWriteRoutes } from './package-writes.ts';
import { receiptRoutes } from './receipt-desk.ts';
import { sandboxRoutes } from './sandbox-desk.ts';
import type { Route } from './state-route.ts';
import { vocabularyRoutes } from './state-vocabulary.ts';

/** Every endpoint of the state's system that a shop can need. */
export const stateRoutes: readonly Route[] = [
  ...facilityRoutes,
  ...vocabularyRoutes,
  ...receiptRoutes,
  ...packageListRoutes,
  ...packageWriteRoutes,
  ...sandboxRoutes,
];
