import {
  type PaymentServer,
  paymentAccounts,
  startPaymentServer,
} from '../src/hosting/payment-servers/payment-server.ts';
import { assert } from '../src/kernel/assert.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import { startForEachOrganization } from '../src/platform/upkeep/each-organization.ts';
import { selectLocations } from '../src/shop/inventory/stock.ts';
import {
  changeConnection,
  createConnection,
  paymentDeskOf,
  selectConnections,
} from '../src/shop/payments/payments.ts';
import { registers, selectRegisters } from '../src/shop/registers/registers.ts';
import { selectSandbox } from '../src/shop/sandbox/sandbox.ts';
import { createTerms, selectPaymentTypes } from '../src/shop/settings/terms-of-sale.ts';

const origin: Origin = { actor: 'job:seed', requestId: null };
const names = { terminal: 'Card terminal', bank: 'Bank link' } as const;
const plainType = { feeCents: 0, feePercent: '0', feeDescription: null, availableDelivery: true } as const;
/** After it, a new sandbox has its terminal. */
const periodMs = 60_000;

/** What demo shops and sandboxes are paid by. */
export interface DemoPayments {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  close(): Promise<void>;
}

interface DemoShops {
  readonly demoOrganizations: readonly number[];
  listOrganizations(): Promise<readonly { readonly id: number }[]>;
  readonly logger: { error(fields: object, message: string): void };
}

/**
 * Plays a card terminal and a bank for demo shops and sandboxes, in this process, on loopback: the customer at the terminal taps, and the page
 * behind a link lets a person agree. Each shop is connected to them, with payment types of their own; sandboxes that are made later follow.
 */
export async function startDemoPayments(
  context: Context,
  { demoOrganizations, listOrganizations, logger }: DemoShops,
): Promise<DemoPayments> {
  const server = await startPaymentServer({ seed: 'demo shop', runs: true });
  const connecting = startForEachOrganization({
    failureMessage: 'a demo was not connected to its terminal and bank',
    periodMs,
    listOrganizations,
    logger,
    work: async (organization) => {
      const isDemo = demoOrganizations.includes(organization);
      const [[sandbox]] = await context.database.read(organization, selectSandbox({}));
      if (isDemo || sandbox?.ended_at === null) await connectDemo(context, organization, server);
    },
  });
  return {
    host: new URL(server.url).host,
    close: async () => {
      await connecting.stop();
      await server.close();
    },
  };
}

/** Connects a shop to the terminal and the bank of this run; one that knows them is told where they are now. */
export async function connectDemo(
  context: Context,
  organization: OrganizationId,
  server: Pick<PaymentServer, 'url' | 'bank'>,
): Promise<void> {
  const desk = paymentDeskOf(context);
  const [known, types, [place], tills] = await context.database.read(
    organization,
    selectConnections({}),
    selectPaymentTypes({}),
    selectLocations({}),
    selectRegisters({}),
  );
  assert(place !== undefined, 'a shop has a location');
  const { url: baseUrl } = server;
  const [{ tpn, authkey }] = paymentAccounts.terminals;
  const { apiKey, apiSecret, merchantId } = paymentAccounts.bank;
  const accounts = {
    terminal: { account: { tpn, paymentType: 'Debit' }, secrets: { authkey } },
    bank: {
      account: { merchant: String(merchantId) },
      secrets: { apiKey, apiSecret, signingKey: server.bank.signingKey },
    },
  } as const;
  for (const provider of ['terminal', 'bank'] as const) {
    const before = known.find((it) => it.name === names[provider] && it.provider === provider);
    if (before?.baseUrl === baseUrl) continue;
    if (before !== undefined) {
      await changeConnection(desk, origin, organization, before.id, { baseUrl, ...accounts[provider] });
      continue;
    }
    const name = names[provider];
    const method = provider === 'terminal' ? 'debit' : 'processor';
    const paymentTypeId =
      types.find((it) => it.name === name)?.id ??
      (await madePaymentType(context, organization, { ...plainType, name, method }));
    const till =
      tills.find(({ archivedAt }) => archivedAt === null) ??
      (await registers.writes.create(context, origin, organization, {
        ...{ name: 'Counter', inventoryLocationId: place.id, cashWithoutSession: 'warn' },
      }));
    const at =
      provider === 'terminal'
        ? { registerId: till.id, payWithinMinutes: null }
        : { registerId: null, payWithinMinutes: 30 };
    await createConnection(desk, origin, organization, {
      ...{ name, provider, baseUrl, ...accounts[provider], paymentTypeId, ...at },
    });
  }
}

async function madePaymentType(
  context: Context,
  organization: OrganizationId,
  type: Parameters<typeof createTerms>[3]['paymentTypes'][number],
): Promise<number> {
  const terms = { taxes: [], deliveryZones: [], paymentTypes: [type] };
  const [id] = await createTerms(context, origin, organization, terms);
  return id!;
}
