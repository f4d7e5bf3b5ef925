import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';
import type { Package } from './stock-words.ts';

/** The label of every package state. */
export const packageStates: Readonly<Record<Package['status'], { label: string; tone: Tone }>> = {
  ready: { label: t`Incoming`, tone: 'waiting' },
  received: { label: t`Received`, tone: 'good' },
  finished: { label: t`Finished`, tone: 'neutral' },
  shipped: { label: t`Shipped`, tone: 'neutral' },
  transferred: { label: t`Transferred`, tone: 'neutral' },
  'transfer-returned': { label: t`Returned`, tone: 'neutral' },
  syncing: { label: t`Syncing`, tone: 'waiting' },
};

/** The state of a package; `voidReason` is set if it was voided, or rejected when it came. */
export function PackageState({
  status,
  voidReason = null,
}: Pick<Package, 'status'> & { voidReason?: string | null }) {
  const { label, tone } = packageStates[status];
  const ended = status === 'transfer-returned' ? t`Rejected` : t`Void¦state`;
  return <StatusBadge status={status} tone={tone} label={voidReason === null ? label : ended} />;
}
