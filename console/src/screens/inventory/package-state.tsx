import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import type { Package } from './stock-words.ts';

/** The label of every package state. */
export const packageStates: Readonly<Record<Package['status'], { label: string; tone: Tone }>> = {
  ready: { label: 'Incoming', tone: 'waiting' },
  received: { label: 'Received', tone: 'good' },
  finished: { label: 'Finished', tone: 'neutral' },
  shipped: { label: 'Shipped', tone: 'neutral' },
  transferred: { label: 'Transferred', tone: 'neutral' },
  'transfer-returned': { label: 'Returned', tone: 'neutral' },
  syncing: { label: 'Syncing', tone: 'waiting' },
};

/** The state of a package; `voidReason` is set if it was voided. */
export function PackageState({
  status,
  voidReason = null,
}: Pick<Package, 'status'> & { voidReason?: string | null }) {
  const { label, tone } = packageStates[status];
  return <StatusBadge status={status} tone={tone} label={voidReason === null ? label : 'Void'} />;
}
