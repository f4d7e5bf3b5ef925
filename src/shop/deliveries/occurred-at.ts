import { failure } from '../../kernel/failure.ts';

/** A phone's clock may be ahead by this much; then the act happened now. */
const aheadMsMax = 5 * 60_000;
const ageMsMax = 24 * 60 * 60_000;

/** When an act happened that may be told later; absent: now. Fails with INVALID_PARAMS for a moment to come, or more than a day ago. */
export function occurredAtMs(sent: string | undefined, nowMs: number): number {
  if (sent === undefined) return nowMs;
  const atMs = Date.parse(sent);
  if (atMs > nowMs + aheadMsMax) throw failure('INVALID_PARAMS', 'occurredAt must not be in the future.');
  if (atMs < nowMs - ageMsMax) throw failure('INVALID_PARAMS', 'occurredAt must be less than a day ago.');
  return Math.min(atMs, nowMs);
}
