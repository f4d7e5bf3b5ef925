import { Modal, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api.ts';
import { MomentInput } from '../../parts/moment-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';
import { shortAddress, type WebhookEndpoint } from './webhook-state-words.ts';

/** Sends everything again that happened since a time, or behind a change. */
export function SendSinceDialog({
  endpoint,
  onClose,
}: {
  endpoint: WebhookEndpoint | null;
  onClose: () => void;
}) {
  const [by, setBy] = useState<'since' | 'cursor'>('since');
  const [since, setSince] = useState<string | null>(null);
  const [cursor, setCursor] = useState('');
  const send = async () => {
    if (endpoint === null) return;
    const params = { path: { webhookEndpointId: endpoint.id } };
    const body = by === 'cursor' ? { cursor: cursor.trim() } : since === null ? {} : { since };
    await api.POST('/staff/v1/webhook-endpoints/{webhookEndpointId}/send-since', { params, body });
    notifyDone(t`The events will be sent again.`);
    onClose();
  };
  return (
    <Modal opened={endpoint !== null} onClose={onClose} title={t`Send events again`}>
      <ServerForm submit={t`Send again`} refused={t`Not sent`} onCancel={onClose} onSubmit={send}>
        <Text size="sm">
          {t`${endpoint && shortAddress(endpoint)} gets the events again, in order, each with the ID it had before.`}
        </Text>
        <SegmentedControl
          aria-label={t`Since`}
          data={[
            { value: 'since', label: t`Since a time` },
            { value: 'cursor', label: t`After an event` },
          ]}
          value={by}
          onChange={(value) => setBy(value as typeof by)}
        />
        {by === 'since' ? (
          <Field path="since">
            {(error) => (
              <MomentInput
                label={t`Everything since`}
                description={t`Of the last 30 days`}
                data-autofocus
                error={error}
                moment={since}
                onChange={setSince}
              />
            )}
          </Field>
        ) : (
          <TextField
            path="cursor"
            label={t`ID of the event`}
            description={t`As shown in a delivery; everything after it is sent again`}
            data-autofocus
            maxLength={24}
            value={cursor}
            onChange={setCursor}
          />
        )}
      </ServerForm>
    </Modal>
  );
}
