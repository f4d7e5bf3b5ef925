import { Button, Kbd } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { OptionSearch } from '../../parts/option-search.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { readAgain } from '../../parts/read-again.ts';
import { halfTyped } from '../../parts/reductions.ts';
import { type ScreenKey, useScreenKeys } from '../../parts/screen-keys.ts';
import { sayDone, sayNotLoaded } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { type Customer, cartBody, emptyCart } from './cart.ts';
import { CartExtras } from './cart-extras.tsx';
import { CartPanel } from './cart-panel.tsx';
import { newSale } from './kept-sale.ts';
import { KeptSaleGate, useKeptSale } from './kept-sale-gate.tsx';
import { PayDialog, SaleDone } from './pay-dialog.tsx';
import classes from './point-of-sale.module.css';
import { CalledDialog, CustomerDialog } from './sale-customer.tsx';
import { UnansweredSale } from './unanswered-sale.tsx';
import { useCartPricing } from './use-cart-pricing.ts';
import { useCustomerOnFile } from './use-customer-on-file.ts';

type Dialog = 'customer' | 'extras' | 'pay' | 'clear' | null;

/** `?customer=5001`: who was called from the queue, say, is who buys: `onCalled` is told who that is. */
function useCustomerOfAddress(onCalled: (customer: Customer) => void): void {
  const [parameters, setParameters] = useSearchParams();
  const customerId = Number(parameters.get('customer'));
  const called = useRef(onCalled);
  useEffect(() => {
    called.current = onCalled;
  });
  useEffect(() => {
    if (!customerId) return;
    dataOf(api.GET('/staff/v1/customers/{customerId}', { params: { path: { customerId } } }))
      .then((customer) => called.current(customer))
      .catch(sayNotLoaded)
      .finally(() => setParameters({}, { replace: true }));
  }, [customerId, setParameters]);
}

/** The counter: scan or search, see the price and the limits, take the money, hand over. All of it by keyboard. */
export function Component() {
  return (
    <KeptSaleGate>
      <Counter />
    </KeptSaleGate>
  );
}

function Counter() {
  const queryClient = useQueryClient();
  const { cart, change, sale, setSale } = useKeptSale();
  // A page that was left while paying goes on there.
  const [dialog, setDialog] = useState<Dialog>(sale === null ? null : 'pay');
  const [sold, setSold] = useState<Schema['FulfilledOrder'] | null>(null);
  const search = useRef<HTMLInputElement>(null);
  useCustomerOnFile(cart.customer, change);
  const priced = useCartPricing(cart);
  const { pricing, isCurrent } = priced;
  const [called, setCalled] = useState<Customer | null>(null);
  useCustomerOfAddress((customer) => {
    // The goods of somebody else are nobody's to buy unasked.
    if (cart.lines.length > 0 && cart.customer?.id !== customer.id) setCalled(customer);
    else change({ type: 'customer', customer });
  });
  useLive(
    ['products', 'discounts', 'taxes'],
    useCallback(() => readAgain(queryClient, { queryKey: ['cart-pricing'] }, 'shown'), [queryClient]),
  );
  useLive(['inventory', 'organization']);
  const isOver = pricing?.purchaseLimits.some(({ exceeded }) => exceeded) ?? false;
  const navigate = useNavigate();
  const pay = () => {
    // A sale that may have gone through comes first: tried again it is the same sale, and is not sold twice.
    if (sale !== null) return setDialog('pay');
    if (!pricing || !isCurrent || isOver || cart.lines.length === 0 || halfTyped(cart) !== null) return;
    setSale(newSale(cart, pricing));
    setDialog('pay');
  };
  const endSale = () => {
    setDialog(null);
    setSale(null);
    if (sale?.body === JSON.stringify(cartBody(cart))) return change({ type: 'clear' });
    sayDone(
      'What was in the cart when it was sent is sold. The cart was changed since: look what is left to sell.',
    );
  };
  const keys: readonly ScreenKey[] = [
    { key: '+', meaning: 'One more of the marked item', press: () => change({ type: 'more' }) },
    { key: '-', meaning: 'One less of it', press: () => change({ type: 'less' }) },
    { key: 'Delete', meaning: 'Take it out', press: () => change({ type: 'remove' }) },
    { key: 'F2', meaning: 'Customer', press: () => setDialog('customer') },
    { key: 'F4', meaning: 'Discounts, rewards, taxes', press: () => setDialog('extras') },
    { key: 'F9', meaning: 'Pay', press: pay },
  ];
  useScreenKeys(keys);
  useScannerAnywhere(search);
  const close = () => {
    setDialog(null);
    requestAnimationFrame(() => search.current?.focus());
  };
  return (
    <Page kind="list">
      <PageHeader
        title="Point of sale"
        actions={
          <Button
            variant="default"
            leftSection={<IconEraser size={18} aria-hidden />}
            disabled={cart === emptyCart}
            onClick={() => (cart.lines.length > 0 ? setDialog('clear') : change({ type: 'clear' }))}
          >
            Start over
          </Button>
        }
      />
      {sale && dialog !== 'pay' && (
        <UnansweredSale sale={sale} onTryAgain={pay} onDiscard={() => setSale(null)} />
      )}
      <div className={classes.counter}>
        <div className={classes.left}>
          <div className={classes.search}>
            <OptionSearch
              withCategories
              stockFor="in-store"
              inputRef={search}
              onAdd={(option) => change({ type: 'add', option })}
            />
          </div>
          <KeyHints keys={keys} />
        </div>
        <CartPanel
          cart={cart}
          priced={priced}
          onChange={change}
          onCustomer={() => setDialog('customer')}
          onExtras={() => setDialog('extras')}
          onPay={pay}
        />
      </div>
      {dialog === 'customer' && <CustomerDialog cart={cart} onChange={change} onClose={close} />}
      {dialog === 'extras' && <CartExtras cart={cart} onChange={change} onClose={close} />}
      <ConfirmDialog
        opened={dialog === 'clear'}
        title="Start over?"
        action="Start over"
        isDangerous
        onConfirm={async () => change({ type: 'clear' })}
        onClose={close}
      >
        All that lies in the cart is taken out of it, and who buys is forgotten.
      </ConfirmDialog>
      {dialog === 'pay' && sale && (
        <PayDialog
          sale={sale}
          onSale={setSale}
          onClose={close}
          onUnpaid={(order) => {
            endSale();
            void navigate(`/orders/${order.id}?do=fulfill`);
          }}
          onSold={(order) => {
            endSale();
            setSold(order);
          }}
        />
      )}
      {called && (
        <CalledDialog
          cart={cart}
          customer={called}
          onKeep={() => change({ type: 'customer', customer: called })}
          onStartOver={() => {
            change({ type: 'clear' });
            change({ type: 'customer', customer: called });
          }}
          onClose={() => {
            setCalled(null);
            close();
          }}
        />
      )}
      {sold && (
        <SaleDone
          order={sold}
          onClose={() => {
            setSold(null);
            close();
          }}
        />
      )}
    </Page>
  );
}

/** A scanner types: digits go to the search field, wherever the focus is, unless somebody writes elsewhere. */
function useScannerAnywhere(search: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    search.current?.focus();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || !/^\d$/.test(event.key)) return;
      const { target } = event;
      if (target instanceof HTMLElement && target.matches('input, textarea, select')) return;
      if (document.querySelector('[role="dialog"]')) return;
      search.current?.focus();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [search]);
}

function KeyHints({ keys }: { keys: readonly ScreenKey[] }) {
  return (
    <div className={classes.keys} aria-hidden>
      <span>
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> <Kbd size="xs">Enter</Kbd> Add
      </span>
      {keys
        .filter(({ key }) => key !== 'Delete')
        .map(({ key, meaning }) => (
          <span key={key}>
            <Kbd size="xs">{key}</Kbd> {meaning.replace(' of the marked item', '').replace(' of it', '')}
          </span>
        ))}
    </div>
  );
}
