import { ApiFailure, api, dataOf } from '../api.ts';
import { onReconnected, presentConnection } from '../parts/connection.ts';
import type { Session } from '../session/session.tsx';
import { t } from '../words/words.ts';
import { sendInOrder } from './kept-queue.ts';
import { type KeptTerms, keepTerms, saleQueue } from './offline-store.ts';
import { tellOfQueue } from './waiting-sales.ts';

/** Shorter than the quarter of an hour for which terms are issued. */
const refreshMs = 5 * 60_000;

/** Who sells, and on which register; null: on none. Sales that wait are sent all the same. */
interface Seller {
  readonly session: Session;
  readonly registerId: number | null;
}

let seller: Seller | null = null;
let loadCounter: () => Promise<unknown> = async () => {};
let isFollowing = false;

/**
 * Keeps the terms of this device's register fresh while the service answers, and sends what waits. Called by the counter; it goes on
 * while the page is open; `load` loads what a counter without the service needs. Without a register, or where the owner does not allow it, nothing is kept.
 */
export function keepReadyToSellOffline(
  session: Session,
  registerId: number | null,
  load: () => Promise<unknown>,
): void {
  seller = { session, registerId };
  loadCounter = load;
  if (!isFollowing) {
    isFollowing = true;
    setInterval(() => void refresh(), refreshMs);
    onReconnected(() => void refresh());
  }
  void refresh();
}

/** Needs a page that may keep files and sign: HTTPS, or this machine. */
export const isAble = () => window.isSecureContext && 'serviceWorker' in navigator && 'locks' in navigator;

async function refresh(): Promise<void> {
  if (!isAble() || presentConnection().status !== 'online') return;
  await sendQueue();
  if (seller === null || seller.registerId === null) return;
  try {
    if (await renewTerms(seller.session, seller.registerId)) await keepConsole(loadCounter);
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

/** Lets the page and its files be there after a reload without the service: those that it has loaded, with those that `load` loads. */
export async function keepConsole(load: () => Promise<unknown>): Promise<void> {
  await load();
  await navigator.serviceWorker.register('/console/offline-worker.js', { scope: '/console/' });
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
  const keep = [...new Set(loaded.filter((path) => path.startsWith('/console/assets/')))];
  active?.postMessage({ keep });
}

/** A refused sale may be taken from another member of staff; one of another shop is never sent. */
const sendQueue = () =>
  sendInOrder({
    ...{ name: 'offline-sales', queue: saleQueue, organizationId: seller?.session.organization.id },
    send: ({ registerId, sale }) =>
      dataOf(
        api.POST('/staff/v1/registers/{registerId}/offline-sales', {
          params: { path: { registerId } },
          headers: { 'Idempotency-Key': sale.saleKey },
          body: sale as never,
        }),
      ),
    again: () => void refresh(),
    onDone: tellOfQueue,
  });
