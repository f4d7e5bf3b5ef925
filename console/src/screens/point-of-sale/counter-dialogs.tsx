import { Button, Group, Modal } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { LicenseCard, type ScannedHolder } from '../../parts/license-card.tsx';
import { t } from '../../words/words.ts';
import type { Customer } from './cart.ts';
import { CartExtras } from './cart-extras.tsx';
import { PayDialog, SaleDone } from './pay-dialog.tsx';
import { CalledDialog, CustomerDialog } from './sale-customer.tsx';
import type { Sale } from './saved-sale-gate.tsx';
import type { useCounterPayment } from './use-counter-payment.ts';

// Loaded with the first cart that is parked or taken up.
const ParkedCarts = lazy(async () => ({ default: (await import('./parked-carts.tsx')).ParkedCarts }));

/** The dialog of the cart that is open; null: none. */
export type CartDialog = 'customer' | 'extras' | 'clear' | 'parked' | null;

export function CartDialogs({
  dialog,
  saved,
  onClose,
}: {
  dialog: CartDialog;
  saved: Sale;
  onClose: () => void;
}) {
  const { cart, change } = saved;
  return (
    <>
      {dialog === 'parked' && (
        <Suspense>
          <ParkedCarts saved={saved} onClose={onClose} />
        </Suspense>
      )}
      {dialog === 'customer' && <CustomerDialog cart={cart} onChange={change} onClose={onClose} />}
      {dialog === 'extras' && <CartExtras cart={cart} onChange={change} onClose={onClose} />}
      <ConfirmDialog
        opened={dialog === 'clear'}
        title={t`Start over?`}
        action={t`Start over`}
        isDangerous
        onConfirm={async () => change({ type: 'clear' })}
        onClose={onClose}
      >
        {t`This clears the cart and the customer.`}
      </ConfirmDialog>
    </>
  );
}

/** The payment of the cart, then the sold order. */
export function PaymentDialogs({
  paying,
  setSale,
  onClose,
}: Pick<Sale, 'setSale'> & { paying: ReturnType<typeof useCounterPayment>; onClose: () => void }) {
  const { payment, sold, scanned, typedAhead } = paying;
  return (
    <>
      <input ref={typedAhead} className="unseen" inputMode="decimal" tabIndex={-1} aria-hidden />
      {payment && (
        <PayDialog
          {...payment}
          onSale={setSale}
          scanned={scanned}
          typedAhead={typedAhead}
          onClose={() => {
            onClose();
            paying.giveUp();
          }}
          onUnpaid={paying.endUnpaid}
          onSold={paying.endSold}
        />
      )}
      {sold && (
        <SaleDone
          order={sold}
          notSold={scanned}
          onClose={() => {
            paying.closeSold();
            onClose();
          }}
        />
      )}
    </>
  );
}

/** Asks whether the items of another customer pass on to the called one. */
export function CalledCustomerDialog({
  cart,
  change,
  customer,
  onClose,
}: Pick<Sale, 'cart' | 'change'> & { customer: Customer; onClose: () => void }) {
  return (
    <CalledDialog
      cart={cart}
      customer={customer}
      onKeep={() => change({ type: 'customer', customer })}
      onStartOver={() => {
        change({ type: 'clear' });
        change({ type: 'customer', customer });
      }}
      onClose={onClose}
    />
  );
}

/** A license with which nothing may be sold, and why. */
export function RefusedLicense({ scanned, onClose }: { scanned: ScannedHolder; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={t`Driver's license`} size="lg">
      <LicenseCard scanned={scanned} />
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          {t`Close`}
        </Button>
      </Group>
    </Modal>
  );
}
