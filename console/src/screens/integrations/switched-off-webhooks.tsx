import { Alert, Anchor, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ShopTime } from '../../parts/shop-time.tsx';
import { webhooksQuery } from '../../parts/webhooks-query.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { shortAddress, whySwitchedOff } from './webhook-state-words.ts';

/** Webhook endpoints that the service has switched off: nothing is sent to them until a person enables them. */
export function SwitchedOffWebhooks() {
  const { data } = useQuery(webhooksQuery);
  const off = (data?.data ?? []).filter(({ switchedOffAt }) => switchedOffAt !== null);
  if (off.length === 0) return null;
  return (
    <Alert color="yellow" title={t`Needs attention`} style={{ flex: 'none' }}>
      <List size="sm" spacing="xs" listStyleType={off.length === 1 ? 'none' : undefined}>
        {off.map((endpoint) => (
          <List.Item key={endpoint.id}>
            {rich`The webhook endpoint ${(
              <Anchor
                component={Link}
                to={`/integrations/webhooks/${endpoint.id}`}
                underline="always"
                inherit
              >
                {shortAddress(endpoint)}
              </Anchor>
            )} of ${endpoint.integratorName} was switched off on ${<ShopTime at={endpoint.switchedOffAt} />}. ${whySwitchedOff(endpoint)} When it works again, enable it: it continues where it stopped.`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
