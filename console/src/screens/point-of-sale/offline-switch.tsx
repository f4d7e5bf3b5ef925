import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { keepReadyToSellOffline } from '../../offline/offline-keeper.ts';
import { keptTerms, nextSaleNumber } from '../../offline/offline-store.ts';
import { useConnection } from '../../parts/connection.ts';
import { useOwnRegister } from '../../parts/own-register.ts';
import { notifyError } from '../../parts/toasts.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { useOfSale, useSaleHands } from './saved-sale-gate.tsx';

const loadCounter = () => import('./offline-counter.tsx');
const OfflineCounter = lazy(async () => ({ default: (await loadCounter()).OfflineCounter }));
/** The counter and what it opens. */
const loadAll = () => Promise.all([loadCounter(), import('./weigh-form.tsx'), import('./line-dialog.tsx')]);

/**
 * The counter, or while the service cannot be reached the one on kept terms (D75), with the same cart. A payment that was sent and not
 * answered stays where it is: it may have succeeded.
 */
export function OfflineSwitch({ children }: { children: ReactNode }) {
  const session = useSession();
  const { organization, staff } = session;
  const [registerId, chooseRegister] = useOwnRegister(organization.id);
  const { current, setSale } = useSaleHands();
  const isSent = useOfSale(({ sale }) => sale?.isSent ?? false);
  const { status } = useConnection();
  const [isIdle, setIdle] = useState(true);
  useEffect(() => {
    keepReadyToSellOffline(session, registerId, loadAll);
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
  // The usual counter returns with the cart, once payment and receipt are closed.
  const returns = isOffline && status === 'online' && isIdle;
  if (returns) setOffline(false);
  useEffect(() => {
    // A payment that was not sent begins anew there.
    if (isOffline && current().sale?.isSent === false) void setSale(null);
  }, [isOffline, current, setSale]);
  useSoldMeanwhile(!isOffline && status === 'online');
  const [own, setOwn] = useState(terms);
  if (terms !== null && terms !== own) setOwn(terms);
  if (!isOffline || own === null) {
    return (
      <>
        {status === 'offline' && !isSent && <MayNotSell hasRegister={registerId !== null} />}
        {children}
      </>
    );
  }
  return (
    <Suspense>
      <OfflineCounter kept={own} onIdle={setIdle} />
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

/** A cart of an outage goes on at the usual counter, unless it was sold: its number tells. */
function useSoldMeanwhile(isOnline: boolean): void {
  const { change, current } = useSaleHands();
  const offlineNumber = useOfSale(({ cart }) => cart.offlineNumber);
  useEffect(() => {
    if (!isOnline || offlineNumber === undefined) return;
    const decide = async () => {
      await keptTerms();
      if (current().cart.offlineNumber !== offlineNumber) return;
      if (nextSaleNumber() === offlineNumber) change({ type: 'set', values: { offlineNumber: undefined } });
      else change({ type: 'clear' });
    };
    void decide().catch(notifyError);
  }, [isOnline, offlineNumber, change, current]);
}
