import { digestOf, displayPrefixOf, type Environment, makeKey } from '../../kernel/api-keys.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { type KeyPermission, type Permission, wholeOf } from '../../kernel/permission-catalog.ts';
import { isWebOrigin, webOriginWords } from '../../kernel/web-origin.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { NonBlankText, WholeNumber } from '../../platform/http/schemas.ts';
import { insertClientKeyDigests, insertClientKeys } from './client-key-queries.ts';
import { findIntegrator } from './integrator-queries.ts';

/** What the fields of a client key take, in the interface and in the operator's command. */
export const clientKeyFields = {
  name: NonBlankText({ max: 200 }),
  /** D10; a higher rate is no limit in practice. */
  requestsPerSecond: WholeNumber({ min: 1, max: 1_000_000 }),
  /** D67. */
  originsMax: 20,
} as const;

interface NewClientKey {
  readonly integratorId: number;
  readonly name: string;
  readonly permissions: readonly KeyPermission[];
  /** Milliseconds since the epoch; null: does not expire. */
  readonly expiresAtMs: number | null;
  /** Addresses and ranges that may use the key; default: any. */
  readonly allowedAddresses?: readonly string[];
  /** D67: makes the key publishable, for the web pages of these origins; default: a secret key. */
  readonly origins?: readonly string[];
  /** D62; default: false, and always for a publishable key. */
  readonly vouches?: boolean;
  /** D5; default: on for staging. */
  readonly strict?: boolean;
  /** D10; default: 4 for the menu group and 15 for everything else. */
  readonly requestsPerSecond?: { readonly menu?: number; readonly other?: number };
}

/** What a publishable key can be allowed: it calls no other operation anyway (D67). */
export const publishablePermissions = ['create-orders', 'menu'] as const satisfies readonly Permission[];

/** Why origins or permissions do not make a publishable key; null: they do. Names are those of the staff interface. */
export function publishableProblem(
  origins: readonly string[],
  permissions: readonly KeyPermission[],
): string | null {
  if (origins.length === 0) return 'origins must name at least one origin for a publishable key.';
  const strange = origins.findIndex((text) => !isWebOrigin(text));
  if (strange !== -1) return `origins[${strange}] must be ${webOriginWords}.`;
  const allowed: readonly Permission[] = publishablePermissions;
  const excess = permissions.find((permission) => !allowed.includes(wholeOf(permission)));
  if (excess === undefined) return null;
  return `permissions must be some of ${allowed.join(', ')} for a publishable key, not ${excess}.`;
}

/**
 * Creates a client key: an organization's key for one integrator (D7), publishable if it has origins (D67). The key is
 * in the result only. Fails with INVALID_PARAMS for an unknown integrator.
 */
export async function createClientKey(
  context: Context,
  environment: Environment,
  origin: Origin,
  organization: OrganizationId,
  settings: NewClientKey,
): Promise<{ id: number; clientKey: string }> {
  const integrators = await context.database.global(findIntegrator({ id: settings.integratorId }));
  if (integrators.length === 0) {
    throw failure('INVALID_PARAMS', `integratorId is unknown: ${settings.integratorId}`);
  }
  const origins = [...new Set(settings.origins)];
  const vouches = settings.vouches === true && origins.length === 0;
  const clientKey = makeKey(origins.length === 0 ? 'dck' : 'dcp', environment, context.randomBytes);
  const id = await context.ids.takeOne();
  const nowMs = context.clock.now();
  await context.database.write(organization, async (tx) => {
    tx.queue(
      ...insertClientKeys([
        {
          id,
          integratorId: settings.integratorId,
          name: settings.name,
          keyPrefix: displayPrefixOf(clientKey),
          permissions: settings.permissions,
          strict: settings.strict ?? environment === 'staging',
          menuRequestsPerSecond: settings.requestsPerSecond?.menu ?? null,
          otherRequestsPerSecond: settings.requestsPerSecond?.other ?? null,
          allowedAddresses: settings.allowedAddresses ?? [],
          origins,
          vouches,
          expiresAt: settings.expiresAtMs === null ? null : new Date(settings.expiresAtMs).toISOString(),
          createdAt: new Date(nowMs).toISOString(),
        },
      ]),
      ...insertClientKeyDigests([{ digest: digestOf(clientKey), clientKeyId: id }]),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'client_key.created',
      subjectType: 'client_key',
      subjectId: id,
      payload: { clientKeyId: id, integratorId: settings.integratorId, permissions: settings.permissions },
      details: {
        ...{ clientKeyId: id, integratorId: settings.integratorId, permissions: settings.permissions },
        ...(origins.length > 0 ? { origins } : { customers: vouches ? 'vouched' : 'proven' }),
      },
    });
  });
  return { id, clientKey };
}
