import { Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { t } from '../../words/words.ts';
import type { CartChange, Customer } from './cart.ts';

/** What staff noted of the customer, and the way to change it without leaving the sale. */
export function CustomerNote({
  customer,
  onChange,
}: {
  customer: Customer;
  onChange: (change: CartChange) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" data-no-note={customer.notes === null || undefined}>
      <Text size="xs" lineClamp={2}>
        {customer.notes ?? ''}
      </Text>
      <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
        {customer.notes === null ? t`Add a note` : t`Change the note`}
      </Button>
      {isOpen && <NoteDialog customer={customer} onChange={onChange} onClose={() => setOpen(false)} />}
    </Group>
  );
}

function NoteDialog({
  customer,
  onChange,
  onClose,
}: {
  customer: Customer;
  onChange: (change: CartChange) => void;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const [notes, setNotes] = useState(customer.notes ?? '');
  const save = async () => {
    const saved = await dataOf(
      api.PATCH('/staff/v1/customers/{customerId}', {
        params: { path: { customerId: customer.id } },
        body: { notes: notes.trim() || null },
      }),
    );
    onChange({ type: 'customer', customer: saved });
    void queryClient.invalidateQueries({ queryKey: ['customers'] });
  };
  return (
    <Modal opened onClose={onClose} title={t`Note on the customer`}>
      <ServerForm onSubmit={save} onDone={onClose} onCancel={onClose}>
        <Field path="notes">
          {(error) => (
            <Textarea
              label={t`Notes`}
              data-autofocus
              autosize
              minRows={3}
              maxLength={2000}
              error={error}
              value={notes}
              onChange={(event) => setNotes(event.currentTarget.value)}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}
