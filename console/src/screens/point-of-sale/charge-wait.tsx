import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { api, dataOf } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { notifyError } from '../../parts/toasts.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import type { Charge } from './charge-providers.ts';
import { LinkToPay } from './link-to-pay.tsx';

/** Shown while a terminal or a bank takes a payment. It cannot be closed: the payment goes on without it. */
export function ChargeWait({ charge, onLeave }: { charge: Charge; onLeave: () => void }) {
  const { role } = useSession().staff;
  const isUnknown = charge.status === 'unknown';
  const cancel = () =>
    dataOf(
      api.POST('/staff/v1/payment-intents/{paymentIntentId}/cancel', {
        params: { path: { paymentIntentId: charge.id } },
      }),
    ).catch(notifyError);
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      title={t`Payment of ${dollars(charge.amount + charge.feeAmount)}`}
    >
      <Stack gap="md" role="status">
        <Group>
          <Loader size="sm" />
          <Text>
            {isUnknown
              ? t`The terminal did not answer. Checking what happened to the payment …`
              : charge.link === null
                ? t`Waiting for the terminal …`
                : t`Waiting for the customer …`}
          </Text>
        </Group>
        {charge.link !== null && <LinkToPay link={charge.link} />}
        {isUnknown ? (
          <Text size="sm">
            {role === 'budtender'
              ? t`Do not take the payment again. Another tender needs a manager's PIN.`
              : t`Do not take the payment again. If you take another tender and the money was taken, a task says so.`}
          </Text>
        ) : null}
        <Group justify="flex-end">
          {isUnknown && (
            <Button variant="default" onClick={onLeave}>
              {t`Take another tender`}
            </Button>
          )}
          {!isUnknown && (
            <Button variant="default" onClick={() => void cancel()} data-autofocus>
              {t`Cancel payment`}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
