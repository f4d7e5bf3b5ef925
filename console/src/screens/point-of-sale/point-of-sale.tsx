import { Button, Kbd } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { customerName } from '../../parts/customer-picker.tsx';
import { OptionSearch } from '../../parts/option-search.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { type ScreenKey, useScreenKeys } from '../../parts/screen-keys.ts';
import { sayDone, sayNotLoaded } from '../../parts/toasts.tsx';
import { holdUnsavedWork, useUnsavedWork } from '../../parts/unsaved-work.ts';
import { useInStock } from '../../parts/use-in-stock.ts';
import { useLive } from '../../parts/use-live.ts';
import { useOptionLookUps } from '../../parts/use-option-look-ups.ts';
import { useScans } from '../../scanner/use-scans.ts';
import { useSession } from '../../session/session.tsx';
import {
  type Cart,
  type CartChange,
  type Customer,
  changedCart,
  emptyCart,
  losesReductions,
} from './cart.ts';
import { CartExtras } from './cart-extras.tsx';
import { CartPanel } from './cart-panel.tsx';
import { PayDialog, SaleDone } from './pay-dialog.tsx';
import classes from './point-of-sale.module.css';
import { CalledDialog, CustomerDialog } from './sale-customer.tsx';
import { useTypingToSearch } from './typing-to-search.ts';
import { useCartPricing } from './use-cart-pricing.ts';
import { useCustomerOnFile } from './use-customer-on-file.ts';
import { obstacleOf, usePayment } from './use-payment.ts';

type Dialog = 'customer' | 'extras' | 'clear' | null;

/** The cart outlives a look at another screen, but not the page, and nobody else's session. */
let kept: { staffId: number; cart: Cart } | null = null;
let giveBackKept = (): void => {};

function useKeptCart(): [Cart, (change: CartChange) => void] {
  const { id: staffId } = useSession().staff;
  const [cart, dispatch] = useReducer(changedCart, kept?.staffId === staffId ? kept.cart : emptyCart);
  const present = useRef(cart);
  useEffect(() => {
    kept = { staffId, cart };
    giveBackKept();
    if (cart.lines.length > 0) giveBackKept = holdUnsavedWork('page');
    present.current = cart;
  }, [staffId, cart]);
  const change = useCallback((wanted: CartChange) => {
    const { current } = present;
    if (wanted.type === 'customer' && losesReductions(current, wanted.customer)) {
      sayDone(`What was given to ${customerName(current.customer!)} by hand or by code is off the cart.`);
    }
    dispatch(wanted);
  }, []);
  return [cart, change];
}

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
  const queryClient = useQueryClient();
  const [cart, change] = useKeptCart();
  const [dialog, setDialog] = useState<Dialog>(null);
  const [sold, setSold] = useState<Schema['FulfilledOrder'] | null>(null);
  const search = useRef<HTMLInputElement>(null);
  useCustomerOnFile(cart.customer, change);
  const priced = useCartPricing(cart);
  const [called, setCalled] = useState<Customer | null>(null);
  useCustomerOfAddress((customer) => {
    // The goods of somebody else are nobody's to buy unasked.
    if (cart.lines.length > 0 && cart.customer?.id !== customer.id) setCalled(customer);
    else change({ type: 'customer', customer });
  });
  useLive(
    ['products', 'discounts', 'taxes'],
    useCallback(() => void queryClient.invalidateQueries({ queryKey: ['cart-pricing'] }), [queryClient]),
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
    // The cart is behind the dialog.
    if (document.querySelector('[role="dialog"]')) sayDone(`${option.productName} is in the cart.`);
  });
  const isLookingUp = lookUps.pending > 0;
  useUnsavedWork(isLookingUp);
  const obstacle = obstacleOf(cart, priced, { isShort, isAsking: asking.size > 0 });
  const { payment, ...paying } = usePayment(cart, priced, obstacle, isLookingUp);
  // What is scanned while somebody pays is not in the price they pay.
  const [scannedWhilePaying, setScannedWhilePaying] = useState<readonly string[]>([]);
  useScans((code) => {
    if (payment) setScannedWhilePaying((before) => [...before, code]);
    else lookUps.take(code);
  });
  const navigate = useNavigate();
  const endSale = () => {
    paying.end();
    change({ type: 'clear' });
  };
  const keys: readonly ScreenKey[] = [
    { key: '+', meaning: 'One more of the marked item', press: () => change({ type: 'more' }) },
    { key: '-', meaning: 'One less of it', press: () => change({ type: 'less' }) },
    { key: 'Delete', meaning: 'Take it out', press: () => change({ type: 'remove' }) },
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
        All that lies in the cart is taken out of it, and who buys is forgotten.
      </ConfirmDialog>
      <input ref={paying.typedAhead} className="unseen" inputMode="decimal" tabIndex={-1} aria-hidden />
      {payment && (
        <PayDialog
          typedAhead={paying.typedAhead}
          cart={cart}
          pricing={payment.pricing}
          idempotencyKey={payment.idempotencyKey}
          scanned={scannedWhilePaying}
          onClose={() => {
            paying.close();
            close();
            for (const code of scannedWhilePaying) lookUps.take(code);
            setScannedWhilePaying([]);
          }}
          onUnpaid={(order) => {
            endSale();
            setScannedWhilePaying([]);
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
            <Kbd size="xs">{key}</Kbd> {meaning.replace(' of the marked item', '').replace(' of it', '')}
          </span>
        ))}
    </div>
  );
}
