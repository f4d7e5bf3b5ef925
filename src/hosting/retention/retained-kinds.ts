import { forgetAddressesOfRevokedKeys } from '../../access/keys/keys.ts';
import { purgeApiRequests } from '../../access/request-log/api-request-log.ts';
import { deleteEndedSessions, deleteOldDevices } from '../../access/sessions/sessions.ts';
import {
  deleteOldIdentitySignIns,
  deleteUnansweredChallenges,
  deleteUnfinishedSignIns,
} from '../../access/sign-in/staff-sign-in.ts';
import { deleteOldLinks } from '../../access/staff/staff.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { purgeEvents } from '../../platform/events/purge-events.ts';
import { purgeIdempotencyKeys } from '../../platform/idempotency/kept-replies.ts';
import { deleteOldMails } from '../../platform/mail/mail.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { pruneByStatement } from '../../platform/upkeep/prune-step.ts';
import { eraseInactiveCustomers } from '../../shop/customer-records/customer-records.ts';
import {
  deleteEndedCustomerSessions,
  deleteOldCodes,
  pruneLicenses,
} from '../../shop/customers/customers.ts';
import { forgetFormerPositions } from '../../shop/deliveries/deliveries.ts';
import { purgeSomeDocuments } from '../../shop/documents/documents.ts';
import { deleteFormerImportChanges, deleteOldImportFiles } from '../../shop/imports/imports.ts';
import { deleteOldMoveFiles } from '../../shop/moves/moves.ts';
import { pruneExplanations } from '../../shop/orders/orders.ts';
import { deleteOldVisits } from '../../shop/queue/queue.ts';
import { deleteExpiredCarts } from '../../shop/registers/registers.ts';
import { purgeDeliveries } from '../../shop/webhooks/webhooks.ts';
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
    scanned_licenses: (organization) => pruneLicenses(context, organization),
    mails: byAge('mails', deleteOldMails),
    inactive_customers: (organization) => eraseInactiveCustomers(context, organization),
    queue_visits: byAge('queue_visits', deleteOldVisits),
    parked_carts: byAge('parked_carts', deleteExpiredCarts),
    driver_positions: (organization) => forgetFormerPositions(context, organization),
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
    move_files: byAge('move_files', deleteOldMoveFiles, filesPerTransaction),
    import_changes: byAge('import_changes', deleteFormerImportChanges),
  };
  return Object.entries(steps).map(([name, step]) => ({ name: name as RetainedKindName, step }));
}
