import { ScreenTabs } from '../../parts/screen-tabs.tsx';
import { t } from '../../words/words.ts';

/** The two lists of when orders are handed over. */
export function TimeSlotTabs() {
  return (
    <ScreenTabs
      label={t`Time slots`}
      tabs={[
        { to: '/settings/time-slots', title: t`Time slots` },
        { to: '/settings/closed-days', title: t`Closed days` },
      ]}
    />
  );
}
