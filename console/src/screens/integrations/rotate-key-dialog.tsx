import { Modal, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { t } from '../../words/words.ts';
import type { ClientKey } from './key-words.ts';

const overlaps = [
  { value: '0', label: t`Not at all` },
  { value: '1', label: t`1 hour` },
  { value: '24', label: t`1 day` },
  { value: '72', label: t`3 days` },
  { value: '168', label: t`7 days` },
  { value: '720', label: t`30 days` },
];

/** Replaces the text of a key; the previous one stays valid for a while, so the integrator is not cut off. */
export function RotateKeyDialog({
  clientKey,
  onClose,
  onRotated,
}: {
  clientKey: ClientKey | null;
  onClose: () => void;
  onRotated: (key: Schema['FreshClientKey']) => void;
}) {
  const [hours, setHours] = useState('24');
  const rotate = async () => {
    if (clientKey === null) return;
    const options = {
      params: { path: { clientKeyId: clientKey.id } },
      body: { overlapHours: Number(hours) },
    };
    onRotated(await dataOf(api.POST('/staff/v1/client-keys/{clientKeyId}/rotate', options)));
  };
  return (
    <Modal opened={clientKey !== null} onClose={onClose} title={t`Rotate ${clientKey?.name}`}>
      <ServerForm submit={t`Rotate key`} onCancel={onClose} onSubmit={rotate}>
        <Text size="sm">
          {t`${clientKey?.integratorName} gets a new key. Permissions and limits do not change.`}
        </Text>
        <Field path="overlapHours">
          {(error) => (
            <Select
              label={t`Keep the previous key valid for`}
              data-autofocus
              error={error}
              data={overlaps}
              value={hours}
              onChange={(chosen) => chosen && setHours(chosen)}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}
