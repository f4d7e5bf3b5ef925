/**
 * Front door of the in-store queue (D55). Owns `queue_entries`: who waits at the front desk, who is admitted and
 * waits for a station. Nobody stands in two places, held by a unique index. Does not know orders but for whether
 * somebody is here for the first time.
 */

export { importQueue, type WaitingCustomer } from './import-queue.ts';
export { eraseQueueEntries, moveQueueEntries, selectQueueVisits } from './visits-of-customer.ts';
