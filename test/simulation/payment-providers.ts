import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { bankTopics } from '../../src/hosting/payment-servers/bank-hooks.ts';
import {
  type PaymentServer,
  paymentAccounts,
  startPaymentServer,
} from '../../src/hosting/payment-servers/payment-server.ts';
import type { ManualClock } from '../../src/kernel/clock.ts';
import { stepOrder } from '../../src/shop/orders/orders.ts';
import { passPayments, paymentDeskOf } from '../../src/shop/payments/payments.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import type { TestStaff } from '../harness/test-staff.ts';
import { bankType, terminalType } from './simulated-shop.ts';

/** A link of the web is good for a day. */
export const payWithinMinutes = 1440;

const [terminal] = paymentAccounts.terminals;

/** The terminal at the counter and the bank of a simulated shop, played over HTTP on its clock, and the worker that looks at payments. */
export class PaymentProviders {
  readonly server: PaymentServer;
  readonly tpn = terminal.tpn;
  readonly registerId: number;
  /** Where the bank sends its webhooks. */
  readonly #eventsPath: string;

  private constructor(server: PaymentServer, registerId: number, eventsPath: string) {
    this.server = server;
    this.registerId = registerId;
    this.#eventsPath = eventsPath;
  }

  static async open(
    clock: ManualClock,
    seed: number,
    shop: TestShop,
    owner: TestStaff,
  ): Promise<PaymentProviders> {
    // A link that was lost on its way is shown again, so its payment waits on.
    const switches = { customer: 'waits', 'link-repeat': 'same' } as const;
    const server = await startPaymentServer({ clock, seed: String(seed), switches });
    const made = async (path: string, body: object) => {
      const { status, data, text } = await owner.call('POST', `/staff/v1/${path}`, body);
      expect([status, text]).toEqual([201, expect.anything()]);
      return data;
    };
    const inventoryLocationId = shop.locationId('Storefront');
    const { id: registerId } = await made('registers', { name: 'Counter', inventoryLocationId });
    await made('payment-connections', {
      ...{ name: 'Counter', provider: 'terminal', registerId, baseUrl: server.url },
      paymentTypeId: shop.paymentTypeId(terminalType.name),
      account: { tpn: terminal.tpn, paymentType: 'Debit' },
      secrets: { authkey: terminal.authkey },
    });
    const { apiKey, apiSecret, merchantId } = paymentAccounts.bank;
    const { eventsUrl } = await made('payment-connections', {
      ...{ name: 'Bank', provider: 'bank', baseUrl: server.url, payWithinMinutes },
      paymentTypeId: shop.paymentTypeId(bankType.name),
      account: { merchant: String(merchantId) },
      secrets: { apiKey, apiSecret, signingKey: server.bank.signingKey },
    });
    const call = async (path: string, body: object, token = '') =>
      (
        await fetch(`${server.url}/v2/${path}`, {
          ...{ method: 'POST', body: JSON.stringify(body) },
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        })
      ).json() as Promise<{ token: string }>;
    const { token } = await call('token', { apiKey, apiSecret, scope: 'merchant', id: merchantId });
    for (const topic of bankTopics) await call('webhook', { topic, url: eventsUrl }, token);
    return new PaymentProviders(server, registerId, new URL(eventsUrl).pathname);
  }

  /** One turn of the worker, and of the providers' own time. Resolves to whether it has closed the terminal's batch. */
  async work({ context, faults }: TestService, { organizationId }: TestShop): Promise<boolean> {
    this.server.advance(0);
    const closed = () =>
      tenantSql(
        context.database,
        organizationId,
        `select settled_day::text as day from payment_connections where provider = 'terminal'`,
      );
    const before = await closed();
    const troubles: unknown[] = [];
    const logger = { error: (fields: unknown) => troubles.push(fields) };
    const origin = { actor: 'job:payments', requestId: null } as const;
    await passPayments(
      {
        ...{ context, operator: context.database, logger },
        cancelOrder: async (organization, orderId, cancelationReason) => {
          const by = { staff: null, cancelationReason };
          await stepOrder(context, origin, organization, orderId, 'cancel', by, { from: ['draft', 'new'] });
        },
      },
      organizationId,
    );
    await paymentDeskOf(context).idle();
    expect([...troubles, ...faults]).toEqual([]);
    return !isDeepStrictEqual(await closed(), before);
  }

  /** The bank tells what it has to, each as often as it is drawn. */
  async deliver(service: TestService, copies: number): Promise<void> {
    const due = this.server.bank.takeHooks();
    for (const { body, headers: signed } of Array.from({ length: copies }, () => due).flat()) {
      const headers = { 'content-type': 'application/json', ...signed };
      const { status } = await service.call('POST', this.#eventsPath, { body: Buffer.from(body), headers });
      expect(status).toBe(200);
    }
  }

  /** What customers have lost to the shop by these references, in cents. */
  takenBy(references: readonly string[]): number {
    return this.#entries()
      .filter(({ reference }) => references.includes(reference))
      .reduce((sum, { cents }) => sum + cents, 0);
  }

  #entries() {
    return [...this.server.terminals.ledger.entries, ...this.server.bank.ledger.entries];
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
