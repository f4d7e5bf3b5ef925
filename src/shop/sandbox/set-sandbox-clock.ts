import { type ClockSetting, realTime, timeBy } from '../../kernel/clock.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { lockSandbox, type SandboxRow, updateSandboxClock } from './sandbox-queries.ts';

/** How far the clock may be from the time of the deployment. */
export const clockDaysMax = 3_653;
const dayMs = 86_400_000;

/** What to do with the clock: an absent field leaves that as it is. */
interface ClockChange {
  /** The moment to show; null: the time of the deployment again. */
  readonly nowMs?: number | null;
  readonly moveMs?: number;
  readonly stands?: boolean;
}

/** Sets, moves, stops or starts the clock of a sandbox. Fails with NOT_A_SANDBOX and INVALID_PARAMS. */
export async function setSandboxClock(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  change: ClockChange,
): Promise<SandboxRow> {
  return context.database.write(organization, async (tx) => {
    const row = await lockedSandbox(tx);
    const realMs = context.wallClock.now();
    const setting = changedClock(clockOf(row), realMs, change);
    const standsAt = setting.standsAtMs === null ? null : isoTimestamp(setting.standsAtMs);
    tx.queue(updateSandboxClock({ aheadMs: setting.aheadMs, standsAt, at: isoTimestamp(realMs) }));
    await announce(tx, context, origin, realMs, {
      event: 'sandbox.clock_set',
      subjectType: 'sandbox',
      subjectId: organization,
      payload: { organizationId: organization },
      details: { now: isoTimestamp(timeBy(setting, realMs)), stands: setting.standsAtMs !== null },
    });
    return { ...row, clock_ahead_ms: setting.aheadMs, clock_stands_at: setting.standsAtMs };
  });
}

/** The row of the sandbox, locked until the commit. */
export async function lockedSandbox(tx: TenantTransaction): Promise<SandboxRow> {
  const [[row]] = await tx.run(lockSandbox({}));
  if (row === undefined) throw notASandbox();
  return row;
}

/** The refusal for the keys of an organization that trades. */
export function notASandbox() {
  return failure('NOT_A_SANDBOX', 'X-Client-Key must be a test key of a sandbox.');
}

/** How the clock of a sandbox is set. */
export function clockOf(row: Pick<SandboxRow, 'clock_ahead_ms' | 'clock_stands_at'>): ClockSetting {
  return { aheadMs: row.clock_ahead_ms, standsAtMs: row.clock_stands_at };
}

/** The clock after a change. Pure. */
function changedClock(
  before: ClockSetting,
  realMs: number,
  { nowMs, moveMs = 0, stands }: ClockChange,
): ClockSetting {
  if (nowMs === null && moveMs === 0 && stands !== true) return realTime;
  const shownMs = (nowMs === undefined ? timeBy(before, realMs) : (nowMs ?? realMs)) + moveMs;
  if (!(Math.abs(shownMs - realMs) <= clockDaysMax * dayMs)) {
    const name = nowMs == null ? 'moveSeconds' : 'now';
    throw failure(
      'INVALID_PARAMS',
      `${name} must keep the clock within ${clockDaysMax} days of the present.`,
    );
  }
  // Without a word about it, a clock that stands goes on standing, and one that is set anew runs.
  const willStand = stands ?? (nowMs === undefined && before.standsAtMs !== null);
  return willStand ? { aheadMs: 0, standsAtMs: shownMs } : { aheadMs: shownMs - realMs, standsAtMs: null };
}
