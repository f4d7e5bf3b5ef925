import { createHash } from 'node:crypto';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { TryLater } from '../../platform/jobs/job-runner.ts';
import type { MenuImportRow } from './menu-import-queries.ts';
import { TakenOver } from './menu-run.ts';
import { holdImportRun, leaveImportRun, noteImportError } from './menu-run-queries.ts';

const sayEveryMs = 3_000;
/** So long it tries to leave a run while the database is away: otherwise the run would end as that of a dead process. */
const leavingTriesMax = 60;

interface Held {
  readonly context: Context;
  readonly organization: OrganizationId;
  readonly row: MenuImportRow;
  readonly processId: string;
}

/**
 * A run that this process does. It says all few seconds that it is alive; a run whose process no longer does ends with a reason
 * (menu-import-watch.ts), because the next process would die of the same file.
 */
export class HeldRun {
  readonly #held: Held;
  readonly #ended = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #isLeft = false;

  /** Fails with TryLater while another process has the run. */
  static async take(
    context: Context,
    organization: OrganizationId,
    row: MenuImportRow,
    processId: string,
  ): Promise<HeldRun> {
    const held = { context, organization, row, processId };
    if (!(await say(held))) throw new TryLater('another process has the run, or it was ended');
    return new HeldRun(held);
  }

  private constructor(held: Held) {
    this.#held = held;
    this.#timer = setInterval(() => void this.#say(), sayEveryMs).unref();
  }

  /** Aborted by `signal`, and when the run was canceled. */
  signalWith(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#ended.signal]);
  }

  /** Null: the run was ended meanwhile. */
  async noteError(problem: unknown): Promise<{ readonly tries: number; readonly isSame: boolean } | null> {
    const { context, organization, row, processId } = this.#held;
    const { name, message } = problem as Error;
    const error = createHash('sha256').update(`${name} ${message}`).digest('hex');
    const [noted] = await context.database.write(organization, async (tx) => {
      const [rows] = await tx.run(noteImportError({ id: row.id, run: row.run_number, processId, error }));
      return rows;
    });
    return noted === undefined ? null : { tries: noted.tries, isSame: noted.is_same };
  }

  /** Lets another process go on. Repeated in the background while the database is away. */
  async leave(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#isLeft) return;
    this.#isLeft = true;
    await this.#leave(leavingTriesMax);
  }

  async #leave(triesLeft: number): Promise<void> {
    const { context, organization, row, processId } = this.#held;
    try {
      await context.database.write(organization, async (tx) => {
        tx.queue(leaveImportRun({ id: row.id, processId }));
      });
    } catch {
      if (triesLeft > 0) setTimeout(() => void this.#leave(triesLeft - 1), 1_000).unref();
    }
  }

  async #say(): Promise<void> {
    try {
      if (!(await say(this.#held))) this.#ended.abort(new TakenOver());
    } catch {
      // The database is away; the run itself will notice.
    }
  }
}

async function say({ context, organization, row, processId }: Held): Promise<boolean> {
  return context.database.write(organization, async (tx) => {
    const [held] = await tx.run(holdImportRun({ id: row.id, run: row.run_number, processId }));
    return held.length > 0;
  });
}
