/**
 * Front door of the in-store queue (D55). Owns `queue_entries`: customers who wait at the front desk, and admitted
 * customers who wait for a station. A unique index gives each customer at most one entry. The queue reads orders only
 * to tell first visits.
 */

export { importQueue } from './import-queue.ts';
export {
  deleteOldVisits,
  eraseQueueEntries,
  moveQueueEntries,
  selectQueueVisits,
} from './visits-of-customer.ts';
