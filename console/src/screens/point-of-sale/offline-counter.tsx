import { Badge, Button, Modal, Stack } from '@mantine/core';
import { IconCloudOff, IconEraser } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { OfflineTerms } from '../../../../src/engines/offline-pricing/offline-terms.ts';
import { optionsOf } from '../../../../src/engines/offline-pricing/price-offline.ts';
import { keptMenu } from '../../offline/kept-menu.ts';
import { OfflineReceipt, type SoldOffline } from '../../offline/offline-receipt.tsx';
import { type KeptTerms, nextSaleNumber } from '../../offline/offline-store.ts';
import { useWaitingSales } from '../../offline/waiting-sales.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { DayInput } from '../../parts/day-input.tsx';
import { MenuSourceContext } from '../../parts/menu-source.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { type ScreenKey, useScreenKeys } from '../../parts/screen-keys.ts';
import { notifyRefusal } from '../../parts/toasts.tsx';
import { useLicenseScans, useScans } from '../../scanner/use-scans.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { backToSearch } from './back-to-search.ts';
import { type Cart, type CartChange, emptyCart } from './cart.ts';
import { CartPanel } from './cart-panel.tsx';
import { CounterFloor, useGoods, useUnconfirmedQuantities } from './counter-floor.tsx';
import { useCustomerDisplay } from './display-channel.ts';
import { refusedByLicense } from './offline-license.ts';
import { OfflinePayment } from './offline-payment.tsx';
import { birthdayOf, obstacleOffline, offlineParts, priceHere, shownOffline } from './offline-price.ts';
import { removeLine } from './remove-line.ts';
import { useSavedSale } from './saved-sale-gate.tsx';
import { useTypingToSearch } from './typing-to-search.ts';

/**
 * The counter while the service cannot be reached (D75): the same cart, panel and cards, at the same prices and limits by the terms that
 * the register has kept, cash or a terminal of its own, and a queue on this device. `onIdle` tells whether neither a payment nor a receipt
 * is open, so that the usual counter can come back with the cart.
 */
export function OfflineCounter({ kept, onIdle }: { kept: KeptTerms; onIdle: (isIdle: boolean) => void }) {
  const terms = useMemo(() => JSON.parse(kept.terms) as OfflineTerms, [kept]);
  const menu = useMemo(() => keptMenu(terms, kept.version), [terms, kept]);
  return (
    <MenuSourceContext value={menu}>
      <CounterAlone kept={kept} terms={terms} onIdle={onIdle} />
    </MenuSourceContext>
  );
}

interface Alone {
  readonly kept: KeptTerms;
  readonly terms: OfflineTerms;
}

/** Price and obstacle of the cart, by what the register has kept. */
function usePricedHere({ kept, terms }: Alone, cart: Cart) {
  const { staff, organization } = useSession();
  const { total } = useWaitingSales();
  const { lines, refusals } = offlineParts(terms, cart);
  const price = priceHere(terms, lines, birthdayOf(cart), [], Date.now());
  const priced = shownOffline(price, refusals);
  useCustomerDisplay({ organizationId: organization.id, staffId: staff.id }, cart, priced, null);
  return { lines, priced, obstacle: obstacleOffline(kept, cart, price, refusals, total, Date.now()) };
}

function CounterAlone({ kept, terms, onIdle }: Alone & { onIdle: (isIdle: boolean) => void }) {
  const { cart, change, current } = useSavedSale();
  const [dialog, setDialog] = useState<'customer' | 'clear' | 'payment' | null>(null);
  const [sold, setSold] = useState<SoldOffline | null>(null);
  const search = useRef<HTMLInputElement>(null);
  useSaleNumber(cart, change);
  const isPaying = dialog === 'payment';
  const isIdle = sold === null && !isPaying;
  useEffect(() => onIdle(isIdle), [isIdle, onIdle]);
  const close = () => {
    setDialog(null);
    backToSearch(search);
  };
  const { add, lookUps, weighing } = useGoods(cart, change, close);
  const unconfirmed = useUnconfirmedQuantities();
  const { lines, priced, obstacle: ofCart } = usePricedHere({ kept, terms }, cart);
  const obstacle = unconfirmed.isAny ? t`A quantity is not confirmed yet.` : ofCart;
  useScans((code) => {
    if (isPaying) notifyRefusal(t`Scanned during payment. Close payment to add it.`, code);
    else lookUps.take(code);
  });
  useLicenseScans((license) => {
    if (isPaying) return;
    const refusedId = refusedByLicense(license, terms, Date.now());
    change({ type: 'set', values: { birthday: license.birthday, refusedId, idScanned: !refusedId } });
  });
  const pay = () => {
    if (cart.lines.length === 0) return;
    if (obstacle === null) setDialog('payment');
    else notifyRefusal(obstacle, t`Not ready to pay`);
  };
  const keys: readonly ScreenKey[] = [
    { key: '+', meaning: t`Increase the selected item`, press: () => change({ type: 'more' }) },
    { key: '-', meaning: t`Decrease it`, press: () => change({ type: 'less' }) },
    {
      key: 'Delete',
      meaning: t`Remove it`,
      press: () => removeLine(current().cart, current().cart.currentId, change),
    },
    { key: 'F2', meaning: t`Customer`, press: () => setDialog('customer') },
    { key: 'F9', meaning: t`Pay`, press: pay },
  ];
  useScreenKeys(keys);
  useTypingToSearch(search);
  return (
    <Page kind="list">
      <PageHeader
        title={t`Point of sale`}
        actions={<Actions isEmpty={cart === emptyCart} onStartOver={() => setDialog('clear')} />}
      />
      <CounterFloor
        {...{ search, lookUps, keys }}
        onAdd={add}
        panel={
          <CartPanel
            {...{ cart, priced }}
            isAlone
            inStock={({ productOptionId }) => optionsOf(terms).get(productOptionId)?.inStock ?? null}
            isPayable={obstacle === null && lookUps.pending === 0}
            notice={obstacle}
            onChange={change}
            onAsking={unconfirmed.onAsking}
            onCustomer={() => setDialog('customer')}
            onPay={pay}
          />
        }
      />
      {weighing}
      {dialog === 'customer' && <BuyerDialog cart={cart} onChange={change} onClose={close} />}
      {dialog === 'clear' && <ClearDialog onClear={() => change({ type: 'clear' })} onClose={close} />}
      {isPaying && (
        <OfflinePayment
          {...{ kept, terms, cart, lines }}
          onClose={close}
          onSold={(made) => {
            setSold(made);
            setDialog(null);
            change({ type: 'clear' });
          }}
        />
      )}
      {sold && (
        <OfflineReceipt
          {...{ kept, terms, sold }}
          onClose={() => {
            setSold(null);
            close();
          }}
        />
      )}
    </Page>
  );
}

function Actions({ isEmpty, onStartOver }: { isEmpty: boolean; onStartOver: () => void }) {
  const { waiting } = useWaitingSales();
  return (
    <>
      <Badge
        size="lg"
        color="yellow"
        variant="light"
        role="status"
        leftSection={<IconCloudOff size={16} aria-hidden />}
      >
        {t`Offline, ${waiting} waiting`}
      </Badge>
      <Button
        variant="default"
        leftSection={<IconEraser size={18} aria-hidden />}
        disabled={isEmpty}
        onClick={onStartOver}
      >
        {t`Start over`}
      </Button>
    </>
  );
}

function ClearDialog({ onClear, onClose }: { onClear: () => void; onClose: () => void }) {
  return (
    <ConfirmDialog
      opened
      title={t`Start over?`}
      action={t`Start over`}
      isDangerous
      onConfirm={async () => onClear()}
      onClose={onClose}
    >
      {t`This clears the cart and the customer.`}
    </ConfirmDialog>
  );
}

/**
 * The cart keeps the number of the sale that it is to become. A browser that was killed can bring a cart back that is sold: its storage is
 * seconds behind the sales.
 */
function useSaleNumber(cart: Cart, change: (change: CartChange) => void): void {
  const { offlineNumber, lines } = cart;
  const isEmpty = lines.length === 0;
  useEffect(() => {
    const next = nextSaleNumber();
    if (offlineNumber === next || (isEmpty && offlineNumber === undefined)) return;
    if (offlineNumber !== undefined && !isEmpty) return change({ type: 'clear' });
    change({ type: 'set', values: { offlineNumber: isEmpty ? undefined : next } });
  }, [offlineNumber, isEmpty, change]);
}

/** Who buys, as far as a register that is alone can tell: a birthday read from the ID. */
function BuyerDialog({
  cart,
  onChange,
  onClose,
}: {
  cart: Cart;
  onChange: (change: CartChange) => void;
  onClose: () => void;
}) {
  const [birthday, setBirthday] = useState(birthdayOf(cart));
  return (
    <Modal opened onClose={onClose} title={t`Customer`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ type: 'set', values: { birthday } });
          onClose();
        }}
      >
        <Stack>
          <DayInput
            label={t`Birthday on the ID`}
            description={t`Customers on file are found when the service answers again.`}
            day={birthday}
            onChange={setBirthday}
          />
          <Button type="submit">{t`Apply`}</Button>
        </Stack>
      </form>
    </Modal>
  );
}
