import { ActionIcon, Alert, Badge, Button } from '@mantine/core';
import { IconDeviceDesktop, IconEraser, IconParking } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo, useDeferredValue, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useWaitingSales } from '../../offline/waiting-sales.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { type ScreenKey, useScreenKeys } from '../../parts/screen-keys.ts';
import { useLive } from '../../parts/use-live.ts';
import { CameraScan } from '../../scanner/camera-scan.tsx';
import { useSession } from '../../session/session.tsx';
import { plural, t } from '../../words/words.ts';
import { RegisterBar } from '../registers/register-bar.tsx';
import { backToSearch } from './back-to-search.ts';
import { emptyCart } from './cart.ts';
import { CartPanel } from './cart-panel.tsx';
import {
  CalledCustomerDialog,
  type CartDialog,
  CartDialogs,
  PaymentDialogs,
  RefusedLicense,
} from './counter-dialogs.tsx';
import { CounterFloor, useGoods, useUnconfirmedQuantities } from './counter-floor.tsx';
import { useCustomerDisplay } from './display-channel.ts';
import { OfflineSwitch } from './offline-switch.tsx';
import { parkedCartsQuery } from './parked-carts-query.ts';
import classes from './point-of-sale.module.css';
import { removeLine } from './remove-line.ts';
import { type Sale, SavedSaleGate, useSavedSale } from './saved-sale-gate.tsx';
import { TillReturn } from './till-return.tsx';
import { useTypingToSearch } from './typing-to-search.ts';
import { UnansweredSale } from './unanswered-sale.tsx';
import { useCalledCustomer } from './use-called-customer.ts';
import { useCounterPayment } from './use-counter-payment.ts';
import { useCustomerOnFile } from './use-customer-on-file.ts';
import { useLargeTargets } from './use-large-targets.ts';
import { obstacleOf } from './use-payment.ts';
import { usePricedCart } from './use-priced-cart.ts';
import { useScannedLicense } from './use-scanned-license.ts';

/** The counter: scan or search, see price and limits, take payment, hand over. Works by keyboard alone. */
export function Component() {
  useLargeTargets();
  return (
    <SavedSaleGate>
      <OfflineSwitch>
        <Counter />
      </OfflineSwitch>
    </SavedSaleGate>
  );
}

/**
 * The counter draws the sale after the picture that answers a key or a tap; the line of a quantity and open dialogs show it at once.
 * What acts on the sale asks for it as it is (`current`).
 */
function Counter() {
  return <DrawnCounter saved={useDeferredValue(useSavedSale())} />;
}

const DrawnCounter = memo(function DrawnCounter({ saved }: { saved: Sale }) {
  const { cart, change } = saved;
  const [dialog, setDialog] = useState<CartDialog>(null);
  const search = useRef<HTMLInputElement>(null);
  useCustomerOnFile(cart.customer, saved);
  const { priced, inStock, isShort } = usePricedCart(cart);
  const { called, identify, close: closeCalled } = useCalledCustomer(saved);
  const unconfirmed = useUnconfirmedQuantities();
  const close = () => {
    setDialog(null);
    backToSearch(search);
  };
  const { add, lookUps, weighing } = useGoods(cart, change, close);
  const obstacle = obstacleOf(cart, priced, { isShort, isAsking: unconfirmed.isAny });
  const paying = useCounterPayment(saved, priced, obstacle, lookUps);
  const { staff, organization } = useSession();
  useCustomerDisplay({ organizationId: organization.id, staffId: staff.id }, cart, priced, paying.sold);
  const {
    refused,
    take: takeLicense,
    close: closeRefused,
  } = useScannedLicense(paying.isPaying, identify, (values) => change({ type: 'set', values }));
  const keys: readonly ScreenKey[] = [
    { key: '+', meaning: t`Increase the selected item`, press: () => change({ type: 'more' }) },
    { key: '-', meaning: t`Decrease it`, press: () => change({ type: 'less' }) },
    {
      key: 'Delete',
      meaning: t`Remove it`,
      press: () => removeLine(saved.current().cart, saved.current().cart.currentId, change),
    },
    { key: 'F2', meaning: t`Customer`, press: () => setDialog('customer') },
    { key: 'F4', meaning: t`Discounts`, press: () => setDialog('extras') },
    { key: 'F7', meaning: t`Change person`, press: () => setDialog('person') },
    { key: 'F8', meaning: t`Hold and resume`, press: () => setDialog('parked') },
    { key: 'F9', meaning: t`Pay`, press: paying.open },
  ];
  useScreenKeys(keys);
  useTypingToSearch(search);
  return (
    <Page kind="list">
      <PageHeader
        title={t`Point of sale`}
        actions={
          <CounterActions
            isEmpty={cart === emptyCart}
            onPark={() => setDialog('parked')}
            onStartOver={() =>
              saved.current().cart.lines.length > 0 ? setDialog('clear') : change({ type: 'clear' })
            }
          />
        }
      />
      {!paying.payment && <UnansweredSale onTryAgain={paying.open} />}
      <WaitingNotice />
      <CounterFloor
        {...{ search, lookUps, keys }}
        beside={camera}
        onAdd={add}
        panel={
          <CartPanel
            cart={cart}
            priced={priced}
            inStock={inStock}
            isPayable={obstacle === null && lookUps.pending === 0}
            onChange={change}
            onAsking={unconfirmed.onAsking}
            onCustomer={() => setDialog('customer')}
            onExtras={() => setDialog('extras')}
            onPay={paying.open}
          />
        }
      />
      <CartDialogs dialog={dialog} onClose={close} />
      {weighing}
      <TillReturn
        onExchange={(goodsBack) => change({ type: 'set', values: { goodsBack } })}
        onClose={close}
      />
      <PaymentDialogs paying={paying} search={search} onClose={close} />
      {refused && <RefusedLicense scanned={refused} onKnown={takeLicense} onClose={closeRefused} />}
      {called && (
        <CalledCustomerDialog
          cart={cart}
          change={change}
          customer={called}
          onClose={() => {
            closeCalled();
            close();
          }}
        />
      )}
    </Page>
  );
});

/** One element: the search beside it is not drawn again. */
const camera = <CameraScan isIcon />;

function CounterActions({
  isEmpty,
  onPark,
  onStartOver,
}: {
  isEmpty: boolean;
  onPark: () => void;
  onStartOver: () => void;
}) {
  useLive(['parked-carts']);
  const parked = useQuery(parkedCartsQuery);
  const count = parked.data?.length ?? 0;
  return (
    <div className={classes.actions}>
      <RegisterBar />
      <Button
        variant="default"
        leftSection={<IconParking size={18} aria-hidden />}
        rightSection={count > 0 ? <Badge circle>{count}</Badge> : undefined}
        onClick={onPark}
      >
        {t`Hold`}
      </Button>
      <ActionIcon
        component={Link}
        to="/customer-display"
        target="customer-display"
        visibleFrom="sm"
        variant="default"
        size={36}
        aria-label={t`Open the customer's display`}
      >
        <IconDeviceDesktop size={18} aria-hidden />
      </ActionIcon>
      <Button component={Link} to="/point-of-sale/limits" variant="default">
        {t`Limits`}
      </Button>
      <Button
        variant="default"
        leftSection={<IconEraser size={18} aria-hidden />}
        disabled={isEmpty}
        onClick={onStartOver}
      >
        {t`Start over`}
      </Button>
    </div>
  );
}

/** Says at the usual counter that sales of an outage are still on this device: they are in no drawer and no report yet. */
function WaitingNotice() {
  const { waiting, refused, refusal } = useWaitingSales();
  if (waiting === 0) return null;
  const sales = plural(waiting, { one: t`1 offline sale waits`, other: t`${waiting} offline sales wait` });
  return (
    <Alert color="yellow" role="status" style={{ flex: 'none' }} title={t`${sales} on this device`}>
      {refused === 0
        ? t`It is sent soon. Keep this page open until then.`
        : t`The service refused ${refused}: ${refusal} It is sent again every five minutes; the person who opened the drawer can sign in here.`}
    </Alert>
  );
}
