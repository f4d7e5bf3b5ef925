import { Button, Code, Drawer, Stack, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { DetailLine, MonospaceText } from '../../parts/detail-line.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import { milliseconds, toneOfStatus } from './request-words.ts';
import { deliveryTones, type WebhookDelivery } from './webhook-state-words.ts';

/** One delivery: what was sent, the answer of the last attempt, and the button that sends it again. */
export function DeliveryDetail({
  endpointId,
  delivery,
  onClose,
}: {
  endpointId: number;
  delivery: WebhookDelivery | null;
  onClose: () => void;
}) {
  return (
    <Drawer opened={delivery !== null} onClose={onClose} position="right" title={t`Delivery`}>
      {delivery && (
        <Stack>
          <Table variant="vertical" layout="fixed">
            <Table.Tbody>
              <DetailLine label={t`Event`}>
                <MonospaceText>{delivery.type}</MonospaceText>
              </DetailLine>
              <DetailLine label={t`Change`}>
                <MonospaceText>{delivery.changeId}</MonospaceText>
              </DetailLine>
              <DetailLine label={t`State`}>
                <StatusBadge status={delivery.status} tone={deliveryTones[delivery.status]} />
              </DetailLine>
              <DetailLine label={t`Created`}>
                <ShopTime at={delivery.createdAt} style="full" />
              </DetailLine>
              <DetailLine label={t`Attempts`}>{delivery.attempts}</DetailLine>
              {delivery.nextAttemptAt !== null && (
                <DetailLine label={t`Next attempt`}>
                  <ShopTime at={delivery.nextAttemptAt} style="second" />
                </DetailLine>
              )}
              <LastAttempt of={delivery} />
            </Table.Tbody>
          </Table>
          <Answer of={delivery} />
          <SendAgain endpointId={endpointId} delivery={delivery} />
        </Stack>
      )}
    </Drawer>
  );
}

function LastAttempt({ of: { lastAttempt } }: { of: WebhookDelivery }) {
  if (lastAttempt === null) return null;
  const { at, status, error, milliseconds: ms } = lastAttempt;
  return (
    <>
      <DetailLine label={t`Last attempt`}>
        <ShopTime at={at} style="second" />
      </DetailLine>
      <DetailLine label={t`Answer`}>
        {status === null ? error : <StatusBadge status={String(status)} tone={toneOfStatus(status)} />}
      </DetailLine>
      <DetailLine label={t`Duration`}>{milliseconds(ms)}</DetailLine>
    </>
  );
}

function Answer({ of: { lastAttempt } }: { of: WebhookDelivery }) {
  if (!lastAttempt?.answer) return null;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {t`First kilobyte of the answer`}
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {lastAttempt.answer}
      </Code>
    </div>
  );
}

function SendAgain({ endpointId, delivery }: { endpointId: number; delivery: WebhookDelivery }) {
  const queryClient = useQueryClient();
  const path = { webhookEndpointId: endpointId, webhookDeliveryId: delivery.id };
  const send = useWrite({
    mutationFn: () =>
      api.POST('/staff/v1/webhook-endpoints/{webhookEndpointId}/deliveries/{webhookDeliveryId}/send', {
        params: { path },
      }),
    onSuccess: () => notifyDone(t`It will be sent again.`),
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['webhook-endpoints'] }),
  });
  return (
    <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
      {t`Send again`}
    </Button>
  );
}
