import { Modal, Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { LongTextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';
import { taxesQuery } from './setting-lists.ts';
import type { Tax } from './tax-words.ts';

/** Asks the owner whether patients owe a tax; the reason is saved. */
export function PatientsDialog({ tax, onClose }: { tax: Tax | null; onClose: () => void }) {
  return (
    <Modal opened={tax !== null} onClose={onClose} title={t`Do patients owe ${tax?.description}?`}>
      {tax && <Decision tax={tax} onClose={onClose} />}
    </Modal>
  );
}

function Decision({ tax, onClose }: { tax: Tax; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [owe, setOwe] = useState(String(tax.patients?.decision?.owe ?? !tax.exemptable));
  const [note, setNote] = useState(tax.patients?.decision?.note ?? '');
  const decide = async () => {
    const params = { path: { taxId: tax.id } };
    await dataOf(
      api.POST('/staff/v1/taxes/{taxId}/patients', { params, body: { owe: owe === 'true', note } }),
    );
    notifyDone(
      owe === 'true' ? t`Patients are charged this tax from now on.` : t`Patients are not charged this tax.`,
    );
    void queryClient.invalidateQueries({ queryKey: taxesQuery.queryKey });
  };
  return (
    <ServerForm submit={t`Decide`} onCancel={onClose} onSubmit={decide} onDone={onClose}>
      <Stack>
        {tax.patients && <Text size="sm">{tax.patients.text}</Text>}
        <Field path="owe">
          {(error) => (
            <Radio.Group label={t`Patients`} value={owe} onChange={setOwe} error={error}>
              <Stack gap="xs" mt="xs">
                <Radio value="true" label={t`Owe the tax`} />
                <Radio value="false" label={t`Do not owe the tax`} />
              </Stack>
            </Radio.Group>
          )}
        </Field>
        <LongTextField
          path="note"
          label={t`Reason`}
          description={t`Who decided this and where. Saved with the tax.`}
          data-autofocus
          value={note}
          onChange={setNote}
        />
      </Stack>
    </ServerForm>
  );
}
