import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { ApiFailure } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { freshKey } from '../../parts/fresh-key.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { notifyDone, notifyRefusal } from '../../parts/toasts.tsx';
import { forgetApproval } from '../../session/manager-approvals.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { customerQuery } from '../customers/customer-query.ts';
import { type Cart, type CartChange, changedCart, removesReductions } from './cart.ts';
import { cartOf, type PendingSale, type SavedSale } from './saved-sale.ts';
import { strictCopy } from './strict-copy.ts';
import { type CurrentSale, Till } from './till.ts';

const tab = freshKey();

/** The till of this page; it survives a visit to another screen. */
let present: Till | null = null;

const TillContext = createContext<Till | null>(null);

const copy = strictCopy();

/**
 * Shows the counter (`children`) with the cart saved on this device, once the customer is loaded. Says so if another tab has
 * taken the till.
 */
export function SavedSaleGate({ children }: { children: ReactNode }) {
  const { staff, organization } = useSession();
  const [till, setTill] = useState<Till | null>(() => {
    const isOwn = present?.isOf({ organizationId: organization.id, staffId: staff.id }) && present.isHeld();
    if (!isOwn) present = null;
    return present;
  });
  const [isElsewhere, setIsElsewhere] = useState(false);
  const begin = useCallback((next: Till) => {
    present = next;
    setTill(next);
  }, []);
  useEffect(() => {
    if (till === null) return;
    const look = () => {
      if (till.isHeld()) return;
      present = null;
      setTill(null);
      setIsElsewhere(true);
    };
    look();
    // The browser sends this event when another tab writes.
    window.addEventListener('storage', look);
    return () => window.removeEventListener('storage', look);
  }, [till]);
  if (isElsewhere) return <OtherTabNotice onTake={() => setIsElsewhere(false)} />;
  if (till === null) return <Restored onBegin={begin} />;
  return <TillContext value={till}>{children}</TillContext>;
}

function OtherTabNotice({ onTake }: { onTake: () => void }) {
  return (
    <Page kind="list">
      <PageHeader title={t`Point of sale`} />
      <EmptyState
        title={t`The sale continues in another tab`}
        action={<Button onClick={onTake}>{t`Sell in this tab`}</Button>}
      >
        {t`Only one tab can use the cart. It is saved; you can continue it here.`}
      </EmptyState>
    </Page>
  );
}

/** Takes the till and loads the customer. */
function Restored({ onBegin }: { onBegin: (till: Till) => void }) {
  const { staff, organization } = useSession();
  const [till] = useState(
    () => new Till({ organizationId: organization.id, staffId: staff.id }, tab, localStorage, copy),
  );
  const [read, setRead] = useState<{ readonly kept: SavedSale | null } | null>(null);
  useEffect(() => {
    let isOver = false;
    void till.newest().then((kept) => !isOver && setRead({ kept }));
    return () => {
      isOver = true;
    };
  }, [till]);
  const kept = read?.kept ?? null;
  const customerId = kept?.cart.customerId ?? null;
  const { data, error, refetch } = useQuery({
    ...customerQuery(customerId ?? 0),
    enabled: customerId !== null,
  });
  const isGone = (error instanceof ApiFailure && error.status === 404) || (data && data.erasedAt !== null);
  // Without the service the sale goes on all the same; who it is comes with the service.
  const isAlone =
    data === undefined && error instanceof ApiFailure && (error.status === 0 || error.status === 503);
  const isReady = read !== null && (customerId === null || data !== undefined || isGone || isAlone);
  // Before the first render: most carts are ready at once.
  useLayoutEffect(() => {
    if (!isReady) return;
    const customer = isAlone && customerId !== null ? unreadCustomer(customerId) : (data ?? null);
    if (kept !== null) till.begin(restored(kept, isGone ? null : customer));
    onBegin(till);
  }, [isReady, isGone, isAlone, customerId, data, kept, till, onBegin]);
  return (
    <Page kind="list">
      <PageHeader title={t`Point of sale`} />
      {error && !isGone && !isAlone ? (
        <LoadFailure error={error} onRetry={() => refetch()} />
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </Page>
  );
}

/** A customer of whom only the id is known. */
function unreadCustomer(id: number): NonNullable<Cart['customer']> {
  const nothing = {
    birthday: null,
    medicalExpiration: null,
    licenseExpiry: null,
    loyalty: { pointsAmount: 0 },
  };
  const unread = { id, firstName: t`Customer`, lastName: String(id), updatedAt: '', ...nothing };
  return unread as NonNullable<Cart['customer']>;
}

function restored({ cart, sale }: SavedSale, customer: Cart['customer']) {
  if (cart.hadName) {
    notifyDone(
      t`The cart was saved on this device without the name of the walk-in. Enter it again if needed.`,
    );
  }
  if (cart.customerId === null || customer !== null) return { cart: cartOf(cart, customer), sale };
  notifyRefusal(
    t`They were merged with another customer or erased. Choose the customer again.`,
    t`The customer no longer exists`,
  );
  // Their reductions do not pass on.
  const theirs = { ...cartOf(cart, null), customer: { id: cart.customerId } as Cart['customer'] };
  return { cart: changedCart(theirs, { type: 'customer', customer: null }), sale };
}

/** How to change the current sale, and what it is now. Always the same object for a till. */
interface SaleHands {
  readonly change: (change: CartChange) => void;
  /** Resolves once it is saved. */
  readonly setSale: (sale: PendingSale | null) => Promise<void>;
  /** Begins another cart: the present one is parked or empty. */
  readonly replace: (cart: Cart) => void;
  /** What is drawn can be a moment older: what acts on the cart asks here. */
  readonly current: () => CurrentSale;
}

/** The current sale and how to change it. */
export interface Sale extends SaleHands, CurrentSale {}

/** Works only below `SavedSaleGate`. */
export function useSaleHands(): SaleHands {
  const till = useTill();
  return useMemo(
    () => ({
      change: (wanted) => {
        const { cart: current } = till.selling();
        if (wanted.type === 'customer' && removesReductions(current, wanted.customer)) {
          notifyDone(
            t`Manual discounts and codes for ${customerName(current.customer!)} are removed from the cart.`,
          );
        }
        // A manager's word is for the cart that it was given for.
        if (wanted.type === 'clear') forgetApproval('amounts');
        till.change(wanted);
      },
      setSale: (next) => {
        till.setSale(next);
        return till.isDurable();
      },
      replace: (next) => {
        forgetApproval('amounts');
        till.begin({ cart: next, sale: null });
      },
      current: till.selling,
    }),
    [till],
  );
}

function useTill(): Till {
  const till = use(TillContext);
  if (till === null) throw new Error('The sale is there only below SavedSaleGate.');
  return till;
}

/** The sale as it is now: for fields that show what is typed. Works only below `SavedSaleGate`. */
export function useSavedSale(): Sale {
  const till = useTill();
  const hands = useSaleHands();
  const selling = useSyncExternalStore(till.subscribe, till.selling);
  return useMemo(() => ({ ...hands, ...selling }), [hands, selling]);
}

/** The part of the sale that `select` takes: nothing is drawn when another part changes. */
export function useOfSale<Part>(select: (selling: CurrentSale) => Part): Part {
  const till = useTill();
  return useSyncExternalStore(till.subscribe, () => select(till.selling()));
}
