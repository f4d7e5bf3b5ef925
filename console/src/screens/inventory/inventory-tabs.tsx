import { ScreenTabs } from '../../parts/screen-tabs.tsx';
import { t } from '../../words/words.ts';

const tabs = [
  { to: '/inventory', title: t`Stock` },
  { to: '/inventory/ledger', title: t`Ledger` },
  { to: '/inventory/packages', title: t`Packages` },
  { to: '/inventory/transfers', title: t`Incoming transfers` },
  { to: '/inventory/locations', title: t`Locations` },
] as const;

/** Tabs of the inventory screens. */
export function InventoryTabs() {
  return <ScreenTabs label={t`Inventory`} tabs={tabs} />;
}
