import { facilityRoutes } from './facility-desk.ts';
import { hookRoutes } from './hook-desk.ts';
import { itemWriteRoutes } from './item-writes.ts';
import { labRoutes } from './lab-desk.ts';
import { ledgerRoutes } from './ledger-desk.ts';
import { packageListRoutes } from './package-lists.ts';
import { packageWriteRoutes } from './package-writes.ts';
import { patientRoutes } from './patient-desk.ts';
import { locationRoutes } from './place-desk.ts';
import { receiptRoutes } from './receipt-desk.ts';
import { sandboxRoutes } from './sandbox-desk.ts';
import type { Route } from './state-route.ts';
import { vocabularyRoutes } from './state-vocabulary.ts';
import { tagRoutes } from './tag-desk.ts';
import { transferRoutes } from './transfer-desk.ts';
import { tripRoutes } from './trip-desk.ts';

/** Every endpoint of the state's system that a shop can need. */
export const stateRoutes: readonly Route[] = [
  ...facilityRoutes,
  ...vocabularyRoutes,
  ...receiptRoutes,
  ...tripRoutes,
  ...ledgerRoutes,
  ...patientRoutes,
  ...packageListRoutes,
  ...packageWriteRoutes,
  ...itemWriteRoutes,
  ...locationRoutes,
  ...transferRoutes,
  ...labRoutes,
  ...tagRoutes,
  ...hookRoutes,
  ...sandboxRoutes,
];
