import { ScreenTabs } from '../../parts/screen-tabs.tsx';
import { t } from '../../words/words.ts';

/** Tabs of the marketing screens. */
export function MarketingTabs() {
  return (
    <ScreenTabs
      label={t`Marketing`}
      tabs={[
        { to: '/marketing', title: t`Discounts` },
        { to: '/marketing/loyalty', title: t`Loyalty` },
        { to: '/marketing/groups', title: t`Customer groups` },
      ]}
    />
  );
}
