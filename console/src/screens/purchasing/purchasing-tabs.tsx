import { ScreenTabs } from '../../parts/screen-tabs.tsx';

const tabs = [
  { to: '/purchasing', title: 'Purchase orders' },
  { to: '/purchasing/vendors', title: 'Vendors' },
] as const;

/** Tabs of the purchasing screens. */
export function PurchasingTabs() {
  return <ScreenTabs label="Purchasing" tabs={tabs} />;
}
