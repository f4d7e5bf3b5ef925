import { isoTimestamp } from '../../kernel/local-time.ts';
import { countEndingKeys, type ShownClientKeyRow, selectEndingKeys } from './client-key-queries.ts';

/* Which keys an owner should look at. */

const dayMs = 86_400_000;
/** A key that ends within this time is to be replaced. */
export const soonDays = 14;
/** A key that nothing has used for this time is to be revoked. */
export const unusedDays = 90;

export const keyAttentions = ['expires-soon', 'unused'] as const;
type KeyAttention = (typeof keyAttentions)[number];

type Key = Pick<ShownClientKeyRow, 'created_at' | 'last_used_at' | 'expires_at' | 'revoked_at'>;

/** The end of the time in which a key ends soon. */
export function soonAt(nowMs: number): number {
  return nowMs + soonDays * dayMs;
}

/** The keys that work and end soon, the first to end first, at most twenty. */
export function endingKeys(nowMs: number) {
  return selectEndingKeys({ at: isoTimestamp(nowMs), before: isoTimestamp(soonAt(nowMs)) });
}

/** How many keys work and end soon, and when the first of them ends. */
export function endingKeyCount(nowMs: number) {
  return countEndingKeys({ at: isoTimestamp(nowMs), until: isoTimestamp(soonAt(nowMs)) });
}

/** Why an owner should look at a key that works; null: no reason. */
export function attentionOf(key: Key, nowMs: number): KeyAttention | null {
  if (key.revoked_at !== null) return null;
  if (key.expires_at !== null) {
    if (key.expires_at <= nowMs) return null;
    if (key.expires_at <= soonAt(nowMs)) return 'expires-soon';
  }
  const usedAt = Math.max(key.last_used_at ?? key.created_at, key.created_at);
  return nowMs - usedAt > unusedDays * dayMs ? 'unused' : null;
}
