import { Button, Kbd } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { OptionSearch } from '../../parts/option-search.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { type ScreenKey, useScreenKeys } from '../../parts/screen-keys.ts';
import { sayFailed } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useSession } from '../../session/session.tsx';
import { type Cart, type CartChange, cartBody, changedCart, emptyCart } from './cart.ts';
import { CartExtras } from './cart-extras.tsx';
import { CartPanel } from './cart-panel.tsx';
import { PayDialog, SaleDone } from './pay-dialog.tsx';
import classes from './point-of-sale.module.css';
import { CustomerDialog } from './sale-customer.tsx';
import { useCartPricing } from './use-cart-pricing.ts';

type Dialog = 'customer' | 'extras' | 'pay' | null;

/** The cart outlives a look at another screen, but not the page, and nobody else's session. */
let kept: { staffId: number; cart: Cart } | null = null;

function useKeptCart(): [Cart, (change: CartChange) => void] {
  const { id: staffId } = useSession().staff;
  const [cart, change] = useReducer(changedCart, kept?.staffId === staffId ? kept.cart : emptyCart);
  useEffect(() => {
    kept = { staffId, cart };
  }, [staffId, cart]);
  return [cart, change];
}

/** `?customer=5001`: who was called from the queue, say, is who buys. */
function useCustomerOfAddress(change: (change: CartChange) => void): void {
  const [parameters, setParameters] = useSearchParams();
  const customerId = Number(parameters.get('customer'));
  useEffect(() => {
    if (!customerId) return;
    dataOf(api.GET('/staff/v1/customers/{customerId}', { params: { path: { customerId } } }))
      .then((customer) => change({ type: 'customer', customer }))
      .catch(sayFailed)
      .finally(() => setParameters({}, { replace: true }));
  }, [customerId, change, setParameters]);
}

/** The counter: scan or search, see the price and the limits, take the money, hand over. All of it by keyboard. */
export function Component() {
  const queryClient = useQueryClient();
  const [cart, change] = useKeptCart();
  const [dialog, setDialog] = useState<Dialog>(null);
  const [sold, setSold] = useState<Schema['FulfilledOrder'] | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const priced = useCartPricing(cart);
  const { pricing, isCurrent } = priced;
  useCustomerOfAddress(change);
  useLive(
    ['products', 'discounts', 'taxes'],
    useCallback(() => void queryClient.invalidateQueries({ queryKey: ['cart-pricing'] }), [queryClient]),
  );
  const isOver = pricing?.purchaseLimits.some(({ exceeded }) => exceeded) ?? false;
  const navigate = useNavigate();
  // A cart that is tried again is the same sale: should a reply have been lost, it is not sold twice.
  const [sale, setSale] = useState<{ body: string; key: string } | null>(null);
  const pay = () => {
    if (!pricing || !isCurrent || isOver || cart.lines.length === 0) return;
    const body = JSON.stringify(cartBody(cart));
    if (sale?.body !== body) setSale({ body, key: pricing.idempotencyKey });
    setDialog('pay');
  };
  const endSale = () => {
    setDialog(null);
    setSale(null);
    change({ type: 'clear' });
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
            onClick={() => change({ type: 'clear' })}
          >
            Start over
          </Button>
        }
      />
      <div className={classes.counter}>
        <div className={classes.left}>
          <div className={classes.search}>
            <OptionSearch
              withCategories
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
      {dialog === 'pay' && pricing && sale && (
        <PayDialog
          cart={cart}
          pricing={pricing}
          idempotencyKey={sale.key}
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
