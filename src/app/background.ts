import { join } from 'node:path';
import { startRemindingOfKeys } from '../access/keys/keys.ts';
import { listOrganizations, startPruningOrganizations } from '../access/organizations/organizations.ts';
import { startRateLimitRetention } from '../access/rate-limits/shared-rate-limit-tokens.ts';
import {
  RetentionMetrics,
  readBacklog,
  retainedKinds,
  startClearingStrayFiles,
  startPruning,
} from '../hosting/retention/retention.ts';
import { openAnchorStores } from '../hosting/startup/audit-anchors.ts';
import type { OpenDatabase } from '../hosting/startup/open-database.ts';
import { startVerifyingLatest } from '../hosting/verification/verification.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import type { Database } from '../platform/database/database.ts';
import { startAnchoringAudit } from '../platform/events/anchor-audit.ts';
import { startLinkingAudit } from '../platform/events/audit-chain.ts';
import { networkWith } from '../platform/http/guarded-fetch.ts';
import { startJobs } from '../platform/jobs/job-runner.ts';
import { smtpTransport } from '../platform/mail/mail.ts';
import type { RunningJob } from '../platform/upkeep/each-organization.ts';
import { organizationsWithWork } from '../platform/upkeep/organizations-with-work.ts';
import { startContentCheck, startTendingPhotos } from '../shop/catalog/products.ts';
import { startKeepingSums } from '../shop/changes/changes.ts';
import { tripPeople } from '../shop/deliveries/deliveries.ts';
import { startEndingSilentRuns } from '../shop/imports/imports.ts';
import { startKeepingProductStocks } from '../shop/inventory/stock.ts';
import { stepOrder } from '../shop/orders/orders.ts';
import { type PaymentWork, paymentDeskOf, startPayments } from '../shop/payments/payments.ts';
import { startKeepingReportSums, startMailingReports } from '../shop/reports/reports.ts';
import { startRemindingOfReports, startReporting } from '../shop/traceability/traceability.ts';
import { startWebhookRetention, WebhookWorker } from '../shop/webhooks/webhooks.ts';
import { allEventTypes, allTasks, checksummedCollections } from './app.ts';
import type { Parts } from './serve.ts';
import { stateClients } from './state-calls.ts';
import type { WorkKind } from './work-kinds.ts';

/** Starts the work of the role `worker`: retention, sums, jobs and webhooks. Without the role there is none. */
export function startBackground(
  { config, context, blobs, documentFiles, logger, metrics, playedState }: Parts,
  { database, operator }: { readonly database: OpenDatabase; readonly operator: Database },
): RunningJob {
  if (!config.roles.includes('worker')) return { stop: async () => {} };
  const organizations = () => listOrganizations(operator);
  const withWork = (work: WorkKind) => (before: string) => organizationsWithWork(operator, work, before);
  const now = () => isoTimestamp(context.clock.now());
  const mailTransport = config.mail === undefined ? null : smtpTransport(config.mail);
  const workers = [
    startPruning({
      kinds: retainedKinds(context, documentFiles),
      backlog: (kind) => readBacklog(operator, kind, context.clock.now()),
      metrics: new RetentionMetrics(() => context.clock.now(), metrics.registry),
      logger,
    }),
    startClearingStrayFiles({
      ...{ context, operator, logger },
      folders:
        config.bucket === undefined
          ? { photos: join(config.dataDir, 'photos'), documents: join(config.dataDir, 'documents') }
          : {},
      objects: blobs.listed,
    }),
    startLinkingAudit(context, operator, logger),
    startAnchoringAudit(
      context,
      operator,
      openAnchorStores(config, (problem) => logger.warn({ problem }, 'the bucket of anchors failed')),
      logger,
    ),
    ...[startRateLimitRetention(context, logger), startRemindingOfKeys(context, operator, logger)],
    startReporting({
      ...{ context, logger, tripPeople: tripPeople(context), withWork: withWork('state_lanes') },
      clients: stateClients(context, config, playedState ?? undefined),
    }),
    startRemindingOfReports(context, withWork('late_state_reports'), metrics.registry, logger),
    startPruningOrganizations(context, operator, withWork('former_organizations'), logger),
    startKeepingSums(context, checksummedCollections(context), operator, logger),
    ...reportWork({ context, config, logger }, operator),
    startKeepingProductStocks(context, () => withWork('product_stock_changes')(now()), logger),
    ...[startContentCheck(context, organizations, logger), startEndingSilentRuns(context, operator, logger)],
    startTendingPhotos(context, blobs.photos, withWork('product_photos'), logger),
    startWebhookRetention(context, documentFiles.keys, logger),
    startPayments(paymentWork({ context, config, logger }, operator)),
    new WebhookWorker({
      context,
      operator,
      eventTypes: allEventTypes,
      keys: documentFiles.keys,
      network: networkWith(config.webhookHostsAllowed),
      logger,
    }).start(),
    ...(database.endedUncleanly
      ? [
          startVerifyingLatest(
            {
              ...{ context, serving: database.serving, collections: checksummedCollections },
              files: { documents: documentFiles, photos: blobs.photos, documentNames: null },
            },
            organizations,
            logger,
          ),
        ]
      : []),
    startJobs({
      connection: database.serving,
      database: context.database,
      tasks: allTasks(context, blobs.photos, mailTransport),
      logger,
      metrics,
    }),
  ];
  return {
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await mailTransport?.close();
    },
  };
}

/** The sums of reports are kept, and reports are mailed. */
function reportWork(
  { context, config: { publicUrl }, logger }: Pick<Parts, 'context' | 'config' | 'logger'>,
  operator: Database,
): RunningJob[] {
  const withWork = (work: WorkKind) => () =>
    organizationsWithWork(operator, work, isoTimestamp(context.clock.now()));
  const consoleUrl = publicUrl === undefined ? null : `${publicUrl}/console`;
  return [
    startKeepingReportSums(context, withWork('book_changes'), logger),
    startMailingReports(context, withWork('report_mails'), { consoleUrl, logger }),
  ];
}

/** An online order that was not paid in its time is canceled. */
function paymentWork(
  { context, config, logger }: Pick<Parts, 'context' | 'config' | 'logger'>,
  operator: Database,
): PaymentWork {
  paymentDeskOf(context).allow(config.paymentHostsAllowed).reportTo(logger);
  const origin = { actor: 'job:payments', requestId: null } as const;
  return {
    ...{ context, operator, logger },
    cancelOrder: async (organization, orderId, cancelationReason) => {
      const by = { staff: null, cancelationReason };
      await stepOrder(context, origin, organization, orderId, 'cancel', by, { from: ['draft', 'new'] });
    },
  };
}
