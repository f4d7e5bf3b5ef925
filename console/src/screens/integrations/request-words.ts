import type { Tone } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';

/** A duration in its shortest form; `null` shows a dash. */
export function milliseconds(ms: number | null): string {
  if (ms === null) return '–';
  if (ms >= 10_000) return t`${Math.round(ms / 1_000)} s`;
  return t`${ms >= 100 ? Math.round(ms) : ms} ms`;
}

/** The tone of an HTTP status. */
export function toneOfStatus(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'waiting' : 'good';
}
