import { Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { OfflineTerms } from '../../../../src/engines/offline-pricing/offline-terms.ts';
import { type OfflineCartLine, optionsOf } from '../../../../src/engines/offline-pricing/price-offline.ts';
import { makeSale } from '../../offline/make-sale.ts';
import type { SoldOffline } from '../../offline/offline-receipt.tsx';
import type { KeptTerms } from '../../offline/offline-store.ts';
import { HandOverFields } from '../../parts/hand-over-fields.tsx';
import { PaymentModal } from '../../parts/payment-modal.tsx';
import { isPaid, owedOf, type PaymentRow, roundingOf } from '../../parts/payment-sums.ts';
import { ServerForm } from '../../parts/server-form.tsx';
import type { PaymentType } from '../../parts/use-payment-types.ts';
import { t } from '../../words/words.ts';
import type { Cart } from './cart.ts';
import { birthdayOf, priceHere } from './offline-price.ts';
import { firstPayments } from './sell.ts';

/** The payment of a register that is alone: the same dialog; the sale is signed and kept on this device. */
export function OfflinePayment({
  kept,
  terms,
  cart,
  lines,
  onSold,
  onClose,
}: {
  kept: KeptTerms;
  terms: OfflineTerms;
  cart: Cart;
  lines: readonly OfflineCartLine[];
  onSold: (made: SoldOffline) => void;
  onClose: () => void;
}) {
  const birthday = birthdayOf(cart);
  const types = terms.paymentTypes.map(typeOf);
  const due = priceHere(terms, lines, birthday, [], Date.now()).priced.netPriceCents;
  const [rows, setRows] = useState<readonly PaymentRow[]>(() => firstPayments(due, types));
  const [idSeen, setIdSeen] = useState(false);
  const isMade = useRef(false);
  const options = optionsOf(terms);
  const hasCannabis = lines.some(
    ({ productOptionId }) => options.get(productOptionId)?.cannabisType !== 'none',
  );
  const wasScanned = cart.idScanned === true;
  const asksForId = terms.asksForId && hasCannabis && !wasScanned;
  const send = async () => {
    if (isMade.current) return;
    isMade.current = true;
    try {
      const nowMs = Date.now();
      const price = priceHere(terms, lines, birthday, rows, nowMs);
      const sale = await makeSale(
        kept,
        {
          ...{ lines, birthday, customerId: cart.customer?.id ?? null, name: cart.walkInName.trim() || null },
          idCheck: wasScanned ? 'scan' : idSeen ? 'eye' : null,
          tendered: rows.map((row) =>
            types.find(({ id }) => id === row.paymentTypeId)?.method === 'cash'
              ? (row.tendered ?? owedOf(row, rows, types))
              : null,
          ),
          rounding: roundingOf(rows, types),
        },
        price,
        nowMs,
      );
      onSold({ sale, priced: price.priced });
    } catch {
      isMade.current = false;
      throw new Error(t`The sale could not be saved on this device. Hand nothing over, and try again.`);
    }
  };
  return (
    <PaymentModal onClose={onClose} title={t`Take payment`}>
      <ServerForm
        submit={t`Take payment and hand over`}
        refused={t`Not sold`}
        onSubmit={send}
        onCancel={onClose}
        isReady={types.length > 0 && isPaid(due, rows, types) && (!asksForId || idSeen)}
      >
        {types.length === 0 && <Text size="sm">{t`No payment type works offline.`}</Text>}
        {wasScanned && (
          <Text size="sm" mb="md">
            {t`The ID was scanned in this sale.`}
          </Text>
        )}
        <HandOverFields {...{ asksForId, idSeen, due, rows, types }} onIdSeen={setIdSeen} onRows={setRows} />
      </ServerForm>
    </PaymentModal>
  );
}

/** A type of the terms as the settings have it. */
function typeOf(type: OfflineTerms['paymentTypes'][number]): PaymentType {
  const { paymentTypeId: id, name, feeCents: fee, feePercent, feeDescription, cashRounding } = type;
  return {
    ...{ id, name, fee, feePercent, feeDescription, cashRounding },
    ...{ method: type.isCash ? 'cash' : 'other', takesGiftCards: false, availableDelivery: false },
  } as PaymentType;
}
