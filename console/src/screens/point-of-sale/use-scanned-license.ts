import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { obstacleOfLicense, type ScannedHolder } from '../../parts/license-card.tsx';
import { holderOf } from '../../parts/license-holder.ts';
import { notifyError, notifyRefusal } from '../../parts/toasts.tsx';
import type { DriverLicense } from '../../scanner/driver-license.ts';
import { sayOfScan } from '../../scanner/scanner.ts';
import { useLicenseScans } from '../../scanner/use-scans.ts';
import { t } from '../../words/words.ts';
import type { Customer, RefusedId } from './cart.ts';

/**
 * A license scanned at the counter: its holder becomes the customer at once, if they may buy and the license is valid; otherwise it
 * is shown with the reason. During payment the customer stays.
 */
export function useScannedLicense(
  isPaying: () => boolean,
  onCustomer: (customer: Customer) => void,
  onScanned: (values: { readonly refusedId: RefusedId } | { readonly scannedId: number }) => void,
) {
  const queryClient = useQueryClient();
  const [refused, setRefused] = useState<ScannedHolder | null>(null);
  const take = (scanned: ScannedHolder) => {
    const { license, holder } = scanned;
    const { customer, age } = holder;
    const obstacle = obstacleOfLicense(scanned);
    const name = `${license.firstName} ${license.lastName}`.trim();
    sayOfScan(t`${name}, age ${age}. ${obstacle ?? t`Customer of the sale.`}`);
    if (customer === null || obstacle !== null) {
      // Who it is may still be asked; a person who is too young, or an expired ID, is not.
      if (holder.suspected.length === 0) {
        onScanned({ refusedId: customer === null ? 'underage' : 'expired' });
      }
      return setRefused(scanned);
    }
    queryClient.setQueryData(['customers', customer.id], customer);
    setRefused(null);
    onCustomer(customer);
    onScanned({ scannedId: customer.id });
  };
  const read = async (license: DriverLicense) => {
    try {
      take(await holderOf(license));
    } catch (error) {
      notifyError(error);
    }
  };
  useLicenseScans((license) => {
    if (isPaying())
      notifyRefusal(t`Close payment to change the customer.`, t`License scanned during payment`);
    else void read(license);
  });
  return { refused, take, close: () => setRefused(null) };
}
