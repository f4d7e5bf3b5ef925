import type { ShownClientKeyRow } from './client-key-queries.ts';

/* Which keys an owner should look at. Pure. */

const dayMs = 86_400_000;
/** A key that ends within this time is to be replaced. */
export const soonDays = 14;
/** A key that nothing has used for this time is to be revoked. */
export const unusedDays = 90;

export const keyAttentions = ['expires-soon', 'unused'] as const;
export type KeyAttention = (typeof keyAttentions)[number];

type Key = Pick<ShownClientKeyRow, 'created_at' | 'last_used_at' | 'expires_at' | 'revoked_at'>;

/** The end of the time in which a key ends soon. */
export function soonAt(nowMs: number): number {
  return nowMs + soonDays * dayMs;
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
