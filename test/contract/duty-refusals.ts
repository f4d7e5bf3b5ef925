import { tenantSql } from '../harness/tenant-sql.ts';
import { addDiscount } from '../harness/test-promotions.ts';
import type { CartRefusal } from './cart-refusal.ts';

/** Discounts that the law bars: previews refuse them as orders do. */
export const barredDiscounts: readonly CartRefusal[] = [
  {
    code: 'DISCOUNT_NOT_ALLOWED_BY_LAW',
    when: 'a discount code is for a discount that the law bars',
    shop: { state: 'MA' },
    change: async (shop, { service }) => {
      const discount = { kind: 'order', type: 'percent', amount: '10', trigger: 'code' } as const;
      await addDiscount(service.context, shop.organizationId, {
        ...{ ...discount, name: 'Spring', codes: ['SPRING'] },
      });
      return { discountCodes: ['SPRING'] };
    },
    message: /^“Spring”: The law of Massachusetts bars discounts on cannabis for adults/,
    meta: { citation: '935 CMR 500.105(4)(b)20; bulletin of 2024-05-21' },
  },
];

/** Duties that an order is refused for, and a preview warns of. */
export const brokenDuties: readonly CartRefusal[] = [
  {
    code: 'PATIENTS_ONLY_PRODUCT',
    when: 'a product does not state the content by which the law lets only patients have it',
    shop: { state: 'RI' },
    change: async (shop, { service }) => {
      const productOptionId = shop.optionId('gummies');
      await tenantSql(
        service.context.database,
        shop.organizationId,
        `update product_options set content = null where id = ${productOptionId}`,
      );
      return { lineItems: [{ productOptionId, quantity: 2 }] };
    },
    message:
      /^Citrus Gummies: its content is not stated, and above 100 mg of edibles it is for patients only/,
    meta: { duty: 'patientsOnlyProducts', citation: '560-RICR-10-10' },
  },
  {
    code: 'DELIVERY_NOT_ALLOWED',
    when: 'the law of the state allows no delivery',
    shop: { state: 'AK' },
    type: 'delivery',
    message: /^Cannabis is not delivered, by the law of Alaska/,
    meta: { duty: 'delivery', citation: '3 AAC 306.310' },
  },
  {
    code: 'VEHICLE_VALUE_EXCEEDED',
    when: 'the delivery is worth more than a vehicle may carry',
    shop: { state: 'CA' },
    type: 'delivery',
    change: (shop) => ({ lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 300 }] }),
    message: /^A vehicle carries cannabis for at most \$10,000, .*this would be \$10,500\.$/,
    meta: { duty: 'delivery', citation: '4 CCR 15416 to 15418; BPC 26090, 26090.1' },
  },
  {
    code: 'BUYER_REQUIRED',
    when: 'a limit counts the day, and the only contact of the buyer stands for none',
    shop: { state: 'CA' },
    change: () => ({ customer: { firstName: 'Ada', lastName: 'Moreno', phone: '+15555555555' } }),
    message: /^The purchase limit “Flower” counts a day or longer: the buyer must be known/,
    meta: { duty: 'buyer', citation: null },
  },
  {
    code: 'PRODUCT_FACT_MISSING',
    when: 'a limit counts the THC of all forms, and a product does not state its THC',
    shop: { state: 'AK' },
    change: async (shop, { service }) => {
      const { database } = service.context;
      await tenantSql(
        database,
        shop.organizationId,
        'update products set thc_amount = null, thc_unit = null',
      );
      return { lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }] };
    },
    message: /^Moonlit Grove: its THC in milligrams is not stated, which “THC of all forms” needs/,
    meta: { duty: 'productFacts', citation: null },
  },
];
