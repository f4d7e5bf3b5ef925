import { createHmac, randomUUID } from 'node:crypto';
import { chargedOf, type OfflineSale, signedText } from '../../src/engines/offline-pricing/offline-sale.ts';
import type { OfflineTerms } from '../../src/engines/offline-pricing/offline-terms.ts';
import { priceOffline } from '../../src/engines/offline-pricing/price-offline.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { TestStaff } from '../harness/test-staff.ts';

const limits = { isOn: true, hoursMax: 4, saleMax: 1_000_000, outageMax: 1_000_000_000 };

/** Lets every register of the shop sell offline. */
export async function allowOfflineSales(owner: TestStaff): Promise<void> {
  await owner.call('PUT', '/staff/v1/offline-sale-settings', { shop: limits, locations: [] });
}

/** A signed sale of one unit at a register, before its terms were issued: it is placed and flagged. */
export async function offlineSaleBody(
  { clock }: { readonly clock: Clock },
  owner: TestStaff,
  registerId: number | string,
  { quantity = 1, hoursBefore = 1 } = {},
): Promise<object> {
  await allowOfflineSales(owner);
  const { data } = await owner.call('GET', `/staff/v1/registers/${registerId}/offline-terms`);
  const { version, issuedAt, validUntil, keyName } = data;
  const terms = JSON.parse(data.terms) as OfflineTerms;
  const { priced } = priceOffline(
    terms,
    {
      lines: [{ productOptionId: terms.options[0]!.id, quantity }],
      ...{ discountIds: [], audience: 'adult-use', birthday: null },
      payments: [
        {
          paymentTypeId: terms.paymentTypes.find(({ isCash }) => isCash)!.paymentTypeId,
          amountCents: 'remaining',
        },
      ],
    },
    clock.now(),
  );
  const sale: OfflineSale = {
    ...{ saleKey: randomUUID(), number: randomUUID().slice(0, 8), outageKey: randomUUID() },
    soldAt: new Date(Date.parse(issuedAt) - hoursBefore * 3_600_000).toISOString(),
    staffId: owner.staffId,
    terms: { version, issuedAt, validUntil, keyName },
    buyer: { customerId: null, birthday: '1980-05-05', name: null },
    discountIds: [],
    ...chargedOf(priced, [null]),
  };
  const signature = createHmac('sha256', Buffer.from(data.signingKey, 'base64')).update(signedText(sale));
  return { ...sale, signature: signature.digest('base64') };
}
