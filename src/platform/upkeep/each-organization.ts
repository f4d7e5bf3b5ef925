import { setTimeout as delay } from 'node:timers/promises';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';

/** A job that runs until it is stopped; stopping waits for the current run. */
export interface RunningJob {
  stop(): Promise<void>;
}

interface JobLog {
  error(fields: object, message: string): void;
}

/** The work of fewer organizations is done at once. */
const fewOrganizations = 100;
const restMsMax = 50;

/**
 * Runs a function for every organization, one after the other, every `periodMs`. A failure is logged; that organization
 * gets its next run with the others.
 */
export function startForEachOrganization(job: {
  /** The log message when a run fails. */
  readonly failureMessage: string;
  readonly periodMs: number;
  readonly listOrganizations: () => Promise<readonly { readonly id: number }[]>;
  readonly logger: JobLog;
  /** Rests between many organizations, so that all of them take half of the period at most. */
  readonly isSpread?: boolean;
  /** Long work asks between its steps whether it should stop. */
  readonly work: (organization: OrganizationId, isStopping: () => boolean) => Promise<void>;
}): RunningJob {
  const { failureMessage, logger } = job;
  let isStopping = false;
  let pass: Promise<void> | undefined;

  async function workFor(organization: OrganizationId): Promise<void> {
    try {
      await job.work(organization, () => isStopping);
    } catch (error) {
      logger.error({ err: error, organizationId: organization }, failureMessage);
    }
  }

  async function workForAll(): Promise<void> {
    try {
      const organizations = await job.listOrganizations();
      const isRested = job.isSpread && organizations.length > fewOrganizations;
      const restMs = Math.min(restMsMax, job.periodMs / 2 / organizations.length);
      for (const { id } of organizations) {
        if (isStopping) return;
        await workFor(organizationId(id));
        if (isRested) await delay(restMs);
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
