import { useCallback, useSyncExternalStore } from 'react';

/*
 * The register that this device is: chosen once, kept on the device for each organization. Payments and refunds that are taken here
 * name it.
 */

const listeners = new Set<() => void>();

/** The organization of this page: a page belongs to one person. */
let shop: number | null = null;

const place = (organizationId: number) => `register-of-${organizationId}`;

function keptRegister(organizationId: number): number | null {
  const text = localStorage.getItem(place(organizationId));
  const id = Number(text);
  return text !== null && Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Called by the frame of every screen, so that payments know whose register to name. */
export function rememberShop(organizationId: number): void {
  shop = organizationId;
}

/** The register of this device, for the body of a payment; nothing if none is chosen. */
export function atOwnRegister(): { readonly registerId?: number } {
  const registerId = shop === null ? null : keptRegister(shop);
  return registerId === null ? {} : { registerId };
}

/** The id of the chosen register, and how to choose another. */
export function useOwnRegister(
  organizationId: number,
): readonly [number | null, (registerId: number | null) => void] {
  const id = useSyncExternalStore(subscribe, () => keptRegister(organizationId));
  const choose = useCallback(
    (registerId: number | null) => {
      if (registerId === null) localStorage.removeItem(place(organizationId));
      else localStorage.setItem(place(organizationId), String(registerId));
      for (const listener of listeners) listener();
    },
    [organizationId],
  );
  return [id, choose];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
