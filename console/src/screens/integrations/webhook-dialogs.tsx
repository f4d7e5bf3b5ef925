import { Menu, Text } from '@mantine/core';
import { IconEdit, IconHistory, IconPower, IconRefresh, IconSend, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { OneTimeSecret } from '../../parts/one-time-secret.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { SendSinceDialog } from './send-since-dialog.tsx';
import { WebhookEndpointDialog } from './webhook-endpoint-dialog.tsx';
import { shortAddress, type WebhookEndpoint } from './webhook-state-words.ts';

/** What is asked of an endpoint; its dialog is open. */
export interface Asked {
  readonly what: 'edit' | 'rotate' | 'send-since' | 'delete';
  readonly of: WebhookEndpoint;
}

/** The actions of an endpoint, in a menu. */
export function WebhookMenu({ endpoint, ask }: { endpoint: WebhookEndpoint; ask: (asked: Asked) => void }) {
  const queryClient = useQueryClient();
  const params = { path: { webhookEndpointId: endpoint.id } };
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['webhook-endpoints'] });
  const test = useWrite({
    mutationFn: () => api.POST('/staff/v1/webhook-endpoints/{webhookEndpointId}/test', { params }),
    onSuccess: () => notifyDone(t`A test event is on its way. Its delivery shows the answer.`),
    onError: notifyError,
    onSettled,
  });
  const turn = useWrite({
    mutationFn: () => {
      const body = { enabled: !endpoint.enabled };
      return api.PATCH('/staff/v1/webhook-endpoints/{webhookEndpointId}', { params, body });
    },
    onSuccess: () =>
      notifyDone(endpoint.enabled ? t`Nothing more is sent to it.` : t`Events are sent to it.`),
    onError: notifyError,
    onSettled,
  });
  const item = (what: Asked['what']) => () => ask({ what, of: endpoint });
  return (
    <RowMenu label={t`Actions for ${shortAddress(endpoint)}`}>
      <Menu.Item leftSection={<IconSend size={16} aria-hidden />} onClick={() => test.mutate()}>
        {t`Send test event`}
      </Menu.Item>
      <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={item('send-since')}>
        {t`Send events again`}
      </Menu.Item>
      <Menu.Item leftSection={<IconEdit size={16} aria-hidden />} onClick={item('edit')}>
        {t`Edit`}
      </Menu.Item>
      <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={item('rotate')}>
        {t`Rotate secret`}
      </Menu.Item>
      <Menu.Item leftSection={<IconPower size={16} aria-hidden />} onClick={() => turn.mutate()}>
        {endpoint.enabled ? t`Disable` : t`Enable`}
      </Menu.Item>
      <Menu.Item
        c="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={item('delete')}
      >
        {t`Delete`}
      </Menu.Item>
    </RowMenu>
  );
}

type Secret = Schema['StaffWebhookEndpointWithSecret'];

/** The dialogs of endpoints: create (`new`), change, rotate, send again, delete; a new secret is shown once. */
export function WebhookDialogs({
  asked,
  onClose,
  onDeleted,
}: {
  asked: Asked | 'new' | null;
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const queryClient = useQueryClient();
  const [fresh, setFresh] = useState<Secret | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['webhook-endpoints'] });
  const ofKind = (what: Asked['what']) =>
    asked !== null && asked !== 'new' && asked.what === what ? asked.of : null;
  const [edited, rotated, deleted] = [ofKind('edit'), ofKind('rotate'), ofKind('delete')];
  const pathOf = ({ id }: WebhookEndpoint) => ({ params: { path: { webhookEndpointId: id } } });
  return (
    <>
      <WebhookEndpointDialog
        opened={asked === 'new' || edited !== null}
        endpoint={edited}
        onClose={onClose}
        onSaved={(saved) => {
          if ('secret' in saved) setFresh(saved);
          else notifyDone(t`The endpoint is saved.`);
          onClose();
          void refresh();
        }}
      />
      <SendSinceDialog endpoint={ofKind('send-since')} onClose={onClose} />
      <ConfirmDialog
        opened={rotated !== null}
        title={t`Rotate the secret?`}
        action={t`Rotate secret`}
        onClose={onClose}
        onConfirm={async () => {
          if (rotated === null) return;
          const path = '/staff/v1/webhook-endpoints/{webhookEndpointId}/rotate-secret';
          setFresh(await dataOf(api.POST(path, pathOf(rotated))));
          void refresh();
        }}
      >
        {t`${rotated && shortAddress(rotated)} gets a new secret. For 24 hours each event is signed with both, so the integrator can change over without losing one.`}
      </ConfirmDialog>
      <ConfirmDialog
        opened={deleted !== null}
        title={t`Delete the webhook endpoint?`}
        action={t`Delete endpoint`}
        isDangerous
        onClose={onClose}
        onConfirm={async () => {
          if (deleted === null) return;
          await api.DELETE('/staff/v1/webhook-endpoints/{webhookEndpointId}', pathOf(deleted));
          notifyDone(t`The endpoint is deleted.`);
          onDeleted?.();
          void refresh();
        }}
      >
        {t`Nothing more is sent to ${deleted && shortAddress(deleted)}, and its deliveries are deleted. This cannot be undone.`}
      </ConfirmDialog>
      {fresh && (
        <OneTimeSecret
          opened
          title={shortAddress(fresh)}
          label={t`Signing secret`}
          secret={fresh.secret}
          onClose={() => setFresh(null)}
        >
          <Text size="sm">
            {rich`For ${fresh.integratorName}, to check the header ${<code>webhook-signature</code>} of each event.`}
          </Text>
        </OneTimeSecret>
      )}
    </>
  );
}
