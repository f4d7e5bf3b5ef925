import { ApiFailure, api, dataOf } from '../api.ts';
import { onReconnected, presentConnection } from '../parts/connection.ts';
import type { Session } from '../session/session.tsx';
import { t } from '../words/words.ts';
import { dropQueued, type KeptTerms, keepTerms, markRefused, queuedSales } from './offline-store.ts';
import { tellOfQueue } from './waiting-sales.ts';

/** Shorter than the quarter of an hour for which terms are issued. */
const refreshMs = 5 * 60_000;
/** After a sale that got no answer, while the service seems to answer. */
const againMs = 10_000;

/** Who sells, and on which register; null: on none. Sales that wait are sent all the same. */
interface Seller {
  readonly session: Session;
  readonly registerId: number | null;
}

let seller: Seller | null = null;
let isFollowing = false;
let again: ReturnType<typeof setTimeout> | undefined;

/**
 * Keeps the terms of this device's register fresh while the service answers, and sends what waits. Called by the counter; it goes on
 * while the page is open. Without a register, or where the owner does not allow it, nothing is kept.
 */
export function keepReadyToSellOffline(session: Session, registerId: number | null): void {
  seller = { session, registerId };
  if (!isFollowing) {
    isFollowing = true;
    setInterval(() => void refresh(), refreshMs);
    onReconnected(() => void refresh());
  }
  void refresh();
}

/** Needs a page that may keep files and sign: HTTPS, or this machine. */
const isAble = () => window.isSecureContext && 'serviceWorker' in navigator && 'locks' in navigator;

async function refresh(): Promise<void> {
  if (!isAble() || presentConnection().status !== 'online') return;
  await sendQueue();
  if (seller === null || seller.registerId === null) return;
  try {
    if (await renewTerms(seller.session, seller.registerId)) await keepConsole();
  } catch (error) {
    // Kept terms last until they end.
    if (!(error instanceof ApiFailure)) throw error;
    if (error.code === 'REGISTER_NOT_FOUND') await keepTerms(null);
  }
}

/** False: this register does not sell offline. */
async function renewTerms({ staff, organization }: Session, registerId: number): Promise<boolean> {
  const params = { path: { registerId } };
  const data = await dataOf(api.GET('/staff/v1/registers/{registerId}/offline-terms', { params }));
  if (data === null) {
    await keepTerms(null);
    return false;
  }
  const bytes = Uint8Array.from(atob(data.signingKey), (letter) => letter.charCodeAt(0));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const { signingKey: _, ...terms } = data;
  const kept: KeptTerms = {
    ...{ organizationId: organization.id, registerId, staffId: staff.id, key },
    ...{ staffName: `${staff.firstName} ${staff.lastName}`, shopName: organization.name },
    shopLines: await shopLines(),
    ...terms,
  };
  await keepTerms(kept);
  return true;
}

/** What a receipt says of the shop below its name. */
async function shopLines(): Promise<string[]> {
  const [{ state, licenseNumber }, { address }] = await Promise.all([
    dataOf(api.GET('/staff/v1/organization')),
    dataOf(api.GET('/staff/v1/shop-profile')),
  ]);
  return [
    ...(address
      ? [
          [address.street1, address.street2].filter(Boolean).join(', '),
          `${address.city}, ${state} ${address.postalCode}`,
        ]
      : []),
    ...(licenseNumber ? [t`License ${licenseNumber}`] : []),
  ];
}

/** Lets the page and its files be there after a reload without the service. */
async function keepConsole(): Promise<void> {
  // What the offline counter needs is loaded first, so that its files are among the loaded ones.
  await import('./offline-page.tsx');
  await navigator.serviceWorker.register('/console/offline-worker.js', { scope: '/console/' });
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
  const keep = [...new Set(loaded.filter((path) => path.startsWith('/console/assets/')))];
  active?.postMessage({ keep });
}

/** The connection tells of its return once; what failed around that moment does not wait for the next one. */
function sendAgainSoon(): void {
  clearTimeout(again);
  again = setTimeout(() => void refresh(), againMs);
}

/** Sends what waits, in its order; one tab at a time. A sale that the service has is never sent as another one. */
async function sendQueue(): Promise<void> {
  await navigator.locks.request('offline-sales', { ifAvailable: true }, async (lock) => {
    // It is being sent, maybe by a request that was begun before the connection broke.
    if (lock === null) {
      sendAgainSoon();
      return;
    }
    for (const { key, queued } of await queuedSales()) {
      // A refused one may be taken from another member of staff; one of another shop never is.
      if (seller?.session.organization.id !== queued.organizationId) continue;
      const { registerId, sale } = queued;
      try {
        await dataOf(
          api.POST('/staff/v1/registers/{registerId}/offline-sales', {
            params: { path: { registerId } },
            headers: { 'Idempotency-Key': sale.saleKey },
            body: sale as never,
          }),
        );
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        const isAnswer = error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status);
        if (!isAnswer) {
          sendAgainSoon();
          break;
        }
        await markRefused(key, error.message);
        continue;
      }
      await dropQueued(key);
    }
    await tellOfQueue();
  });
}
