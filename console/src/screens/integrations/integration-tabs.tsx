import { ScreenTabs } from '../../parts/screen-tabs.tsx';

/** The screens of integrations. */
export function IntegrationTabs() {
  return (
    <ScreenTabs
      label="Integrations"
      tabs={[
        { to: '/integrations', title: 'Integrators' },
        { to: '/integrations/keys', title: 'Client keys' },
        { to: '/integrations/requests', title: 'Request log' },
      ]}
    />
  );
}
