import { Button, Kbd } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { OptionSearch } from '../../parts/option-search.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { readAgain } from '../../parts/read-again.ts';
import { type ScreenKey, useScreenKeys } from '../../parts/screen-keys.ts';
import { notifyDone, notifyLoadError } from '../../parts/toasts.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { useInStock } from '../../parts/use-in-stock.ts';
import { useLive } from '../../parts/use-live.ts';
import { useOptionLookUps } from '../../parts/use-option-look-ups.ts';
import { useScans } from '../../scanner/use-scans.ts';
import { type Customer, cartBody, emptyCart } from './cart.ts';
import { CartExtras } from './cart-extras.tsx';
import { CartPanel } from './cart-panel.tsx';
import { PayDialog, SaleDone } from './pay-dialog.tsx';
import classes from './point-of-sale.module.css';
import { CalledDialog, CustomerDialog } from './sale-customer.tsx';
import { SavedSaleGate, useSavedSale } from './saved-sale-gate.tsx';
import { useTypingToSearch } from './typing-to-search.ts';
import { UnansweredSale } from './unanswered-sale.tsx';
import { useCartPricing } from './use-cart-pricing.ts';
import { useCustomerOnFile } from './use-customer-on-file.ts';
import { obstacleOf, usePayment } from './use-payment.ts';

type Dialog = 'customer' | 'extras' | 'clear' | null;

/** `?customer=5001`: a customer called from the queue becomes the cart's customer; `onCalled` is called with them. */
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
      .catch(notifyLoadError)
      .finally(() => setParameters({}, { replace: true }));
  }, [customerId, setParameters]);
}

/** The counter: scan or search, see price and limits, take payment, hand over. Works by keyboard alone. */
export function Component() {
  return (
    <SavedSaleGate>
      <Counter />
    </SavedSaleGate>
  );
}

function Counter() {
  const queryClient = useQueryClient();
  const { cart, change, sale, setSale } = useSavedSale();
  const [dialog, setDialog] = useState<Dialog>(null);
  const [sold, setSold] = useState<Schema['FulfilledOrder'] | null>(null);
  const search = useRef<HTMLInputElement>(null);
  useCustomerOnFile(cart.customer, change);
  const priced = useCartPricing(cart);
  const [called, setCalled] = useState<Customer | null>(null);
  useCustomerOfAddress((customer) => {
    // Items of another customer pass on only after a question.
    if (cart.lines.length > 0 && cart.customer?.id !== customer.id) setCalled(customer);
    else change({ type: 'customer', customer });
  });
  useLive(
    ['products', 'discounts', 'taxes'],
    useCallback(() => readAgain(queryClient, { queryKey: ['cart-pricing'] }, 'shown'), [queryClient]),
  );
  useLive(['inventory', 'organization']);
  const inStock = useInStock(
    cart.lines.map(({ option }) => option.productName),
    'in-store',
  );
  const isShort = cart.lines.some(({ option, quantity }) => (inStock(option) ?? quantity) < quantity);
  const [asking, setAsking] = useState<ReadonlySet<number>>(new Set());
  const lookUps = useOptionLookUps((option) => {
    change({ type: 'add', option });
    // The dialog covers the cart.
    if (document.querySelector('[role="dialog"]')) notifyDone(`${option.productName} is in the cart.`);
  });
  const isLookingUp = lookUps.pending > 0;
  const obstacle = obstacleOf(cart, priced, { isShort, isAsking: asking.size > 0 });
  const { payment, ...paying } = usePayment(cart, priced, obstacle, isLookingUp, { sale, setSale });
  // Codes scanned during payment are not in the price being paid.
  const [scannedWhilePaying, setScannedWhilePaying] = useState<readonly string[]>([]);
  const giveUpScans = useUnsavedWork(isLookingUp || scannedWhilePaying.length > 0);
  useScans((code) => {
    if (payment) setScannedWhilePaying((before) => [...before, code]);
    else lookUps.take(code);
  });
  const navigate = useNavigate();
  const endSale = () => {
    paying.close();
    setSale(null);
    if (sale?.body === JSON.stringify(cartBody(cart))) return change({ type: 'clear' });
    notifyDone('The cart is sold as it was when sent. It has changed since: check the remaining items.');
  };
  const keys: readonly ScreenKey[] = [
    { key: '+', meaning: 'Increase the selected item', press: () => change({ type: 'more' }) },
    { key: '-', meaning: 'Decrease it', press: () => change({ type: 'less' }) },
    { key: 'Delete', meaning: 'Remove it', press: () => change({ type: 'remove' }) },
    { key: 'F2', meaning: 'Customer', press: () => setDialog('customer') },
    { key: 'F4', meaning: 'Discounts, rewards, taxes', press: () => setDialog('extras') },
    { key: 'F9', meaning: 'Pay', press: paying.open },
  ];
  useScreenKeys(keys);
  useTypingToSearch(search);
  const close = () => {
    setDialog(null);
    requestAnimationFrame(() => search.current?.focus());
  };
  return (
    <Page kind="list">
      <PageHeader
        title="Point of sale"
        actions={
          <>
            <Button component={Link} to="/point-of-sale/limits" variant="default">
              Limits
            </Button>
            <Button
              variant="default"
              leftSection={<IconEraser size={18} aria-hidden />}
              disabled={cart === emptyCart}
              onClick={() => (cart.lines.length > 0 ? setDialog('clear') : change({ type: 'clear' }))}
            >
              Start over
            </Button>
          </>
        }
      />
      {sale && !payment && (
        <UnansweredSale sale={sale} onTryAgain={paying.open} onDiscard={() => setSale(null)} />
      )}
      <div className={classes.counter}>
        <div className={classes.left}>
          <div className={classes.search}>
            <OptionSearch
              withCategories
              stockFor="in-store"
              inputRef={search}
              lookUps={lookUps}
              onAdd={(option) => change({ type: 'add', option })}
            />
          </div>
          <KeyHints keys={keys} />
        </div>
        <CartPanel
          cart={cart}
          priced={priced}
          inStock={inStock}
          isPayable={obstacle === null && !isLookingUp}
          onChange={change}
          onAsking={(optionId, isAsking) =>
            setAsking((before) => new Set([...before, optionId].filter((id) => isAsking || id !== optionId)))
          }
          onCustomer={() => setDialog('customer')}
          onExtras={() => setDialog('extras')}
          onPay={paying.open}
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
        This clears the cart and the customer.
      </ConfirmDialog>
      <input ref={paying.typedAhead} className="unseen" inputMode="decimal" tabIndex={-1} aria-hidden />
      {payment && (
        <PayDialog
          {...payment}
          onSale={setSale}
          scanned={scannedWhilePaying}
          typedAhead={paying.typedAhead}
          onClose={() => {
            paying.close();
            close();
            for (const code of scannedWhilePaying) lookUps.take(code);
            setScannedWhilePaying([]);
          }}
          onUnpaid={(order) => {
            endSale();
            giveUpScans();
            if (scannedWhilePaying.length > 0) {
              notifyDone(`Scanned during payment, not sold: ${scannedWhilePaying.join(', ')}`);
            }
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
          notSold={scannedWhilePaying}
          onClose={() => {
            setSold(null);
            setScannedWhilePaying([]);
            close();
          }}
        />
      )}
    </Page>
  );
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
            <Kbd size="xs">{key}</Kbd> {meaning.replace(/ (the selected item|it)$/, '')}
          </span>
        ))}
    </div>
  );
}
