import { ScreenTabs } from '../../parts/screen-tabs.tsx';

const tabs = [
  { to: '/inventory', title: 'Stock' },
  { to: '/inventory/ledger', title: 'Ledger' },
  { to: '/inventory/packages', title: 'Packages' },
  { to: '/inventory/transfers', title: 'Incoming transfers' },
  { to: '/inventory/locations', title: 'Locations' },
] as const;

/** Tabs of the inventory screens. */
export function InventoryTabs() {
  return <ScreenTabs label="Inventory" tabs={tabs} />;
}
