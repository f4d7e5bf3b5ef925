import { Alert } from '@mantine/core';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { takeBegunCart } from '../../offline/begun-cart.ts';
import { keepReadyToSellOffline } from '../../offline/offline-keeper.ts';
import { keptTerms } from '../../offline/offline-store.ts';
import { useConnection } from '../../parts/connection.ts';
import { useOwnRegister } from '../../parts/own-register.ts';
import { saleOptions } from '../../parts/sale-options.ts';
import { notifyError } from '../../parts/toasts.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { customerQuery } from '../customers/customer-query.ts';
import { useOfSale, useSaleHands } from './saved-sale-gate.tsx';

const OfflineCounter = lazy(async () => ({
  default: (await import('../../offline/offline-page.tsx')).OfflineCounter,
}));

/**
 * The counter, or while the service cannot be reached the one on kept terms (D75), with the same cart. A payment that was sent and not
 * answered stays where it is: it may have succeeded.
 */
export function OfflineSwitch({ children }: { children: ReactNode }) {
  const session = useSession();
  const { organization, staff } = session;
  const [registerId, chooseRegister] = useOwnRegister(organization.id);
  const { change, current } = useSaleHands();
  const isSent = useOfSale(({ sale }) => sale?.isSent ?? false);
  const { status } = useConnection();
  const [isIdle, setIdle] = useState(true);
  useEffect(() => {
    keepReadyToSellOffline(session, registerId);
  }, [session, registerId]);
  const kept = useQuery({
    queryKey: ['kept-terms', status],
    queryFn: keptTerms,
    enabled: status !== 'online',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const terms = kept.data ?? null;
  const isOfSession = terms?.organizationId === organization.id && terms.staffId === staff.id;
  const isOwn = isOfSession && terms.registerId === registerId;
  // A browser that was killed can lose the choice, which it writes seconds later; the terms are on the disk.
  const lostRegisterId = isOfSession && registerId === null ? terms.registerId : null;
  useEffect(() => {
    if (lostRegisterId !== null) chooseRegister(lostRegisterId);
  }, [lostRegisterId, chooseRegister]);
  const [isOffline, setOffline] = useState(false);
  const goes = status !== 'online' && isOwn && !isSent;
  if (goes && !isOffline) setOffline(true);
  // The usual counter returns with the cart, once the receipt of the last sale is closed.
  useBroughtBack({ organizationId: organization.id, staffId: staff.id }, status === 'online' && isIdle, () =>
    setOffline(false),
  );
  const [own, setOwn] = useState(terms);
  if (terms !== null && terms !== own) setOwn(terms);
  const onCart = useCallback(
    (isEmpty: boolean) => {
      // The cart moved to the offline counter: it must not be sold twice. Goods of a weight stay and wait for the service.
      if (isEmpty) return;
      const { cart } = current();
      if (cart.lines.every(({ weight }) => weight === undefined)) return change({ type: 'clear' });
      for (const { option, weight } of cart.lines) {
        if (weight === undefined) change({ type: 'quantity', optionId: option.productOptionId, quantity: 0 });
      }
    },
    [change, current],
  );
  if (!isOffline || own === null) {
    return (
      <>
        {status === 'offline' && !isSent && <MayNotSell hasRegister={registerId !== null} />}
        {children}
      </>
    );
  }
  // Before the offline counter empties it, which draws anew only what shows the cart.
  const { cart } = current();
  const carried = {
    lines: cart.lines
      .filter(({ weight }) => weight === undefined)
      .map(({ option, quantity }) => ({ productOptionId: option.productOptionId, quantity })),
    customerId: cart.customer?.id ?? null,
    birthday: cart.customer?.birthday ?? null,
    isMedical: false,
  };
  return (
    <Suspense>
      <OfflineCounter kept={own} carried={carried} onCart={onCart} onIdle={setIdle} />
    </Suspense>
  );
}

/** Without the service, a till that may not go on says why, and who can change it. */
function MayNotSell({ hasRegister }: { hasRegister: boolean }) {
  return (
    <Alert
      color="yellow"
      role="status"
      title={t`The service cannot be reached, and this register may not sell offline.`}
    >
      {hasRegister
        ? t`An owner can allow it under Settings, Offline sales. The cart stays here until the connection is back.`
        : t`Choose a register first: only registers sell offline. The cart stays here until the connection is back.`}
    </Alert>
  );
}

/** A cart that was begun offline goes on at the usual counter, also after a reload: nothing of it is lost. */
function useBroughtBack(
  owner: { readonly organizationId: number; readonly staffId: number },
  isOnline: boolean,
  onBack: () => void,
): void {
  const { organizationId, staffId } = owner;
  const { change } = useSaleHands();
  const queryClient = useQueryClient();
  const back = useRef(onBack);
  useEffect(() => {
    back.current = onBack;
  });
  useEffect(() => {
    if (!isOnline) return;
    const bring = async () => {
      // The number of the next sale tells whether the cart was sold.
      await keptTerms();
      const cart = takeBegunCart({ organizationId, staffId });
      back.current();
      for (const { productOptionId, quantity } of cart?.lines ?? []) {
        const option = await optionOf(queryClient, cart!.productIds[productOptionId]!, productOptionId);
        if (option) change({ type: 'add', option });
        if (option) change({ type: 'quantity', optionId: productOptionId, quantity });
      }
      if (cart?.customerId == null) return;
      change({ type: 'customer', customer: await queryClient.fetchQuery(customerQuery(cart.customerId)) });
    };
    void bring().catch(notifyError);
  }, [isOnline, organizationId, staffId, change, queryClient]);
}

async function optionOf(queryClient: QueryClient, productId: number, optionId: number) {
  const product = await queryClient.fetchQuery({
    queryKey: ['products', productId],
    queryFn: () => dataOf(api.GET('/staff/v1/products/{productId}', { params: { path: { productId } } })),
  });
  return saleOptions([product]).find(({ productOptionId }) => productOptionId === optionId);
}
