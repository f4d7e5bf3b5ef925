import {
  deleteEndedSessions,
  deleteOldDevices,
  deleteOldIdentitySignIns,
  deleteOldLinks,
  deleteUnansweredChallenges,
  deleteUnfinishedSignIns,
  forgetAddressesOfRevokedKeys,
  purgeApiRequests,
} from '../access/organizations.ts';
import { eraseInactiveCustomers } from '../customer-records/customer-records.ts';
import { deleteEndedCustomerSessions, deleteOldCodes } from '../customers/customers.ts';
import type { Context, Origin } from '../database/context.ts';
import { pruneByStatement } from '../database/prune-step.ts';
import type { BoundStatement } from '../database/statement.ts';
import { purgeSomeDocuments } from '../documents/documents.ts';
import { purgeEvents } from '../events/purge-events.ts';
import { purgeIdempotencyKeys } from '../idempotency/kept-replies.ts';
import { deleteFormerImportChanges, deleteOldImportFiles } from '../imports/imports.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { deleteOldMails } from '../mail/mail.ts';
import { pruneExplanations } from '../orders/orders.ts';
import { deleteOldVisits } from '../queue/queue.ts';
import { deleteExpiredCarts } from '../registers/registers.ts';
import type { SealedFiles } from '../storage/sealed-files.ts';
import { purgeDeliveries } from '../webhooks/webhooks.ts';
import type { PrunedKind } from './prune-in-turns.ts';
import { keptMsOf, type RetainedKindName } from './retention-backlog.ts';

const rowsPerTransaction = 500;
/** Files of up to megabytes. */
const filesPerTransaction = 10;

const documentRetention: Origin = { actor: 'job:document-retention', requestId: null };

/** Every kind with its step: one short transaction of one organization. */
export function retainedKinds(context: Context, documentFiles: SealedFiles): PrunedKind[] {
  const byAge = (
    kind: RetainedKindName,
    deleteSome: (given: { before: string; limit: number }) => BoundStatement<unknown>,
    limit = rowsPerTransaction,
  ): PrunedKind['step'] => {
    const keptMs = Number(keptMsOf[kind]);
    return (organization) => {
      const before = isoTimestamp(context.clock.now() - keptMs);
      return pruneByStatement(context.database, organization, deleteSome({ before, limit }), limit);
    };
  };
  const steps: Readonly<Record<RetainedKindName, PrunedKind['step']>> = {
    events: (organization) => purgeEvents(context, organization),
    webhook_deliveries: (organization) => purgeDeliveries(context, organization),
    api_requests: (organization) => purgeApiRequests(context, organization),
    idempotency_keys: (organization) => purgeIdempotencyKeys(context, organization),
    explanations: (organization) => pruneExplanations(context, organization),
    documents: (organization) => purgeSomeDocuments(context, documentFiles, documentRetention, organization),
    mails: byAge('mails', deleteOldMails),
    inactive_customers: (organization) => eraseInactiveCustomers(context, organization),
    queue_visits: byAge('queue_visits', deleteOldVisits),
    parked_carts: byAge('parked_carts', deleteExpiredCarts),
    customer_codes: byAge('customer_codes', deleteOldCodes),
    customer_sessions: byAge('customer_sessions', deleteEndedCustomerSessions),
    staff_links: byAge('staff_links', deleteOldLinks),
    staff_sessions: byAge('staff_sessions', deleteEndedSessions),
    key_addresses: byAge('key_addresses', forgetAddressesOfRevokedKeys),
    staff_devices: byAge('staff_devices', deleteOldDevices),
    staff_half_sign_ins: byAge('staff_half_sign_ins', deleteUnfinishedSignIns),
    staff_identity_sign_ins: byAge('staff_identity_sign_ins', deleteOldIdentitySignIns),
    staff_passkey_challenges: byAge('staff_passkey_challenges', deleteUnansweredChallenges),
    import_files: byAge('import_files', deleteOldImportFiles, filesPerTransaction),
    import_changes: byAge('import_changes', deleteFormerImportChanges),
  };
  return Object.entries(steps).map(([name, step]) => ({ name: name as RetainedKindName, step }));
}
