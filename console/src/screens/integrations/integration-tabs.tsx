import { ScreenTabs } from '../../parts/screen-tabs.tsx';

/** Tabs of the integration screens. */
export function IntegrationTabs() {
  return (
    <ScreenTabs
      label="Integrations"
      tabs={[
        { to: '/integrations', title: 'Integrators' },
        { to: '/integrations/keys', title: 'Client keys' },
        { to: '/integrations/webhooks', title: 'Webhooks' },
        { to: '/integrations/requests', title: 'Request log' },
      ]}
    />
  );
}
