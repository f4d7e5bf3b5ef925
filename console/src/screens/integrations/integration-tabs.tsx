import { ScreenTabs } from '../../parts/screen-tabs.tsx';
import { t } from '../../words/words.ts';

/** Tabs of the integration screens. */
export function IntegrationTabs() {
  return (
    <ScreenTabs
      label={t`Integrations`}
      tabs={[
        { to: '/integrations', title: t`Integrators` },
        { to: '/integrations/keys', title: t`Client keys` },
        { to: '/integrations/webhooks', title: t`Webhooks` },
        { to: '/integrations/requests', title: t`Request log` },
      ]}
    />
  );
}
