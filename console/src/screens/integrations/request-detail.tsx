import { ActionIcon, Anchor, CopyButton, Drawer, Group, Table, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { Schema } from '../../api.ts';
import { DetailLine, MonospaceText } from '../../parts/detail-line.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';
import { milliseconds, toneOfStatus } from './request-words.ts';

const keyProblemWords = {
  revoked: t`was refused: it is revoked.`,
  expired: t`was refused: it has expired.`,
  'other-consumer-key': t`was refused: it was sent with a consumer key of another integrator, or an unknown one.`,
  'other-origin': t`was refused: it was not used on a page of one of its origins.`,
  'other-address': t`was refused: it came from an address that is not allowed.`,
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
    <Drawer opened={request !== null} onClose={onClose} position="right" title={t`Request`}>
      {request && (
        <Table variant="vertical" layout="fixed">
          <Table.Tbody>
            <DetailLine label={t`Time`}>
              <ShopTime at={request.at} style="full" />
            </DetailLine>
            <DetailLine label={t`Integrator`}>{request.integratorName}</DetailLine>
            <DetailLine label={t`Client key`}>
              {request.keyPrefix === null ? (
                request.clientKeyId
              ) : (
                <MonospaceText>{request.keyPrefix}…</MonospaceText>
              )}
              {request.keyProblem !== null && ` ${keyProblemWords[request.keyProblem]}`}
            </DetailLine>
            <DetailLine label={t`Operation`}>
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
                  {t`Reference`}
                </Anchor>
              )}
            </DetailLine>
            <DetailLine label={t`Path`}>
              <MonospaceText>{request.path}</MonospaceText>
            </DetailLine>
            <DetailLine label={t`Status`}>
              <StatusBadge status={String(request.status)} tone={toneOfStatus(request.status)} />
              {request.status === 499 && t` The caller disconnected before the reply.`}
            </DetailLine>
            <DetailLine label={t`Code`}>{request.code ?? '–'}</DetailLine>
            <DetailLine label={t`Message`}>{request.message ?? '–'}</DetailLine>
            <DetailLine label={t`Duration`}>{milliseconds(request.ms)}</DetailLine>
            <DetailLine label={t`Request ID`}>
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
        <Tooltip label={copied ? t`Copied` : t`Copy`}>
          <ActionIcon variant="subtle" color="gray" aria-label={t`Copy the request ID`} onClick={copy}>
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
