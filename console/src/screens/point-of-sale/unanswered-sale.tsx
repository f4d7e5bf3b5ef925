import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { dollars } from '../../parts/dollars.ts';
import { t } from '../../words/words.ts';
import { useOfSale, useSaleHands } from './saved-sale-gate.tsx';

/** A sale that was sent and not answered: it may have succeeded, so the user decides about it before the next sale. */
export function UnansweredSale({ onTryAgain }: { onTryAgain: () => void }) {
  const sale = useOfSale((selling) => selling.sale);
  const { setSale } = useSaleHands();
  const [asks, setAsks] = useState(false);
  if (sale === null) return null;
  return (
    <>
      <Alert
        color="yellow"
        role="alert"
        style={{ flex: 'none' }}
        title={t`A sale of ${dollars(sale.customerGrandTotal)} has no response yet`}
      >
        {t`It was sent and may have succeeded. Try again: it is sold only once. You can start the next sale after that.`}
        <Group gap="sm" mt="sm">
          <Button size="xs" onClick={onTryAgain}>
            {t`Try again`}
          </Button>
          <Button size="xs" variant="default" onClick={() => setAsks(true)}>
            {t`Discard`}
          </Button>
        </Group>
      </Alert>
      <ConfirmDialog
        opened={asks}
        title={t`Discard this sale?`}
        action={t`Discard`}
        isDangerous
        onConfirm={() => setSale(null)}
        onClose={() => setAsks(false)}
      >
        {t`Check the orders first. If the order is there, take its payment there or cancel it. The cart does not change.`}
      </ConfirmDialog>
    </>
  );
}
