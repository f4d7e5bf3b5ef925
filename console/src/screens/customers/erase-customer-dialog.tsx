import { Alert, Modal, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';

interface Props {
  readonly customer: Schema['StaffCustomerDetail'];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Permanently deletes a customer's personal data; asks for the short id to confirm. */
export function EraseCustomerDialog(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={t`Erase ${customerName(props.customer)}`}>
      {props.opened && <EraseForm {...props} />}
    </Modal>
  );
}

function EraseForm({ customer, onClose }: Props) {
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const erase = async () => {
    if (typed.trim().toUpperCase() !== customer.hashId) {
      setIsWrong(true);
      return;
    }
    await dataOf(
      api.DELETE('/staff/v1/customers/{customerId}', { params: { path: { customerId: customer.id } } }),
    );
    onClose();
    notifyDone(t`The customer is erased.`);
    void queryClient.invalidateQueries({ queryKey: ['customers'] });
  };
  return (
    <ServerForm onSubmit={erase} onCancel={onClose} submit={t`Erase permanently`} isDangerous>
      <Alert color="red" title={t`This cannot be undone`}>
        {t`This deletes the profile, groups, visits, emails, sessions and documents right away. Orders keep their items and amounts without the customer. Close or cancel open orders first.`}
      </Alert>
      <TextInput
        label={rich`Type ${(
          <Text span fw={700} className="numbers">
            {customer.hashId}
          </Text>
        )} to confirm`}
        data-autofocus
        autoComplete="off"
        error={isWrong ? t`This is not the customer's short ID` : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setIsWrong(false);
        }}
      />
    </ServerForm>
  );
}
