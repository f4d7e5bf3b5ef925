import {
  type PaymentServer,
  paymentAccounts,
  startPaymentServer,
} from '../src/hosting/payment-servers/payment-server.ts';
import { assert } from '../src/kernel/assert.ts';
import { type OrganizationId, organizationId } from '../src/kernel/ids.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import { startForEachOrganization } from '../src/platform/upkeep/each-organization.ts';
import { selectLocations } from '../src/shop/inventory/stock.ts';
import {
  changeConnection,
  createConnection,
  type PaymentAsTold,
  paymentDeskOf,
  paymentsAsTold,
  type RefundAsTold,
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
 * behind a link lets a person agree. Each shop is connected to them, with payment types of their own; sandboxes that are made later follow. They
 * keep nothing of their own: what they told of payments lies in the shop's rows, and is told again after a restart, at the same address if
 * its port is still free, so that links go on.
 */
export async function startDemoPayments(
  context: Context,
  { demoOrganizations, listOrganizations, logger }: DemoShops,
): Promise<DemoPayments> {
  const server = await startAgain(context, demoOrganizations);
  const told = new Set<number>();
  /** Before anything is asked of them. */
  const tellOnce = async (organization: OrganizationId) => {
    if (told.has(organization)) return;
    await tellPayments(context, organization, server);
    told.add(organization);
  };
  for (const id of demoOrganizations) await tellOnce(organizationId(id));
  const connecting = startForEachOrganization({
    failureMessage: 'a demo was not connected to its terminal and bank',
    periodMs,
    listOrganizations,
    logger,
    work: async (organization) => {
      const isDemo = demoOrganizations.includes(organization);
      const [[sandbox]] = await context.database.read(organization, selectSandbox({}));
      if (!isDemo && sandbox?.ended_at !== null) return;
      await tellOnce(organization);
      await connectDemo(context, organization, server);
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

/** At the port of the former run, where links lead; at another one, if that is in use. */
async function startAgain(
  { database, wallClock: clock }: Context,
  demoOrganizations: readonly number[],
): Promise<PaymentServer> {
  const wishes = { seed: 'demo shop', runs: true, clock };
  const [first] = demoOrganizations;
  if (first === undefined) return startPaymentServer(wishes);
  const [known] = await database.read(organizationId(first), selectConnections({}));
  const former = known.find(({ name, provider }) => provider === 'bank' && name === names.bank);
  const port = former === undefined ? 0 : Number(new URL(former.baseUrl).port);
  return startPaymentServer({ ...wishes, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return startPaymentServer(wishes);
  });
}

/** Lets the terminal and the bank hold what they told of a shop's payments in earlier runs. */
export async function tellPayments(
  context: Context,
  organization: OrganizationId,
  { terminals, bank }: Pick<PaymentServer, 'terminals' | 'bank'>,
): Promise<void> {
  const [connections] = await context.database.read(organization, selectConnections({}));
  const played = new Map(
    connections.flatMap(({ id, name, provider }) =>
      Object.values<string>(names).includes(name) ? [[id, provider] as const] : [],
    ),
  );
  const [{ tpn }] = paymentAccounts.terminals;
  const { payments, refunds } = await paymentsAsTold(context, organization);
  for (const payment of payments) {
    const own = refunds.filter(({ intentId }) => intentId === payment.id);
    if (played.get(payment.connectionId) === 'bank') bank.hold(heldByBank(payment, own));
    if (played.get(payment.connectionId) !== 'terminal') continue;
    for (const charge of heldByTerminal(payment, own)) terminals.hold(tpn, charge);
  }
}

type HeldByTerminal = Parameters<PaymentServer['terminals']['hold']>[1];

/** A sale, and what went back of it with the card. */
function heldByTerminal(payment: PaymentAsTold, refunds: readonly RefundAsTold[]): HeldByTerminal[] {
  const { facts, capturedCents, tipCents, cashBackCents, providerFeeCents: feeCents, status } = payment;
  const shared = {
    ...{ type: 'Debit', authCode: facts.authCode ?? '', batch: Number(facts.batch ?? 0), voided: false },
  };
  const nothing = { tipCents: 0, cashBackCents: 0, feeCents: 0 };
  return [
    {
      ...{ ...shared, reference: payment.reference, kind: 'Sale', goodsCents: capturedCents },
      ...{ tipCents, cashBackCents, feeCents, voided: status === 'returned' },
    },
    ...refunds.map(({ reference, amountCents }): HeldByTerminal => {
      return { ...shared, ...nothing, reference, kind: 'Return', goodsCents: amountCents };
    }),
  ];
}

type HeldByBank = Parameters<PaymentServer['bank']['hold']>[0];

const heldStates: Readonly<Partial<Record<PaymentAsTold['status'], HeldByBank['state']>>> = {
  waiting: 'waiting',
  authorized: 'authorized',
  returned: 'returned',
  canceled: 'ended',
  failed: 'ended',
  expired: 'ended',
};

function heldByBank(payment: PaymentAsTold, refunds: readonly RefundAsTold[]): HeldByBank {
  const { reference, status, capturedCents, askedCents, tipCents, facts, link, providerId } = payment;
  const isTaken = capturedCents > 0;
  return {
    ...{ reference, providerId, cents: isTaken ? capturedCents + tipCents : askedCents },
    linkId: link?.match(/[\w-]+/g)?.at(-1) ?? reference,
    state: heldStates[status] ?? (isTaken ? 'captured' : 'waiting'),
    atMs: payment.capturedAt ?? payment.createdAt,
    ...{ payerName: facts.payerName ?? null, returnCode: facts.returnCode ?? null },
    refunds: refunds.map(({ amountCents: cents, isPaid, updatedAt: atMs }) => ({ cents, isPaid, atMs })),
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
