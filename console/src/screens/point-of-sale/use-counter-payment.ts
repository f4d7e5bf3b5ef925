import { useState } from 'react';
import { useNavigate } from 'react-router';
import { notifyDone } from '../../parts/toasts.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import type { OptionLookUps } from '../../parts/use-option-look-ups.ts';
import { useScans } from '../../scanner/use-scans.ts';
import { forgetApproval } from '../../session/manager-approvals.ts';
import { t } from '../../words/words.ts';
import { cartBody } from './cart.ts';
import type { Sale } from './saved-sale-gate.tsx';
import type { PlacedOrder, SoldOrder } from './sell.ts';
import type { CartPricing } from './use-cart-pricing.ts';
import { usePayment } from './use-payment.ts';

/**
 * The payment of the counter's cart, from its opening to the sold order. It also takes the scans of the counter: during payment
 * they wait.
 */
export function useCounterPayment(
  { cart, change, current, setSale }: Sale,
  priced: CartPricing,
  obstacle: string | null,
  lookUps: OptionLookUps,
) {
  const isLookingUp = lookUps.pending > 0;
  const { payment, open, typedAhead, close } = usePayment(cart, priced, obstacle, isLookingUp, {
    current,
    setSale,
  });
  const [sold, setSold] = useState<SoldOrder | null>(null);
  // Codes scanned during payment are not in the price being paid.
  const [scanned, setScanned] = useState<readonly string[]>([]);
  const giveUpScans = useUnsavedWork(isLookingUp || scanned.length > 0);
  const isPaying = () => payment !== null && (!payment.isOfSale || current().sale !== null);
  useScans((code) => {
    if (isPaying()) setScanned((before) => [...before, code]);
    else lookUps.take(code);
  });
  const navigate = useNavigate();
  const endSale = () => {
    const { sale, cart: present } = current();
    void setSale(null);
    close();
    forgetApproval('amounts');
    if (sale?.body === JSON.stringify(cartBody(present))) return change({ type: 'clear' });
    notifyDone(t`The cart is sold as it was when sent. It has changed since: check the remaining items.`);
  };
  return {
    payment,
    isPaying,
    open,
    typedAhead,
    sold,
    scanned,
    /** The payment is given up: the waiting scans go into the cart. */
    giveUp: () => {
      close();
      for (const code of scanned) lookUps.take(code);
      if (scanned.length > 0) setScanned([]);
    },
    endUnpaid: (order: PlacedOrder) => {
      endSale();
      giveUpScans();
      if (scanned.length > 0) {
        notifyDone(t`Scanned during payment, not sold: ${scanned.join(', ')}`);
      }
      void navigate(`/orders/${order.id}?do=fulfill`);
    },
    endSold: (order: SoldOrder) => {
      endSale();
      setSold(order);
    },
    closeSold: () => {
      setSold(null);
      setScanned([]);
    },
  };
}
