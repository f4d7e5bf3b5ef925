import { ScreenTabs } from '../../parts/screen-tabs.tsx';

/** Tabs of the marketing screens. */
export function MarketingTabs() {
  return (
    <ScreenTabs
      label="Marketing"
      tabs={[
        { to: '/marketing', title: 'Discounts' },
        { to: '/marketing/loyalty', title: 'Loyalty' },
        { to: '/marketing/groups', title: 'Customer groups' },
      ]}
    />
  );
}
