import { type OrganizationId, organizationId } from '../kernel/ids.ts';

/** A job that runs until it is stopped; stopping waits for the turn under way. */
export interface RunningJob {
  stop(): Promise<void>;
}

interface JobLog {
  error(fields: object, message: string): void;
}

/**
 * Does something for every organization, one after the other, now and again every `periodMs`. One whose turn fails is
 * logged and has its next turn with the others.
 */
export function startForEachOrganization(job: {
  /** What is logged when a turn fails. */
  readonly failureMessage: string;
  readonly periodMs: number;
  readonly listOrganizations: () => Promise<readonly { readonly id: number }[]>;
  readonly logger: JobLog;
  readonly work: (organization: OrganizationId) => Promise<void>;
}): RunningJob {
  const { failureMessage, logger } = job;
  let isStopping = false;
  let pass: Promise<void> | undefined;

  async function workFor(organization: OrganizationId): Promise<void> {
    try {
      await job.work(organization);
    } catch (error) {
      logger.error({ err: error, organizationId: organization }, failureMessage);
    }
  }

  async function workForAll(): Promise<void> {
    try {
      for (const { id } of await job.listOrganizations()) {
        if (isStopping) return;
        await workFor(organizationId(id));
      }
    } catch (error) {
      logger.error({ err: error }, 'organizations could not be listed');
    }
  }

  const begin = (): void => {
    pass ??= workForAll().finally(() => {
      pass = undefined;
    });
  };
  begin();
  const timer = setInterval(begin, job.periodMs);
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await pass;
    },
  };
}
