import { Alert, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { endpointState, typesInWords, type WebhookEndpoint, whySwitchedOff } from './webhook-state-words.ts';

/** The health of an endpoint, and why it was switched off. */
export function EndpointHealth({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { switchedOffAt, previousSecretEndsAt, failingSince } = endpoint;
  return (
    <>
      {switchedOffAt !== null && (
        <Alert color="yellow" title={t`Switched off`} style={{ flex: 'none' }}>
          {rich`The service switched it off on ${<ShopTime at={switchedOffAt} style="full" />}. ${whySwitchedOff(endpoint)} When it works again, enable it: it continues where it stopped.`}
        </Alert>
      )}
      <Group gap="xl" align="flex-start">
        <Fact label={t`State`}>
          <StatusBadge {...endpointState(endpoint)} />
        </Fact>
        <Fact label={t`Last success`}>
          <ShopTime at={endpoint.lastSuccessAt} style="second" />
        </Fact>
        {failingSince !== null && (
          <Fact label={t`Failing since`}>
            <ShopTime at={failingSince} style="second" />
          </Fact>
        )}
        {previousSecretEndsAt !== null && (
          <Fact label={t`Previous secret signs until`}>
            <ShopTime at={previousSecretEndsAt} />
          </Fact>
        )}
        <Fact label={t`Events`}>{typesInWords(endpoint)}</Fact>
      </Group>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="div" size="sm">
        {children}
      </Text>
    </div>
  );
}
