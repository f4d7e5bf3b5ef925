import { ActionIcon, Anchor, CopyButton, Drawer, Group, Table, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { Schema } from '../../api.ts';
import { DetailLine, MonospaceText } from '../../parts/detail-line.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { milliseconds, toneOfStatus } from './request-words.ts';

const keyProblemWords = {
  revoked: 'was refused: it is revoked.',
  expired: 'was refused: it has expired.',
  'other-consumer-key':
    'was refused: it was sent with a consumer key of another integrator, or an unknown one.',
  'other-origin': 'was refused: it was not used on a page of one of its origins.',
  'other-address': 'was refused: it came from an address that is not allowed.',
} as const;

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
            <DetailLine label="Time">
              <ShopTime at={request.at} style="full" />
            </DetailLine>
            <DetailLine label="Integrator">{request.integratorName}</DetailLine>
            <DetailLine label="Client key">
              {request.keyPrefix === null ? (
                request.clientKeyId
              ) : (
                <MonospaceText>{request.keyPrefix}…</MonospaceText>
              )}
              {request.keyProblem !== null && ` ${keyProblemWords[request.keyProblem]}`}
            </DetailLine>
            <DetailLine label="Operation">
              <MonospaceText>
                {request.method} {request.pathTemplate}
              </MonospaceText>{' '}
              {request.referencePath !== null && (
                <Anchor
                  inherit
                  underline="always"
                  href={request.referencePath}
                  target="_blank"
                  rel="noreferrer"
                >
                  Reference
                </Anchor>
              )}
            </DetailLine>
            <DetailLine label="Path">
              <MonospaceText>{request.path}</MonospaceText>
            </DetailLine>
            <DetailLine label="Status">
              <StatusBadge status={String(request.status)} tone={toneOfStatus(request.status)} />
              {request.status === 499 && ' The caller disconnected before the reply.'}
            </DetailLine>
            <DetailLine label="Code">{request.code ?? '–'}</DetailLine>
            <DetailLine label="Message">{request.message ?? '–'}</DetailLine>
            <DetailLine label="Duration">{milliseconds(request.ms)}</DetailLine>
            <DetailLine label="Request id">
              <Group gap="xs" wrap="nowrap">
                <MonospaceText>{request.requestId}</MonospaceText>
                <CopyId id={request.requestId} />
              </Group>
            </DetailLine>
          </Table.Tbody>
        </Table>
      )}
    </Drawer>
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
