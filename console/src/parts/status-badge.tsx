import { Badge } from '@mantine/core';
import { said } from '../words/words.ts';

/** Maps a status to a color. The text is always shown too: color alone is not accessible. */
const tones = {
  neutral: 'gray',
  waiting: 'yellow',
  active: 'blue',
  ready: 'violet',
  good: 'teal',
  bad: 'red',
} as const;

export type Tone = keyof typeof tones;

const toneOf: Readonly<Record<string, Tone>> = {
  draft: 'neutral',
  new: 'active',
  packed: 'ready',
  fulfilled: 'good',
  canceled: 'bad',
  open: 'active',
  closed: 'neutral',
  active: 'good',
  inactive: 'neutral',
  ended: 'neutral',
  archived: 'neutral',
  disabled: 'neutral',
  invited: 'waiting',
  pending: 'waiting',
  approved: 'good',
  rejected: 'bad',
  expired: 'bad',
  revoked: 'bad',
};

/** A status badge. The color follows from a known status; otherwise pass `tone`. */
export function StatusBadge({ status, tone, label }: { status: string; tone?: Tone; label?: string }) {
  return (
    <Badge variant="light" color={tones[tone ?? toneOf[status] ?? 'neutral']} radius="sm" className="status">
      {label ?? sentence(status)}
    </Badge>
  );
}

/** A word of the service: `in-store` → `In-store`, `storeCredit` → `Store credit`. */
export function sentence(word: string): string {
  const spaced = word.replace(/([a-z])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`);
  return said(spaced.charAt(0).toUpperCase() + spaced.slice(1).replaceAll('_', ' '));
}
