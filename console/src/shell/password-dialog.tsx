import { Modal, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { Field, ServerForm } from '../parts/server-form.tsx';
import { notifyDone } from '../parts/toasts.tsx';
import { t } from '../words/words.ts';

/** Changes the signed-in person's password. Their other sessions end. */
export function PasswordDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const close = () => {
    setCurrent('');
    setNew('');
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={t`Change your password`}>
      <ServerForm
        submit={t`Change password`}
        onCancel={close}
        onSubmit={() => api.POST('/staff/v1/me/password', { body: { currentPassword, newPassword } })}
        onDone={() => {
          notifyDone(t`Your password is changed. Your other sessions have ended.`);
          close();
        }}
      >
        <Field path="currentPassword">
          {(error) => (
            <PasswordInput
              label={t`Current password`}
              autoComplete="current-password"
              data-autofocus
              error={error}
              value={currentPassword}
              onChange={(event) => setCurrent(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field path="newPassword">
          {(error) => (
            <PasswordInput
              label={t`New password`}
              description={t`At least 10 characters`}
              autoComplete="new-password"
              error={error}
              value={newPassword}
              onChange={(event) => setNew(event.currentTarget.value)}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}
