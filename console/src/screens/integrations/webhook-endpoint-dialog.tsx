import { Modal, MultiSelect, Select, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { choicesOr } from '../../parts/choices-or.ts';
import { Field, ListField, ServerForm } from '../../parts/server-form.tsx';
import { shopNow } from '../../parts/shop-now.ts';
import { TextField } from '../../parts/text-field.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { webhooksQuery } from '../../parts/webhooks-query.ts';
import { t } from '../../words/words.ts';
import { clientKeysQuery } from './client-keys-query.ts';
import { keyState } from './key-words.ts';
import { typeChoices, type WebhookEndpoint } from './webhook-state-words.ts';

interface DialogProps {
  /** The endpoint to change; null: a new one. */
  readonly endpoint: WebhookEndpoint | null;
  readonly onClose: () => void;
  /** The reply to a creation contains the secret, only once. */
  readonly onSaved: (saved: WebhookEndpoint | Schema['StaffWebhookEndpointWithSecret']) => void;
}

/** Creates a webhook endpoint for an integrator, or changes one. */
export function WebhookEndpointDialog({ opened, ...props }: DialogProps & { readonly opened: boolean }) {
  return (
    <Modal
      opened={opened}
      onClose={props.onClose}
      title={props.endpoint === null ? t`New webhook endpoint` : t`Edit webhook endpoint`}
      size="lg"
    >
      <EndpointForm {...props} />
    </Modal>
  );
}

function EndpointForm({ endpoint, onClose, onSaved }: DialogProps) {
  const saved = {
    clientKeyId: null as string | null,
    url: endpoint?.url ?? '',
    types: endpoint?.types ?? [],
    enabled: endpoint?.enabled ?? true,
  };
  const [draft, setDraft] = useState(saved);
  useUnsavedWork(JSON.stringify(draft) !== JSON.stringify(saved));
  const set = (changes: Partial<typeof saved>) => setDraft((present) => ({ ...present, ...changes }));
  const types = useQuery(webhooksQuery).data?.meta.types ?? [];
  const { url } = draft;
  const send = async () => {
    if (endpoint === null) {
      const { clientKeyId } = draft;
      // A missing choice is not sent, so the service reports it as required.
      const body = {
        url,
        types: draft.types,
        ...(clientKeyId !== null && { clientKeyId: Number(clientKeyId) }),
      };
      const options = { body: body as typeof body & { clientKeyId: number } };
      onSaved(await dataOf(api.POST('/staff/v1/webhook-endpoints', options)));
    } else {
      const params = { path: { webhookEndpointId: endpoint.id } };
      const body = { url, types: draft.types, enabled: draft.enabled };
      onSaved(await dataOf(api.PATCH('/staff/v1/webhook-endpoints/{webhookEndpointId}', { params, body })));
    }
  };
  return (
    <ServerForm submit={endpoint === null ? t`Create endpoint` : t`Save`} onCancel={onClose} onSubmit={send}>
      {endpoint === null && (
        <KeyField value={draft.clientKeyId} onChange={(clientKeyId) => set({ clientKeyId })} />
      )}
      <TextField
        path="url"
        label={t`Address`}
        description={t`A public address of the integrator, with https`}
        maxLength={2_000}
        value={url}
        onChange={(text) => set({ url: text })}
      />
      <ListField path="types" items={draft.types}>
        {(error) => (
          <MultiSelect
            label={t`Events`}
            description={t`Leave empty for all events that the key may read`}
            searchable
            clearable
            openOnFocus={false}
            clearButtonProps={{ 'aria-label': t`Clear events` }}
            error={error}
            data={typeChoices(types)}
            value={draft.types}
            onChange={(chosen) => set({ types: chosen })}
          />
        )}
      </ListField>
      {endpoint !== null && (
        <Switch
          label={t`Enabled`}
          description={t`When you enable it again, it continues where it stopped`}
          checked={draft.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
      )}
    </ServerForm>
  );
}

function KeyField({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const keys = useQuery(clientKeysQuery);
  const good = (keys.data ?? []).filter((key) => keyState(key, shopNow()) === 'active');
  return (
    <Field path="clientKeyId">
      {(error) => (
        <Select
          label={t`Integrator and key`}
          description={t`The endpoint gets the events that this key may read`}
          placeholder={keys.isPending ? t`Loading …` : t`Choose one`}
          searchable
          openOnFocus={false}
          data-autofocus
          error={error ?? (keys.error ? t`The keys could not be loaded` : undefined)}
          data={choicesOr(
            good.map(({ id, name, integratorName, keyPrefix }) => ({
              value: String(id),
              label: `${integratorName}: ${name} (${keyPrefix}…)`,
            })),
            keys,
            t`Issue one under Client keys.`,
          )}
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  );
}
