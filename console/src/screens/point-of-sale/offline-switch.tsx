import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { keepReadyToSellOffline } from '../../offline/offline-keeper.ts';
import { keptTerms } from '../../offline/offline-store.ts';
import { useConnection } from '../../parts/connection.ts';
import { useOwnRegister } from '../../parts/own-register.ts';
import { useSession } from '../../session/session.tsx';
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
  // A cart that was begun offline is sold before the usual counter returns.
  if (isOffline && status === 'online' && isIdle) setOffline(false);
  const [own, setOwn] = useState(terms);
  if (terms !== null && terms !== own) setOwn(terms);
  const onIdle = useCallback(
    (isNowIdle: boolean) => {
      setIdle(isNowIdle);
      // The cart moved to the offline counter: it must not be sold twice. Goods of a weight stay and wait for the service.
      if (isNowIdle) return;
      const { cart } = current();
      if (cart.lines.every(({ weight }) => weight === undefined)) return change({ type: 'clear' });
      for (const { option, weight } of cart.lines) {
        if (weight === undefined) change({ type: 'quantity', optionId: option.productOptionId, quantity: 0 });
      }
    },
    [change, current],
  );
  if (!isOffline || own === null) return children;
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
      <OfflineCounter kept={own} carried={carried} onIdle={onIdle} />
    </Suspense>
  );
}
