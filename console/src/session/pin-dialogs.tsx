import { Modal, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { api, dataOf } from '../api.ts';
import { Field, ServerForm } from '../parts/server-form.tsx';
import { reloadWithoutAsking } from '../parts/unsaved-work.ts';
import { t } from '../words/words.ts';
import { useApprovalRequest } from './manager-approvals.ts';
import { tellOtherTabs } from './session-news.ts';

/** The digits of a PIN; Enter sends them. */
export function PinInput({
  label,
  pin,
  onChange,
}: {
  label: string;
  pin: string;
  onChange: (pin: string) => void;
}) {
  return (
    <Field path="pin">
      {(error) => (
        <PasswordInput
          label={label}
          data-autofocus
          inputMode="numeric"
          autoComplete="off"
          maxLength={8}
          className="numbers"
          error={error}
          value={pin}
          onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, ''))}
        />
      )}
    </Field>
  );
}

const approved = {
  amounts: t`The discount or price needs a manager's approval. The cart stays yours.`,
  void: t`Voiding a sale needs a manager's approval. You stay signed in.`,
  payment: t`Taking another tender needs a manager's approval. The sale stays yours.`,
} as const;

/** A manager's word on the spot, over whatever is open. */
export function ApprovalDialog() {
  const request = useApprovalRequest();
  const [pin, setPin] = useState('');
  if (request === null) return null;
  const { kind, answer } = request;
  const close = () => {
    setPin('');
    answer(null);
  };
  return (
    <Modal opened onClose={close} title={t`Manager's PIN`} zIndex={300} size="sm">
      <ServerForm
        submit={t`Approve`}
        refused={t`Not approved`}
        isReady={pin.length >= 4}
        onCancel={close}
        onSubmit={async () => {
          const given = await dataOf(api.POST('/staff/v1/approvals', { body: { pin, kind } }));
          setPin('');
          answer(given);
        }}
      >
        <Text size="sm">{approved[kind]}</Text>
        <PinInput label={t`PIN`} pin={pin} onChange={setPin} />
      </ServerForm>
    </Modal>
  );
}

/** Who is at a shared register changes by PIN. The cart of the one before waits for them on this device. */
export function ChangePersonDialog({ onClose }: { onClose: () => void }) {
  const [pin, setPin] = useState('');
  return (
    <Modal opened onClose={onClose} title={t`Who is at the register?`} size="sm">
      <ServerForm
        submit={t`Continue`}
        refused={t`Not changed`}
        isReady={pin.length >= 4}
        onCancel={onClose}
        onSubmit={() => api.POST('/staff/v1/sessions/pin', { body: { pin } })}
        onDone={() => {
          tellOtherTabs();
          reloadWithoutAsking();
        }}
      >
        <Text size="sm">{t`The open cart waits on this device for the person who began it.`}</Text>
        <PinInput label={t`Your PIN`} pin={pin} onChange={setPin} />
      </ServerForm>
    </Modal>
  );
}
