import { Alert, Button, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { hasCheckDigit, isPackageTag, isScanCode } from '../scanner/scan-codes.ts';
import { useCan } from '../session/session.tsx';
import { t } from '../words/words.ts';
import type { LookUpNotice, OptionLookUps } from './use-option-look-ups.ts';

/** Shows running look-ups and those that failed; a notice stays until dismissed. */
export function LookUpNotices({ lookUps }: { lookUps: OptionLookUps }) {
  const { pending, notices, dismiss, tryAgain } = lookUps;
  const canCreate = useCan('staffCreateProduct');
  return (
    <>
      <Text size="xs" c="dimmed" role="status" aria-label={t`Scans`} hidden={pending === 0}>
        {pending > 0 && t`Looking up ${pending} …`}
      </Text>
      {notices.length > 0 && (
        <ul
          aria-label={t`Not added`}
          style={{
            flex: 'none',
            listStyle: 'none',
            margin: 0,
            padding: 0,
            maxHeight: 176,
            overflowY: 'auto',
          }}
        >
          {notices.map((notice) => (
            <li key={notice.id}>
              <Alert color="red" role="alert" p="xs" mb={4}>
                <Group justify="space-between" gap="xs">
                  <Text size="sm">{inWords(notice)}</Text>
                  <Group gap={4}>
                    {notice.reason === 'failed' && (
                      <Button size="compact-sm" variant="default" onClick={() => tryAgain(notice)}>
                        {t`Look up again`}
                      </Button>
                    )}
                    {canCreate && notice.reason === 'unknown' && hasCheckDigit(notice.text) && (
                      <Button
                        component={Link}
                        to={`/catalog/products/new?upc=${notice.text}`}
                        size="compact-sm"
                        variant="default"
                        onClick={() => dismiss(notice.id)}
                      >
                        {t`Create product`}
                      </Button>
                    )}
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={t`Dismiss ${notice.text}`}
                      onClick={() => dismiss(notice.id)}
                    >
                      {t`Dismiss`}
                    </Button>
                  </Group>
                </Group>
              </Alert>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function inWords({ text, reason }: LookUpNotice): string {
  const isCode = isScanCode(text);
  if (reason === 'failed')
    return isCode
      ? t`Code ${text} could not be looked up. It is not in the cart.`
      : t`${text} could not be looked up. It is not in the cart.`;
  if (reason === 'several')
    return isCode
      ? t`Several items match code ${text}. Choose one by name.`
      : t`Several items match ${text}. Choose one by name.`;
  if (!isCode) return t`No item on the menu matches “${text}”.`;
  if (isPackageTag(text) || hasCheckDigit(text)) return t`Unknown code ${text}: no item on the menu has it.`;
  return t`Unknown code ${text}: its check digit is wrong. Scan it again.`;
}
