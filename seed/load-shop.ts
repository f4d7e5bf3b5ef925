import {
  createClientKey,
  createIntegrator,
  publishablePermissions,
  revokeClientKey,
} from '../src/access/keys/keys.ts';
import type { Environment } from '../src/kernel/api-keys.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import { localInstantMs } from '../src/kernel/local-time.ts';
import { type Permission, permissions } from '../src/kernel/permission-catalog.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import type { BlobStore } from '../src/platform/storage/blob-store.ts';
import type { SealedFiles } from '../src/platform/storage/sealed-files.ts';
import { importOrders } from '../src/shop/orders/orders.ts';
import { createConnection } from '../src/shop/traceability/traceability.ts';
import { demoLicense } from './demo-license.ts';
import { loadDocuments } from './load-documents.ts';
import { loadAccounts } from './load-promotions.ts';
import { loadPurchasing } from './load-purchasing.ts';
import { loadQueue } from './load-queue.ts';
import { loadReturns } from './load-returns.ts';
import { loadStagedOrders } from './load-staged-orders.ts';
import { loadStockOperations } from './load-stock-operations.ts';
import { contextAt } from './loaded-shop.ts';
import { openShop } from './open-shop.ts';
import { orderHistories } from './order-histories.ts';
import { generateOrderScript } from './order-script.ts';
import { seededRandom } from './seeded-random.ts';
import type { ShopContent } from './shop-content.ts';

const origin: Origin = { actor: 'job:seed', requestId: null };
const connectedBeforeMs = 30 * 86_400_000;

/** Keys and accounts for a visitor of the demo shop; no other place has the keys. */
export interface DemoOrganization {
  readonly id: number;
  readonly name: string;
  readonly consumerKey: string;
  readonly clientKey: string;
  /** For web pages of `origins`. */
  readonly publishableKey: string;
  readonly origins: readonly string[];
  readonly staff: { readonly email: string; readonly password: string };
  /** A second integrator, whose key is `proven`: it sees its own orders only. Older demos have none. */
  readonly provenIntegrator?: {
    readonly name: string;
    readonly consumerKey: string;
    readonly clientKey: string;
  };
  /** An integrator that works for all demo shops: one consumer key for it, and a client key for this shop; older demos have none. */
  readonly integratorOfAllShops?: {
    readonly name: string;
    readonly consumerKey: string;
    readonly clientKey: string;
  };
}

/** An integrator with its consumer key. */
interface DemoIntegrator {
  readonly id: number;
  readonly name: string;
  readonly consumerKey: string;
}

export interface ShopSize {
  readonly customers: number;
  readonly days: number;
  readonly orders: number;
}

/** Stores for the files of a demo shop. */
export interface ShopFiles {
  readonly photos: BlobStore;
  readonly documents: SealedFiles;
}

/**
 * Makes a demo shop from its content with the serving code. The content, the people and the orders are the same in
 * every deployment; keys, password and identifiers are fresh.
 */
export async function loadShop(
  context: Context,
  environment: Environment,
  files: ShopFiles,
  content: ShopContent,
  size: ShopSize,
  ofAllShops?: DemoIntegrator,
): Promise<DemoOrganization> {
  const integrators = new Map<string, DemoIntegrator>();
  for (const { name } of content.integrators) {
    integrators.set(name, { name, ...(await createIntegrator(context, environment, name)) });
  }
  // One password for the whole shop: a visitor of the demo can sign in as any member.
  const password = Buffer.from(context.randomBytes(12)).toString('base64url');
  const random = seededRandom(content.slug);
  const trading = await openShop(context, origin, files.photos, content, {
    random,
    integrators,
    password,
    customers: size.customers,
  });
  const { organization } = trading;
  const [first, second] = [...integrators.values()];
  const { clientKey, provenClientKey, publishableKey } = await issueKeys(context, environment, organization, [
    ...integrators.values(),
  ]);
  const keyOfAllShops =
    ofAllShops &&
    (await createClientKey(context, environment, origin, organization, {
      integratorId: ofAllShops.id,
      name: 'All shops',
      permissions: ['create-orders', 'menu', 'analytics'],
      vouches: true,
      expiresAtMs: null,
    }));

  const { tz } = content.organization;
  const nowMs = context.clock.now();
  const today = trading.dayIn(0);
  const script = generateOrderScript(random, content, trading.people, {
    days: size.days,
    count: size.orders,
    todayWeekday: new Date(`${today}T00:00:00Z`).getUTCDay() || 7,
    nowMinuteOfDay: Math.floor((nowMs - localInstantMs(today, 0, tz)) / 60_000),
  });
  const histories = orderHistories(context, trading, script);
  const lines = await importOrders(context, origin, organization, histories);
  await loadReturns(context, trading, histories, lines);
  await loadPurchasing(context, origin, trading);
  await loadStockOperations(context, trading);
  await loadDocuments(context, files.documents, trading);
  await connectLicense(context, organization, content);
  await loadStagedOrders(context, trading, script);
  const customerIds = trading.customers.map(({ id }) => id);
  await loadAccounts(context, origin, organization, content, customerIds);
  await loadQueue(context, origin, organization, customerIds);
  const owner = content.staff.find((member) => member.role === 'owner')!;
  return {
    id: organization,
    name: content.organization.name,
    consumerKey: first!.consumerKey,
    clientKey,
    publishableKey,
    origins: demoOrigins,
    staff: { email: owner.email, password },
    provenIntegrator: {
      name: second!.name,
      consumerKey: second!.consumerKey,
      clientKey: provenClientKey,
    },
    ...(ofAllShops &&
      keyOfAllShops && {
        integratorOfAllShops: {
          name: ofAllShops.name,
          consumerKey: ofAllShops.consumerKey,
          clientKey: keyOfAllShops.clientKey,
        },
      }),
  };
}

/** Where development servers of web pages usually listen. */
const demoOrigins = [3000, 4173, 5173, 8000].flatMap((port) => [
  `http://localhost:${port}`,
  `http://127.0.0.1:${port}`,
]);

/** Keys of all integrators: one with all permissions, others with the ones they need, one of an ended trial. */
async function issueKeys(
  context: Context,
  environment: Environment,
  organization: OrganizationId,
  integrators: readonly { readonly id: number }[],
): Promise<{ clientKey: string; provenClientKey: string; publishableKey: string }> {
  interface Kind {
    readonly name: string;
    readonly permissions: readonly Permission[];
    readonly vouches?: boolean;
  }
  const kinds: readonly Kind[] = [
    { name: 'Demo key', permissions },
    { name: 'Orders and routes', permissions: ['create-orders', 'menu'], vouches: false },
    { name: 'Messages', permissions: ['customers'] },
  ];
  const issue = ({ name, permissions, vouches = true }: Kind, integratorId: number) =>
    createClientKey(context, environment, origin, organization, {
      integratorId,
      name,
      permissions,
      vouches,
      expiresAtMs: null,
    });
  const trial = await issue({ name: 'Trial of the summer', permissions: ['menu'] }, integrators[1]!.id);
  await revokeClientKey(context, origin, organization, trial.id);
  const [demo, orders] = await Promise.all(
    kinds.map((kind, index) => issue(kind, integrators[index % integrators.length]!.id)),
  );
  const page = await createClientKey(context, environment, origin, organization, {
    integratorId: integrators[0]!.id,
    name: 'Web shop',
    permissions: publishablePermissions,
    origins: demoOrigins,
    expiresAtMs: null,
  });
  return {
    clientKey: demo!.clientKey,
    provenClientKey: orders!.clientKey,
    publishableKey: page.clientKey,
  };
}

/** From here on sales are reported: the license was connected before the staged orders were placed. */
async function connectLicense(
  context: Context,
  organization: OrganizationId,
  { organization: { state }, reportsToState = false }: ShopContent,
): Promise<void> {
  if (!reportsToState) return;
  const connectedMs = context.clock.now() - connectedBeforeMs;
  const { licenseNumber, userKey } = demoLicense;
  await createConnection(contextAt(context, connectedMs), origin, organization, {
    ...{
      inventoryLocationId: null,
      state: state as 'CA',
      isSandbox: false,
      licenseNumber,
      userKey,
      isOn: true,
    },
  });
}
