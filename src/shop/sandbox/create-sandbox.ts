import { addSandboxConsumerKey, createClientKey, publishablePermissions } from '../../access/keys/keys.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { permissions } from '../../kernel/permission-catalog.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { type FilledShop, fillSandbox } from './fill-sandbox.ts';
import { insertSandbox } from './sandbox-queries.ts';

/** A sandbox with its keys, which are shown once. */
export interface CreatedSandbox {
  readonly organizationId: OrganizationId;
  readonly name: string;
  /** `dcc_test_…`: for the sandboxes of the integrator alone. */
  readonly consumerKey: string;
  /** Vouched: the customers that it names are believed to be them. */
  readonly clientKey: string;
  /** Proven, as keys of real shops usually are: without a customer's token a cart is priced as a stranger's. */
  readonly provenClientKey: string;
  /** For web pages of `origins`. */
  readonly publishableKey: string;
  readonly origins: readonly string[];
}

/** Where development servers of web pages usually listen. */
const sandboxOrigins: readonly string[] = [3000, 4173, 5173, 8000].flatMap((port) => [
  `http://localhost:${port}`,
  `http://127.0.0.1:${port}`,
]);

/**
 * Makes a sandbox for an integrator (operator only): an organization with goods and customers for every special case, and
 * test keys. Fails with INVALID_PARAMS for an unknown integrator.
 */
export async function createSandbox(
  context: Context,
  origin: Origin,
  integrator: { readonly id: number; readonly name: string },
): Promise<CreatedSandbox> {
  // First, because it refuses an unknown integrator.
  const consumerKey = await addSandboxConsumerKey(context, integrator.id);
  const name = sandboxName(integrator.name);
  const shop = await fillSandbox(context, origin, name);
  await knowAsSandbox(context, origin, integrator.id, shop);
  const shared = { integratorId: integrator.id, expiresAtMs: null, strict: true };
  const { clientKey } = await createClientKey(context, 'staging', origin, shop.organization, {
    ...shared,
    name: 'Sandbox',
    permissions,
    vouches: true,
  });
  const proven = await createClientKey(context, 'staging', origin, shop.organization, {
    ...shared,
    name: 'Sandbox, customers proven',
    permissions,
  });
  const page = await createClientKey(context, 'staging', origin, shop.organization, {
    ...shared,
    name: 'Sandbox web shop',
    permissions: publishablePermissions,
    origins: sandboxOrigins,
  });
  return {
    organizationId: shop.organization,
    name,
    consumerKey,
    clientKey,
    provenClientKey: proven.clientKey,
    publishableKey: page.clientKey,
    origins: sandboxOrigins,
  };
}

/** The longest name of an organization has 200 characters. */
function sandboxName(integratorName: string): string {
  return `${integratorName.slice(0, 180)} (sandbox)`;
}

/** From now on the organization is a sandbox: its keys carry its clock, and may ask for faults. */
export async function knowAsSandbox(
  context: Context,
  origin: Origin,
  integratorId: number,
  { organization, staffId, specialCases }: FilledShop,
): Promise<void> {
  const nowMs = context.wallClock.now();
  await context.database.write(organization, async (tx) => {
    tx.queue(
      insertSandbox({
        integratorId,
        staffId,
        specialCases: JSON.stringify(specialCases),
        at: isoTimestamp(nowMs),
      }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'sandbox.created',
      subjectType: 'sandbox',
      subjectId: organization,
      payload: { organizationId: organization, integratorId },
    });
  });
}
