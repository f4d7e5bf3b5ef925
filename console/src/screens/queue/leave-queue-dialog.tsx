import { Chip, Group, Modal } from '@mantine/core';
import { t } from '../../words/words.ts';
import '@mantine/core/styles/Chip.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';

const usualReasons = [t`Served`, t`Left`, t`No valid ID`] as const;

/** Removes a customer from the queue, with a reason. */
export function LeaveQueueDialog({
  entry,
  opened,
  onClose,
}: {
  entry: Schema['QueueEntry'];
  opened: boolean;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const [reason, setReason] = useState<string>(t`Served`);
  const name = customerName(entry);
  const remove = () =>
    dataOf(
      api.POST('/staff/v1/instore-queues/{entryId}/remove', {
        params: { path: { entryId: entry.entryId } },
        body: reason.trim() ? { reason: reason.trim() } : {},
      }),
    );
  return (
    <Modal opened={opened} onClose={onClose} title={t`Remove ${name} from the queue`}>
      <ServerForm
        onSubmit={remove}
        onDone={() => {
          onClose();
          notifyDone(t`${name} left the queue.`);
          void queryClient.invalidateQueries({ queryKey: ['instore-queues'] });
        }}
        onCancel={onClose}
        submit={t`Remove`}
      >
        <Chip.Group value={reason} onChange={setReason}>
          <Group gap="sm" role="group" aria-label={t`Common reasons`}>
            {usualReasons.map((usual) => (
              <Chip key={usual} value={usual}>
                {usual}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <TextField
          path="reason"
          label={t`Reason`}
          required
          description={t`Saved with the visit`}
          value={reason}
          onChange={setReason}
        />
      </ServerForm>
    </Modal>
  );
}
