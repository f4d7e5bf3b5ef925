import { randomBytes } from 'node:crypto';
import type { TestService } from '../harness/test-service.ts';
import type { TestStaff } from '../harness/test-staff.ts';
import { addRefundTask, placedOrder, reportingBank } from './contract-payments.ts';
import type { Tenant } from './contract-world.ts';
import type { Preparation } from './factor-preparations.ts';

const withRefundTask: Preparation = async (service, { shop, ids }) => ({
  params: { paymentTaskId: await addRefundTask(service, shop, Number(ids.paymentIntentId)) },
});

/** What operations on payments at providers require. */
export function paymentPreparations(
  memberOf: (service: TestService, tenant: Tenant) => Promise<TestStaff>,
): Readonly<Record<string, Preparation>> {
  const soldCard = async (service: TestService, tenant: Tenant) => {
    const { call } = await memberOf(service, tenant);
    const paid = {
      ...{ amount: 5_000, registerId: Number(tenant.ids.registerId) },
      paymentTypeId: tenant.shop.paymentTypeId('Cash'),
    };
    const { data } = await call('POST', '/staff/v1/gift-cards', paid);
    return data as { readonly id: number; readonly code: string };
  };
  return {
    // A payment type is connected once.
    createPaymentConnection: async (service, tenant, { body }) => {
      const { call } = await memberOf(service, tenant);
      const type = { name: randomBytes(5).toString('hex'), method: 'debit' };
      const { data } = await call('POST', '/staff/v1/payment-types', type);
      return { body: { ...(body as object), paymentTypeId: data.id } };
    },
    // An order has one open payment.
    staffCreatePaymentIntent: async (service, { shop, ids }) => {
      const paymentTypeId = Number(ids.bankTypeId);
      const { id: orderId } = await placedOrder(service, shop, paymentTypeId);
      return { body: { orderId, paymentTypeId, amount: 100 } };
    },
    findGiftCard: async (service, tenant) => ({ body: { code: (await soldCard(service, tenant)).code } }),
    // A card is paid out once.
    cashOutGiftCard: async (service, tenant) => ({
      params: { giftCardId: (await soldCard(service, tenant)).id },
      body: {
        registerId: Number(tenant.ids.registerId),
        paymentTypeId: tenant.shop.paymentTypeId('Cash'),
      },
    }),
    settlePaymentDay: async (service, tenant) => ({
      params: { paymentConnectionId: await reportingBank(service, tenant.shop) },
      body: { day: '2026-03-01' },
    }),
    refundPaymentTask: withRefundTask,
    endPaymentTask: withRefundTask,
    receivePaymentEvent: async () => ({ body: '{}' }),
  };
}
