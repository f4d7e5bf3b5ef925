import { ActionIcon, CopyButton, Drawer, Group, Table, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Schema } from '../../api.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { milliseconds, toneOfStatus } from './request-words.ts';

/** The details of one request of an integrator. */
export function RequestDetail({
  request,
  onClose,
}: {
  request: Schema['ApiRequest'] | null;
  onClose: () => void;
}) {
  return (
    <Drawer opened={request !== null} onClose={onClose} position="right" title="Request">
      {request && (
        <Table variant="vertical" layout="fixed">
          <Table.Tbody>
            <Line label="Time">
              <ShopTime at={request.at} style="full" />
            </Line>
            <Line label="Integrator">{request.integratorName}</Line>
            <Line label="Client key">{request.clientKeyId}</Line>
            <Line label="Operation">
              <Code>
                {request.method} {request.pathTemplate}
              </Code>
            </Line>
            <Line label="Path">
              <Code>{request.path}</Code>
            </Line>
            <Line label="Status">
              <StatusBadge status={String(request.status)} tone={toneOfStatus(request.status)} />
              {request.status === 499 && ' The caller disconnected before the reply.'}
            </Line>
            <Line label="Code">{request.code ?? '–'}</Line>
            <Line label="Duration">{milliseconds(request.ms)}</Line>
            <Line label="Request id">
              <Group gap="xs" wrap="nowrap">
                <Code>{request.requestId}</Code>
                <CopyId id={request.requestId} />
              </Group>
            </Line>
          </Table.Tbody>
        </Table>
      )}
    </Drawer>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={120}>
        {label}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}

function Code({ children }: { children: ReactNode }) {
  return (
    <Text span inherit ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}

/** Copies the request id, by which operators find the request in their logs. */
function CopyId({ id }: { id: string }) {
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <ActionIcon variant="subtle" color="gray" aria-label="Copy the request id" onClick={copy}>
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
