import { statement } from '../../platform/statements/statement.ts';
import type { SpecialCase } from './special-cases.ts';

export interface SandboxRow {
  integrator_id: number;
  staff_id: number;
  clock_ahead_ms: number;
  clock_stands_at: number | null;
  special_cases: readonly SpecialCase[];
  reset_asked_at: number | null;
  ended_at: number | null;
  created_at: number;
}

const columns = `integrator_id, staff_id, clock_ahead_ms, clock_stands_at, special_cases, reset_asked_at, ended_at,
  created_at`;

export const selectSandbox = statement<Record<never, never>, SandboxRow>(
  'select_sandbox',
  `select ${columns} from sandboxes where organization_id = :organizationId`,
);

/** Serializes changes of the clock, so that two moves add up. */
export const lockSandbox = statement<Record<never, never>, SandboxRow>(
  'lock_sandbox',
  `select ${columns} from sandboxes where organization_id = :organizationId for no key update`,
);

export const insertSandbox = statement<
  { integratorId: number; staffId: number; specialCases: string; at: string },
  never
>(
  'insert_sandbox',
  `insert into sandboxes (organization_id, integrator_id, staff_id, special_cases, created_at, updated_at)
   values (:organizationId, :integratorId, :staffId, :specialCases::jsonb, :at, :at)`,
);

export const updateSandboxClock = statement<{ aheadMs: number; standsAt: string | null; at: string }, never>(
  'update_sandbox_clock',
  `update sandboxes set clock_ahead_ms = :aheadMs, clock_stands_at = :standsAt, updated_at = :at
    where organization_id = :organizationId`,
);

/** A second request while one waits changes nothing. */
export const askSandboxReset = statement<{ at: string }, never>(
  'ask_sandbox_reset',
  `update sandboxes set reset_asked_at = coalesce(reset_asked_at, :at), updated_at = :at
    where organization_id = :organizationId`,
);

/** The former organization of a sandbox after a reset. */
export const endSandbox = statement<{ at: string }, never>(
  'end_sandbox',
  `update sandboxes set ended_at = coalesce(ended_at, :at), updated_at = :at
    where organization_id = :organizationId`,
);
