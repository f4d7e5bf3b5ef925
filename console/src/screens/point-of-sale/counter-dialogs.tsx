import { Button, Group, Modal } from '@mantine/core';
import {
  lazy,
  memo,
  type RefObject,
  Suspense,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { LicenseCard, type ScannedHolder } from '../../parts/license-card.tsx';
import { WhoseLicense } from '../../parts/whose-license.tsx';
import { t } from '../../words/words.ts';
import type { Customer } from './cart.ts';
import { CartExtras } from './cart-extras.tsx';
import { PayDialog, SaleDone } from './pay-dialog.tsx';
import { CalledDialog, CustomerDialog } from './sale-customer.tsx';
import { type Sale, useOfSale, useSaleHands, useSavedSale } from './saved-sale-gate.tsx';
import type { useCounterPayment } from './use-counter-payment.ts';
import type { Payment } from './use-payment.ts';

// Loaded with the first cart that is parked or taken up.
const ParkedCarts = lazy(async () => ({ default: (await import('./parked-carts.tsx')).ParkedCarts }));

const ChangePersonDialog = lazy(async () => ({
  default: (await import('../../session/pin-dialogs.tsx')).ChangePersonDialog,
}));

/** The dialog of the cart that is open; null: none. */
export type CartDialog = 'customer' | 'extras' | 'clear' | 'parked' | 'person' | null;

export function CartDialogs({ dialog, onClose }: { dialog: CartDialog; onClose: () => void }) {
  const { change } = useSaleHands();
  return (
    <>
      {dialog !== null && <OpenDialog dialog={dialog} onClose={onClose} />}
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

/** Its fields show the cart as it is now. */
function OpenDialog({ dialog, onClose }: { dialog: CartDialog; onClose: () => void }) {
  const saved = useSavedSale();
  const { cart, change } = saved;
  if (dialog === 'parked') {
    return (
      <Suspense>
        <ParkedCarts saved={saved} onClose={onClose} />
      </Suspense>
    );
  }
  if (dialog === 'person') {
    return (
      <Suspense>
        <ChangePersonDialog onClose={onClose} />
      </Suspense>
    );
  }
  if (dialog === 'customer') return <CustomerDialog cart={cart} onChange={change} onClose={onClose} />;
  if (dialog === 'extras') return <CartExtras cart={cart} onChange={change} onClose={onClose} />;
  return null;
}

type Paying = ReturnType<typeof useCounterPayment>;

/** The payment of the cart, then the sold order. */
export function PaymentDialogs({
  paying,
  search,
  onClose,
}: {
  paying: Paying;
  search: RefObject<HTMLInputElement | null>;
  onClose: () => void;
}) {
  const { payment, sold, scanned, typedAhead } = paying;
  const sale = useOfSale((selling) => selling.sale);
  const isOver = payment === null || (payment.isOfSale && sale === null);
  const open = useMemo(() => (isOver ? null : { ...payment, sale }), [isOver, payment, sale]);
  // A dialog that is closed is hidden at once; taking it down takes longer, and comes after the next picture.
  const shown = useDeferredValue(open);
  const drawn = open ?? shown;
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (open === null && root.current) root.current.hidden = true;
  }, [open]);
  return (
    <>
      <input ref={typedAhead} className="unseen" inputMode="decimal" tabIndex={-1} aria-hidden />
      {drawn && (
        <OpenedPayment key={drawn.key} payment={drawn} paying={paying} rootRef={root} search={search} />
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

/** Not drawn again while it is hidden. */
const OpenedPayment = memo(function OpenedPayment({
  payment,
  paying,
  rootRef,
  search,
}: {
  payment: Payment;
  paying: Paying;
  rootRef: RefObject<HTMLDivElement | null>;
  search: RefObject<HTMLInputElement | null>;
}) {
  const { setSale } = useSaleHands();
  return (
    <PayDialog
      {...payment}
      rootRef={rootRef}
      onSale={setSale}
      scanned={paying.scanned}
      typedAhead={paying.typedAhead}
      onClose={() => {
        // Before the next key: the hidden dialog must not take it.
        search.current?.focus();
        paying.giveUp();
      }}
      onUnpaid={paying.endUnpaid}
      onSold={paying.endSold}
    />
  );
});

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

/** A license with which nothing may be sold, and why, or whose holder staff are asked about. */
export function RefusedLicense({
  scanned,
  onKnown,
  onClose,
}: {
  scanned: ScannedHolder;
  onKnown: (scanned: ScannedHolder) => void;
  onClose: () => void;
}) {
  return (
    <Modal opened onClose={onClose} title={t`Driver's license`} size="lg">
      <LicenseCard scanned={scanned} />
      <WhoseLicense scanned={scanned} onKnown={onKnown} />
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          {t`Close`}
        </Button>
      </Group>
    </Modal>
  );
}
