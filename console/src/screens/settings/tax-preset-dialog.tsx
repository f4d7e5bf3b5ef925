import { Alert, Button, Group, List, Modal, Stack, Table, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type StaffPaths } from '../../api.ts';
import { ServerForm } from '../../parts/server-form.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useSession } from '../../session/session.tsx';
import { taxesQuery, zonesQuery } from './setting-lists.ts';
import { taxState } from './tax-words.ts';

type Applied =
  StaffPaths['/staff/v1/taxes/apply-preset']['post']['responses'][200]['content']['application/json'];

/** Sets up the taxes of the shop's state; then says what holds, what ended, and what is left to do by hand. */
export function TaxPresetDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { state } = useSession().organization;
  const [applied, setApplied] = useState<Applied | null>(null);
  const queryClient = useQueryClient();
  const close = () => {
    setApplied(null);
    onClose();
  };
  const apply = async () => {
    const { data } = await api.POST('/staff/v1/taxes/apply-preset', { body: {} });
    if (data) setApplied(data);
    void queryClient.invalidateQueries({ queryKey: taxesQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: zonesQuery.queryKey });
  };
  return (
    <Modal opened={opened} onClose={close} title={`Taxes of ${state}`} size="lg">
      {applied ? (
        <Outcome applied={applied} onClose={close} />
      ) : (
        <ServerForm submit="Set up the taxes" onCancel={close} onSubmit={apply}>
          <List size="sm" spacing="xs">
            <List.Item>
              The taxes that the law of {state} has today, and those that it has dated ahead, are added.
            </List.Item>
            <List.Item>A tax that is there already and charges the same is kept.</List.Item>
            <List.Item>
              A tax of the same name that charges something else ends, and its successor begins.
            </List.Item>
            <List.Item>Taxes of other names stay as they are. Local taxes are yours to add.</List.Item>
          </List>
        </ServerForm>
      )}
    </Modal>
  );
}

function Outcome({ applied, onClose }: { applied: Applied; onClose: () => void }) {
  const { state, asOf, endedTaxIds, notCovered } = applied.meta;
  return (
    <Stack>
      <Text size="sm">
        These taxes of {state} are set up, by the law as of {dayInWords(asOf)}.
        {endedTaxIds.length > 0 && ` ${endedTaxIds.length} that charged something else ended.`}
      </Text>
      <Table withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Tax</Table.Th>
            <Table.Th ta="end">Rate</Table.Th>
            <Table.Th>State</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {applied.data.map((tax) => (
            <Table.Tr key={tax.id}>
              <Table.Td>{tax.description}</Table.Td>
              <Table.Td ta="end">{tax.rate}%</Table.Td>
              <Table.Td>
                <StatusBadge status={taxState(tax, Date.now())} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {notCovered.length > 0 && (
        <Alert color="yellow">
          <Title order={3} size="h4" mb="xs">
            Left to do by hand
          </Title>
          <List size="sm" spacing="xs">
            {notCovered.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
