import { moveClientKeys } from '../../access/keys/keys.ts';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue-jobs.ts';
import type { Task } from '../../platform/jobs/job-runner.ts';
import { knowAsSandbox } from './create-sandbox.ts';
import { fillSandbox } from './fill-sandbox.ts';
import { askSandboxReset, endSandbox, type SandboxRow, selectSandbox } from './sandbox-queries.ts';
import { lockedSandbox } from './set-sandbox-clock.ts';

const resetTask = 'reset_sandbox';
const origin: Origin = { actor: 'job:reset_sandbox', requestId: null };

/** Asks for a reset, which a job does soon after. Fails with NOT_A_SANDBOX. */
export async function requestReset(
  context: Context,
  by: Origin,
  organization: OrganizationId,
): Promise<SandboxRow> {
  return context.database.write(organization, async (tx) => {
    const row = await lockedSandbox(tx);
    const nowMs = context.wallClock.now();
    tx.queue(
      askSandboxReset({ at: isoTimestamp(nowMs) }),
      ...enqueueJobs(resetTask, [{ key: 'reset', payload: {} }]),
    );
    await announce(tx, context, by, nowMs, {
      event: 'sandbox.reset_requested',
      subjectType: 'sandbox',
      subjectId: organization,
      payload: { organizationId: organization },
    });
    return { ...row, reset_asked_at: row.reset_asked_at ?? nowMs };
  });
}

/**
 * Makes another organization as `createSandbox` does, and lets the keys of the former one open it. No key opens
 * the former one any more; `pruneSandbox` deletes it later. A run that is repeated finds no
 * key to move, or moves those that are left.
 */
export function sandboxResetting(context: Context): Task<Record<never, never>> {
  return {
    name: resetTask,
    run: async ({ organization: former }) => {
      const [[row], [profile]] = await context.database.read(
        former,
        selectSandbox({}),
        selectOrganization({}),
      );
      if (row === undefined || row.reset_asked_at === null || row.ended_at !== null) return;
      await moveClientKeys(context, origin, former, async () => {
        const shop = await fillSandbox(context, origin, profile!.name);
        await knowAsSandbox(context, origin, row.integrator_id, shop);
        return shop.organization;
      });
      const nowMs = context.wallClock.now();
      await context.database.write(former, async (tx) => {
        tx.queue(endSandbox({ at: isoTimestamp(nowMs) }));
        await announce(tx, context, origin, nowMs, {
          event: 'sandbox.reset',
          subjectType: 'sandbox',
          subjectId: former,
          payload: { organizationId: former },
        });
      });
    },
  };
}
