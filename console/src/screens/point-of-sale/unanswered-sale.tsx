import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { dollars } from '../../parts/dollars.ts';
import type { SaleUnderWay } from './kept-sale.ts';

/** A sale that was sent, and left without an answer: it may have gone through, so people decide about it before the next one. */
export function UnansweredSale({
  sale,
  onTryAgain,
  onDiscard,
}: {
  sale: SaleUnderWay;
  onTryAgain: () => void;
  onDiscard: () => void;
}) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Alert
        color="yellow"
        role="alert"
        style={{ flex: 'none' }}
        title={`A sale of ${dollars(sale.customerGrandTotal)} has no answer yet`}
      >
        It was sent, and may have gone through. Try it again: it is sold once. The next sale waits for that.
        <Group gap="sm" mt="sm">
          <Button size="xs" onClick={onTryAgain}>
            Try again
          </Button>
          <Button size="xs" variant="default" onClick={() => setAsks(true)}>
            Discard
          </Button>
        </Group>
      </Alert>
      <ConfirmDialog
        opened={asks}
        title="Discard this sale?"
        action="Discard"
        isDangerous
        onConfirm={async () => onDiscard()}
        onClose={() => setAsks(false)}
      >
        Look at the orders first. If it went through, it stands there: take its payment there, or cancel it.
        The cart stays as it is.
      </ConfirmDialog>
    </>
  );
}
