import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
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
import { useSession } from '../../session/session.tsx';
import { customerQuery } from '../customers/customer-query.ts';
import { type Cart, type CartChange, changedCart, losesReductions } from './cart.ts';
import { cartOf, type KeptSale, type SaleUnderWay } from './kept-sale.ts';
import { Till } from './till.ts';

const tab = freshKey();

/** The till of this page: it outlives a look at another screen. */
let present: Till | null = null;

const TillContext = createContext<Till | null>(null);

/** Takes the till for the person who is signed in, with what was kept of it. */
function takeTill(organizationId: number, staffId: number): { till: Till; kept: KeptSale | null } {
  const till = new Till({ organizationId, staffId }, tab, localStorage);
  return { till, kept: till.kept() };
}

/**
 * Shows `children`, which sell, with the cart as it was kept on this device, once it is known who buys. A tab that another one
 * has taken the till from says so.
 */
export function KeptSaleGate({ children }: { children: ReactNode }) {
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
    // Told by the browser when another tab writes.
    window.addEventListener('storage', look);
    return () => window.removeEventListener('storage', look);
  }, [till]);
  if (isElsewhere) return <SoldElsewhere onTake={() => setIsElsewhere(false)} />;
  if (till === null) return <Restored onBegin={begin} />;
  return <TillContext value={till}>{children}</TillContext>;
}

function SoldElsewhere({ onTake }: { onTake: () => void }) {
  return (
    <Page kind="list">
      <PageHeader title="Point of sale" />
      <EmptyState
        title="The sale goes on in another tab"
        action={<Button onClick={onTake}>Sell in this tab</Button>}
      >
        One tab at a time has the cart. It is kept: here it goes on as it is there.
      </EmptyState>
    </Page>
  );
}

/** Takes the till, and looks up who buys. */
function Restored({ onBegin }: { onBegin: (till: Till) => void }) {
  const { staff, organization } = useSession();
  const [{ till, kept }] = useState(() => takeTill(organization.id, staff.id));
  const customerId = kept?.cart.customerId ?? null;
  const { data, error, refetch } = useQuery({
    ...customerQuery(customerId ?? 0),
    enabled: customerId !== null,
  });
  const isGone = (error instanceof ApiFailure && error.status === 404) || (data && data.erasedAt !== null);
  const isReady = customerId === null || data !== undefined || isGone;
  // Before anything is drawn: most carts are there at once.
  useLayoutEffect(() => {
    if (!isReady) return;
    if (kept !== null) till.begin(restored(kept, isGone ? null : (data ?? null)));
    onBegin(till);
  }, [isReady, isGone, data, kept, till, onBegin]);
  return (
    <Page kind="list">
      <PageHeader title="Point of sale" />
      {error && !isGone ? (
        <LoadFailure error={error} onRetry={() => refetch()} />
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </Page>
  );
}

function restored({ cart, sale }: KeptSale, customer: Cart['customer']) {
  if (cart.hadName) {
    notifyDone(
      'The cart was kept on this device, but not the name of the walk-in: type it again if it is wanted.',
    );
  }
  if (cart.customerId === null || customer !== null) return { cart: cartOf(cart, customer), sale };
  notifyRefusal(
    'They were merged with another customer, or erased. Choose again who buys.',
    'Who was to buy is no longer on file',
  );
  // Nothing that was given to them passes on.
  const theirs = { ...cartOf(cart, null), customer: { id: cart.customerId } as Cart['customer'] };
  return { cart: changedCart(theirs, { type: 'customer', customer: null }), sale };
}

/** What is being sold, and how to change it. Only below `KeptSaleGate`. */
export interface Sale {
  readonly cart: Cart;
  readonly change: (change: CartChange) => void;
  readonly sale: SaleUnderWay | null;
  readonly setSale: (sale: SaleUnderWay | null) => void;
}

export function useKeptSale(): Sale {
  const till = use(TillContext);
  if (till === null) throw new Error('useKeptSale is only for what KeptSaleGate shows.');
  const { cart, sale } = useSyncExternalStore(till.subscribe, till.selling);
  const change = useCallback(
    (wanted: CartChange) => {
      const { cart: current } = till.selling();
      if (wanted.type === 'customer' && losesReductions(current, wanted.customer)) {
        notifyDone(
          `What was given to ${customerName(current.customer!)} by hand or by code is off the cart.`,
        );
      }
      till.change(wanted);
    },
    [till],
  );
  const setSale = useCallback((next: SaleUnderWay | null) => till.setSale(next), [till]);
  return { cart, change, sale, setSale };
}
