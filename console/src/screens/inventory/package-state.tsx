import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import type { Package } from './stock-words.ts';

/** Every state of a package, as people call it. */
export const packageStates: Readonly<Record<Package['status'], { label: string; tone: Tone }>> = {
  ready: { label: 'On its way', tone: 'waiting' },
  received: { label: 'Received', tone: 'good' },
  finished: { label: 'Finished', tone: 'neutral' },
  shipped: { label: 'Shipped', tone: 'neutral' },
  transferred: { label: 'Transferred', tone: 'neutral' },
  'transfer-returned': { label: 'Came back', tone: 'neutral' },
  syncing: { label: 'Syncing', tone: 'waiting' },
};

/** Where a package is on its way through the shop; `voidReason` where it should never have been. */
export function PackageState({
  status,
  voidReason = null,
}: Pick<Package, 'status'> & { voidReason?: string | null }) {
  const { label, tone } = packageStates[status];
  return <StatusBadge status={status} tone={tone} label={voidReason === null ? label : 'Void'} />;
}
