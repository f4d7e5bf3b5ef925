import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RequestLog } from '../../platform/http/endpoint.ts';
import { freeJob } from '../../platform/jobs/free-job.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';
import { selectMenuImport } from './menu-import-queries.ts';
import { endImport, TakenOver } from './menu-run.ts';
import { leaveImportRun, selectOrganizationsWithSilentRuns, selectSilentRuns } from './menu-run-queries.ts';
import { menuTask } from './run-menu-import.ts';

const lookEveryMs = 5_000;
/** A process says all three seconds that it is alive. */
const silentMs = 15_000;

const died =
  'The service ended in the middle of this run, perhaps because of the file. What was done until then stays. Start it again; if it ends this way twice, split the file into smaller ones.';

/**
 * Ends the runs of processes that have died. A process that was only cut off from the database speaks again when it is back, so a
 * run ends when it was silent at two looks, and said nothing in between.
 */
export class SilentRuns {
  readonly #context: Context;
  readonly #silentMs: number;
  /** By organization and import, its last word at the former look. */
  readonly #lastWords = new Map<string, number>();

  constructor(context: Context, silent = silentMs) {
    this.#context = context;
    this.#silentMs = silent;
  }

  async look(organization: OrganizationId): Promise<void> {
    const { database } = this.#context;
    const [silent] = await database.read(organization, selectSilentRuns({ silentMs: this.#silentMs }));
    for (const { id, process_id: processId, alive_at: aliveAt } of silent) {
      const key = `${organization} ${id}`;
      const isSecondLook = this.#lastWords.get(key) === aliveAt;
      this.#lastWords.set(key, aliveAt);
      if (!isSecondLook) continue;
      this.#lastWords.delete(key);
      await this.#end(organization, id, processId);
    }
  }

  async #end(organization: OrganizationId, id: number, processId: string): Promise<void> {
    const context = this.#context;
    const [[row]] = await context.database.read(organization, selectMenuImport({ id }));
    if (row === undefined) return;
    if (row.status === 'undoing') {
      // It reads no file, so it goes on.
      await context.database.write(organization, async (tx) => {
        tx.queue(leaveImportRun({ id, processId }));
      });
    } else {
      const origin = { actor: `staff:${row.run_by}` as const, requestId: null };
      await endImport({ context, organization, origin, row }, 'failed', died).catch((problem: Error) => {
        if (!(problem instanceof TakenOver)) throw problem;
      });
    }
    await freeJob(context.database, menuTask, organization, id);
  }
}

/** Looks for runs of dead processes of all organizations. `operator` is connected as the owner. */
export function startEndingSilentRuns(
  context: Context,
  operator: Pick<Database, 'global'>,
  logger: RequestLog,
): RunningJob {
  const silentRuns = new SilentRuns(context);
  return startForEachOrganization({
    failureMessage: 'imports of ended processes could not be ended',
    periodMs: lookEveryMs,
    listOrganizations: () => operator.global(selectOrganizationsWithSilentRuns({ silentMs })),
    logger,
    work: (organization) => silentRuns.look(organization),
  });
}
