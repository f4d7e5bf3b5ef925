import type { Context, Origin } from '../database/context.ts';
import { type RunningJob, startForEachOrganization } from '../database/each-organization.ts';
import type { RequestLog } from '../http/endpoint.ts';
import type { SealedFiles } from '../storage/sealed-files.ts';
import { purgeDocuments } from './purge-documents.ts';

const periodMs = 3_600_000;
const origin: Origin = { actor: 'job:document-retention', requestId: null };

/**
 * Deletes documents whose retention has ended, at the start and every hour, in all organizations. A failure in one
 * organization is logged and tried again an hour later.
 */
export function startRetention(
  context: Context,
  files: SealedFiles,
  listOrganizations: () => Promise<readonly { readonly id: number }[]>,
  logger: RequestLog,
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'documents could not be purged',
    periodMs,
    listOrganizations,
    logger,
    work: async (organization) => {
      const count = await purgeDocuments(context, files, origin, organization);
      if (count > 0) logger.info({ organizationId: organization, count }, 'documents purged');
    },
  });
}
