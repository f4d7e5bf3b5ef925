import type { Context } from '../database/context.ts';
import { type RunningJob, startForEachOrganization } from '../database/each-organization.ts';
import type { RequestLog } from '../http/endpoint.ts';
import { purgeApiRequests } from './purge-api-requests.ts';

const periodMs = 3_600_000;

/** Deletes entries older than 30 days from the request log of all organizations, now and every hour. */
export function startApiRequestRetention(
  context: Context,
  listOrganizations: () => Promise<readonly { readonly id: number }[]>,
  logger: RequestLog,
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'logged requests could not be purged',
    periodMs,
    listOrganizations,
    logger,
    work: async (organization) => {
      const count = await purgeApiRequests(context, organization);
      if (count > 0) logger.info({ organizationId: organization, count }, 'logged requests purged');
    },
  });
}
