import { ScreenTabs } from '../../parts/screen-tabs.tsx';

const tabs = [
  { to: '/purchasing', title: 'Purchase orders' },
  { to: '/purchasing/vendors', title: 'Vendors' },
] as const;

/** The screens of purchasing. */
export function PurchasingTabs() {
  return <ScreenTabs label="Purchasing" tabs={tabs} />;
}
