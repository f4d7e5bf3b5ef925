import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconArrowMerge,
  IconChevronDown,
  IconDoorEnter,
  IconDownload,
  IconEraser,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { notifyDone, notifyError, notifyLoadError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { RoleGate } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { EraseCustomerDialog } from './erase-customer-dialog.tsx';
import { MergeCustomersDialog } from './merge-customers-dialog.tsx';

/** The actions for a customer. */
export function CustomerActions({ customer }: { customer: Schema['StaffCustomerDetail'] }) {
  const [isMerging, merging] = useDisclosure(false);
  const [isErasing, erasing] = useDisclosure(false);
  const exporting = useWrite({
    mutationFn: () =>
      dataOf(
        api.GET('/staff/v1/customers/{customerId}/export', {
          params: { path: { customerId: customer.id }, query: { files: true } },
        }),
      ),
    onSuccess: (all) =>
      saveFile(JSON.stringify(all, null, 2), `customer-${customer.hashId}.json`, 'application/json'),
    onError: notifyLoadError,
  });
  return (
    <>
      <CheckInButton customer={customer} />
      <RoleGate right="mergeCustomers">
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
              {t`More`}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconArrowMerge size={16} aria-hidden />} onClick={merging.open}>
              {t`Merge with a duplicate …`}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => exporting.mutate()}
              disabled={exporting.isPending}
            >
              {t`Export all data`}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<IconEraser size={16} aria-hidden />}
              onClick={erasing.open}
            >
              {t`Erase …`}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </RoleGate>
      <MergeCustomersDialog customer={customer} opened={isMerging} onClose={merging.close} />
      <EraseCustomerDialog customer={customer} opened={isErasing} onClose={erasing.close} />
    </>
  );
}

function CheckInButton({ customer }: { customer: Schema['StaffCustomerDetail'] }) {
  const queryClient = useQueryClient();
  const checkIn = useWrite({
    mutationFn: () =>
      dataOf(api.POST('/staff/v1/instore-queues/intake', { body: { customerId: customer.id } })),
    onSuccess: () => notifyDone(t`${customerName(customer)} is in the queue.`),
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['instore-queues'] }),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDoorEnter size={18} aria-hidden />}
      loading={checkIn.isPending}
      onClick={() => checkIn.mutate()}
    >
      {t`Check in`}
    </Button>
  );
}
