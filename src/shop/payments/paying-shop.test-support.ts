import { expect } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import type { TestReply, TestService } from '../../../test/harness/test-service.ts';
import type { TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { openPlainShop, placeTrade } from '../../../test/harness/test-trade.ts';
import {
  type PaymentServer,
  type PaymentServerWishes,
  paymentAccounts,
  startPaymentServer,
} from '../../hosting/payment-servers/payment-server.ts';
import { stepOrder } from '../orders/orders.ts';
import { passPayments, paymentDeskOf } from './payments.ts';

/** A shop that is connected to a terminal and a bank, which are played over HTTP on the clock of the service. */
export interface PayingShop {
  readonly shop: TestShop;
  readonly server: PaymentServer;
  readonly manager: TestStaff;
  readonly budtender: TestStaff;
  readonly registerId: number;
  readonly debit: number;
  readonly bank: number;
  readonly tpn: string;
  /** What each call to the terminal names. */
  readonly terminalKeys: { readonly Tpn: string; readonly Authkey: string };
  /** An accepted order of $35. */
  placed(type?: number): Promise<{ readonly id: string; readonly paymentId: number }>;
  /** Asks the terminal, or by a link; resolves when the call to the provider has ended. */
  ask(orderId: string, paymentTypeId: number, amount?: number): Promise<TestReply['data']>;
  read(id: number): Promise<TestReply['data']>;
  fulfill(orderId: string, payments: object[], more?: object, by?: TestStaff): Promise<TestReply>;
  tasks(): Promise<readonly TestReply['data'][]>;
  /** Lets time pass for the service and the providers, and its worker look. */
  later(seconds: number): Promise<void>;
  /** The same, while calls go on. */
  look(seconds: number): Promise<void>;
  idle(): Promise<void>;
  /** The process ends at a write, the first being 0, before or after its commit: none of it is done from then on, until it is revived. */
  dieAt(write: number, when: 'before' | 'after'): void;
  revive(): void;
  /** Captured, less what went back, by the service's books. */
  booked(): Promise<number>;
  /** The same, as the providers know it. */
  taken(): number;
}

export async function openPayingShop(
  service: TestService,
  wishes: PaymentServerWishes = {},
): Promise<PayingShop> {
  const { context } = service;
  const server = await startPaymentServer({ clock: service.clock, ...wishes });
  const shop = await openPlainShop(service);
  const owner = await service.staff(shop);
  let manager = await service.staff(shop, 'manager');
  let budtender = await service.staff(shop, 'budtender');
  const made = async (path: string, body: object) => {
    const { status, data, text } = await owner.call('POST', `/staff/v1/${path}`, body);
    expect([status, text]).toEqual([201, expect.anything()]);
    return data;
  };
  const { id: debit } = await made('payment-types', { name: 'Terminal', method: 'debit' });
  const { id: bank } = await made('payment-types', { name: 'Pay by bank', method: 'processor' });
  const { id: registerId } = await made('registers', {
    name: 'Counter',
    inventoryLocationId: shop.locationId('Storefront'),
  });
  const [terminal] = paymentAccounts.terminals;
  await made('payment-connections', {
    ...{ name: 'Counter', provider: 'terminal', paymentTypeId: debit, registerId, baseUrl: server.url },
    account: { tpn: terminal.tpn, paymentType: 'Debit' },
    secrets: { authkey: terminal.authkey },
  });
  const { apiKey, apiSecret, merchantId } = paymentAccounts.bank;
  await made('payment-connections', {
    ...{ name: 'Bank', provider: 'bank', paymentTypeId: bank, baseUrl: server.url, payWithinMinutes: 30 },
    account: { merchant: String(merchantId) },
    secrets: { apiKey, apiSecret, signingKey: server.bank.signingKey },
  });
  const troubles: unknown[] = [];
  const mortal = makeMortal(context.database);
  const note = (fields: unknown) => {
    if ((fields as { err?: unknown }).err !== mortal.end) troubles.push(fields);
  };
  const work = {
    ...{ context, operator: context.database },
    cancelOrder: async (...[organization, orderId, reason]: [typeof shop.organizationId, string, string]) => {
      const by = { staff: null, cancelationReason: reason };
      await stepOrder(
        context,
        { actor: 'job:payments', requestId: null },
        organization,
        orderId,
        'cancel',
        by,
        {
          from: ['draft', 'new'],
        },
      );
    },
    logger: { error: note },
  };
  paymentDeskOf(context).reportTo({ error: note });
  const idle = async () => {
    await paymentDeskOf(context).idle();
    expect(troubles).toEqual([]);
  };
  const read = async (id: number) => (await budtender.call('GET', `/staff/v1/payment-intents/${id}`)).data;
  let signedInMs = service.clock.now();
  const look = async (seconds: number) => {
    service.clock.advance(seconds * 1_000);
    server.advance(0);
    // Sessions have ended meanwhile.
    if (service.clock.now() - signedInMs > 6 * 3_600_000) {
      signedInMs = service.clock.now();
      await mortal.spared(async () => {
        manager = await service.staff(shop, 'manager');
        budtender = await service.staff(shop, 'budtender');
      });
    }
    await passPayments(work, shop.organizationId);
  };
  return {
    get manager() {
      return manager;
    },
    get budtender() {
      return budtender;
    },
    ...{ dieAt: mortal.dieAt, revive: mortal.revive },
    ...{ shop, server, look, registerId, debit, bank, tpn: terminal.tpn, idle, read },
    terminalKeys: { Tpn: terminal.tpn, Authkey: terminal.authkey },
    placed: async (type = debit) => {
      const { data, error } = await placeTrade(service, shop, [['eighth', 1]], {
        payments: [{ paymentTypeId: type, remaining: true }],
      });
      expect(error).toBeUndefined();
      if (data.status === 'draft') await manager.call('POST', `/staff/v1/orders/${data.id}/accept`, {});
      const { data: detail } = await manager.call('GET', `/staff/v1/orders/${data.id}`);
      return { id: data.id, paymentId: detail.payments[0].id };
    },
    ask: async (orderId, paymentTypeId, amount = 3500) => {
      const body = { orderId, paymentTypeId, amount, registerId };
      const { status, data, text } = await budtender.call('POST', '/staff/v1/payment-intents', body);
      expect([status, text]).toEqual([201, expect.anything()]);
      expect(data.status).toBe('sending');
      await idle();
      return read(data.id);
    },
    fulfill: (orderId, payments, more = {}, by = budtender) =>
      by.call('POST', `/staff/v1/orders/${orderId}/fulfill`, { payments, ...more }),
    tasks: async () => (await budtender.call('GET', '/staff/v1/payment-tasks')).data,
    later: async (seconds) => {
      await look(seconds);
      await idle();
    },
    booked: async () => {
      const [row] = await tenantSql(
        context.database,
        shop.organizationId,
        'select coalesce(sum(amount_cents), 0)::int as cents from payment_ledger_entries',
      );
      return Number(row!.cents);
    },
    taken: () =>
      [...server.terminals.ledger.entries, ...server.bank.ledger.entries].reduce(
        (sum, it) => sum + it.cents,
        0,
      ),
  };
}

/** A process whose writes end at a moment, as if it was killed there: each write is a transaction, so it is done whole or not at all. */
function makeMortal(database: TestService['context']['database']) {
  const end = new Error('The process has ended.');
  const write = database.write.bind(database);
  let dying: { left: number; readonly when: 'before' | 'after' } | null = null;
  Object.assign(database, {
    write: async (...call: Parameters<typeof write>) => {
      if (dying === null) return write(...call);
      dying.left -= 1;
      if (dying.left >= 0) return write(...call);
      if (dying.left === -1 && dying.when === 'after') await write(...call);
      throw end;
    },
  });
  return {
    end,
    dieAt: (left: number, when: 'before' | 'after') => {
      dying = { left, when };
    },
    revive: () => {
      dying = null;
    },
    spared: async (work: () => Promise<void>) => {
      const before = dying;
      dying = null;
      await work();
      dying = before;
    },
  };
}
