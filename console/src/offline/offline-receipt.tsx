import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { OfflineSale } from '../../../src/engines/offline-pricing/offline-sale.ts';
import type { OfflineTerms } from '../../../src/engines/offline-pricing/offline-terms.ts';
import { type OfflinePrice, optionsOf } from '../../../src/engines/offline-pricing/price-offline.ts';
import { Barcode } from '../parts/barcode.tsx';
import { Money } from '../parts/money.tsx';
import { locale, t } from '../words/words.ts';
import type { KeptTerms } from './offline-store.ts';

export interface SoldOffline {
  readonly sale: OfflineSale;
  readonly priced: OfflinePrice['priced'];
}

/** The receipt of a sale that waits on this device: its own number, and what was paid. The browser prints it. */
export function OfflineReceipt({
  kept,
  terms,
  sold: { sale, priced },
  onClose,
}: {
  kept: KeptTerms;
  terms: OfflineTerms;
  sold: SoldOffline;
  onClose: () => void;
}) {
  const options = optionsOf(terms);
  const change = sale.tenders.reduce(
    (sum, { tendered, amount, fee, rounding = 0 }) =>
      sum + (tendered === null ? 0 : tendered - amount - fee - rounding),
    0,
  );
  const rounded = sale.tenders.reduce((sum, { rounding = 0 }) => sum + rounding, 0);
  const received = sale.tenders.reduce((sum, { tendered }) => sum + (tendered ?? 0), 0);
  const nameOf = (id: number) =>
    t`Paid: ${terms.paymentTypes.find(({ paymentTypeId }) => paymentTypeId === id)?.name ?? t`other`}`;
  const line = (name: string, cents: number) => (
    <Group key={name} justify="space-between">
      <Text>{name}</Text>
      <Money cents={cents} />
    </Group>
  );
  return (
    <Modal opened onClose={onClose} title={t`${sale.number} is sold`}>
      <Stack gap="xs">
        <Text fw={600}>{kept.shopName}</Text>
        {kept.shopLines.map((shopLine) => (
          <Text key={shopLine} size="sm">
            {shopLine}
          </Text>
        ))}
        <Text size="sm">
          {new Date(sale.soldAt).toLocaleString(locale(), { timeZone: terms.timeZone })}, {kept.staffName}
        </Text>
        {priced.lines.map(({ productOptionId, quantity, finalPriceCents }) => {
          const name = options.get(productOptionId)?.productName ?? '';
          const weight = sale.lines.find((it) => it.productOptionId === productOptionId)?.weight;
          return line(weight ? t`${weight} g ${name}` : `${quantity} × ${name}`, finalPriceCents);
        })}
        {priced.discounts.map(({ description, amountUsedCents }) => line(description, -amountUsedCents))}
        {priced.taxes
          .filter(({ included }) => !included)
          .map(({ description, amountCents }) => line(description, amountCents))}
        {line(t`Total`, sale.total)}
        {rounded !== 0 && line(t`Cash rounding`, rounded)}
        {sale.tenders.map(({ paymentTypeId, amount, fee, rounding = 0 }) =>
          line(nameOf(paymentTypeId), amount + fee + rounding),
        )}
        {received > 0 && line(t`Cash received`, received)}
        {line(t`Change`, change)}
        <Text size="sm" c="dimmed">
          {t`Saved on this device. It is sent when the connection is back.`}
        </Text>
        <Barcode text={sale.number} label={t`Barcode of offline sale ${sale.number}`} />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => window.print()}>
            {t`Print`}
          </Button>
          <Button data-autofocus onClick={onClose}>
            {t`Next sale`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
