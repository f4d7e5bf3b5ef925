import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../../platform/database/context.ts';

/*
 * The address at which the customer of a delivery follows it, without an app and without signing in. Its code is an HMAC of the master
 * key over the order: nothing is stored, and who knows an order's id still has no address.
 */

/** Where the page is. */
export const trackingPath = '/track';

const labelOf = (organization: number) => `tracking:${organization}`;
const codeLength = 48;

/** The address of a delivery's page; null: the service does not know its own address. */
export async function trackingUrl(
  {
    sealing,
    serviceAddress,
  }: Pick<Context, 'sealing'> & { readonly serviceAddress?: { url(): string | null } },
  organization: number,
  orderId: string,
): Promise<string | null> {
  const base = serviceAddress?.url() ?? null;
  if (base === null) return null;
  const [present] = (await sealing.load()).digests(orderId, labelOf(organization));
  return `${base}${trackingPath}?o=${organization}&d=${orderId}&k=${present.slice(0, codeLength)}`;
}

/** What an address asks for. */
export interface TrackedDelivery {
  readonly organization: number;
  readonly orderId: string;
}

/** The delivery of an address; null: its code does not fit. A code of a former master key still does. */
export async function trackedDelivery(
  { sealing }: Pick<Context, 'sealing'>,
  query: URLSearchParams,
): Promise<TrackedDelivery | null> {
  const [organization, orderId, code] = [Number(query.get('o')), query.get('d') ?? '', query.get('k') ?? ''];
  const isWhole =
    Number.isSafeInteger(organization) &&
    organization > 0 &&
    /^[0-9a-f-]{36}$/.test(orderId) &&
    /^[0-9a-f]{48}$/.test(code);
  if (!isWhole) return null;
  const known = (await sealing.load()).digests(orderId, labelOf(organization));
  const sent = Buffer.from(code);
  const fits = known.map((digest) => timingSafeEqual(Buffer.from(digest.slice(0, codeLength)), sent));
  return fits.includes(true) ? { organization, orderId } : null;
}
