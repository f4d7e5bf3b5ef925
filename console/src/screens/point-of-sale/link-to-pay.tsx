import { Stack, Text } from '@mantine/core';
import { QrCode } from '../../session/qr-code.tsx';
import { t } from '../../words/words.ts';

/** The link where a customer agrees to a payment, to scan or to type. */
export function LinkToPay({ link }: { link: string }) {
  return (
    <Stack align="center" gap="xs">
      <QrCode text={link} label={t`QR code of the link to pay`} />
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {link}
      </Text>
    </Stack>
  );
}
