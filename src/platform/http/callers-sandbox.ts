import type { CallersSandbox } from './endpoint.ts';

/** What the rows of keys and sessions say of the organization's sandbox. */
interface SandboxColumns {
  readonly is_sandbox: boolean;
  readonly clock_ahead_ms: number | null;
  readonly clock_stands_at: number | null;
}

/** The sandbox of a row; null for an organization that trades. */
export function sandboxOf(row: SandboxColumns): CallersSandbox | null {
  if (!row.is_sandbox) return null;
  return { clock: { aheadMs: row.clock_ahead_ms ?? 0, standsAtMs: row.clock_stands_at } };
}
