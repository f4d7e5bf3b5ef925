import type { Context, Origin } from '../database/context.ts';
import type { RequestLog } from '../http/endpoint.ts';
import { type OrganizationId, organizationId } from '../kernel/ids.ts';
import type { SealedFiles } from '../storage/sealed-files.ts';
import { purgeDocuments } from './purge-documents.ts';

const periodMs = 3_600_000;
const origin: Origin = { actor: 'job:document-retention', requestId: null };

/** A job that runs until it is stopped; stopping waits for the pass under way. */
export interface RunningJob {
  stop(): Promise<void>;
}

/**
 * Deletes documents whose retention has ended, now and every hour, of all organizations. One whose turn fails is
 * logged and has its next turn an hour later, like the rest.
 */
export function startRetention(
  context: Context,
  files: SealedFiles,
  listOrganizations: () => Promise<readonly { readonly id: number }[]>,
  logger: RequestLog,
): RunningJob {
  let isStopping = false;
  let pass: Promise<void> | undefined;

  async function purgeOne(organization: OrganizationId): Promise<void> {
    try {
      const count = await purgeDocuments(context, files, origin, organization);
      if (count > 0) logger.info({ organizationId: organization, count }, 'documents purged');
    } catch (error) {
      logger.error({ err: error, organizationId: organization }, 'documents could not be purged');
    }
  }

  async function purgeAll(): Promise<void> {
    try {
      for (const { id } of await listOrganizations()) {
        if (isStopping) return;
        await purgeOne(organizationId(id));
      }
    } catch (error) {
      logger.error({ err: error }, 'organizations could not be listed');
    }
  }

  const begin = (): void => {
    pass ??= purgeAll().finally(() => {
      pass = undefined;
    });
  };
  begin();
  const timer = setInterval(begin, periodMs);
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await pass;
    },
  };
}
