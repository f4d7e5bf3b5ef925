import { ScreenTabs } from '../../parts/screen-tabs.tsx';
import { t } from '../../words/words.ts';

const tabs = [
  { to: '/purchasing', title: t`Purchase orders` },
  { to: '/purchasing/vendors', title: t`Vendors` },
] as const;

/** Tabs of the purchasing screens. */
export function PurchasingTabs() {
  return <ScreenTabs label={t`Purchasing`} tabs={tabs} />;
}
