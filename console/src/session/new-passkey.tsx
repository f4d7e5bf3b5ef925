import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Field, ServerForm } from '../parts/server-form.tsx';
import { t } from '../words/words.ts';
import { addPasskey, passkeyMessage } from './passkey.ts';

/** Names a passkey and has the device make it. */
export function NewPasskey({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const [name, setName] = useState('');
  return (
    <ServerForm
      submit={t`Continue`}
      refused={t`Not added`}
      isReady={name.trim() !== ''}
      onCancel={onCancel}
      onSubmit={async () => {
        try {
          await addPasskey(name.trim());
        } catch (error) {
          throw new Error(passkeyMessage(error) ?? (error as Error).message, { cause: error });
        }
      }}
      onDone={onDone}
    >
      <Field path="name">
        {(error) => (
          <TextInput
            label={t`Name`}
            description={t`So you can tell it apart later: the device it is on`}
            maxLength={100}
            data-autofocus
            error={error}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
    </ServerForm>
  );
}
