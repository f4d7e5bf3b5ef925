import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { KeyPermission } from '../../kernel/permission-catalog.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { eventFeedOf } from '../../platform/events/event-feed.ts';
import { whyUnreachable } from '../../platform/http/public-address.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { readTypes } from '../changes/changes.ts';
import {
  assertCodesAlone,
  assertMayManage,
  assertReadsAll,
  codeEventType,
  takesCodes,
} from './code-endpoints.ts';
import {
  countWebhookEndpoints,
  deleteWebhookEndpointRow,
  enterWebhookOrganization,
  insertWebhookEndpoints,
  lockWebhookEndpoint,
  lockWebhookEndpointToDelete,
  rotateWebhookSecretRow,
  selectHasCodeEndpoint,
  selectKeyOfEndpoint,
  selectWebhookEndpoint,
  updateWebhookEndpointRow,
  type WebhookEndpointRow,
} from './webhook-queries.ts';
import { endpointsMax } from './webhook-schemas.ts';
import { makeSecret, rotationMs } from './webhook-secrets.ts';

/** What the writes of endpoints work with. */
export interface WebhookService {
  readonly context: Context;
  /** All types of events. */
  readonly eventTypes: readonly string[];
  /** The master keys; read when they are needed. */
  keys(): MasterKeys;
  /** WEBHOOK_HOSTS_ALLOWED: hosts that may be endpoints besides public ones. */
  readonly hostsAllowed?: readonly string[];
}

/** Who writes, where, and which endpoints: those of one integrator, or all (null). */
export interface WebhookManager {
  readonly origin: Origin;
  readonly organization: OrganizationId;
  readonly integratorId: number | null;
  /** Whether the manager is an owner, who alone decides who gets codes. */
  readonly mayCarryCodes: boolean;
  /** Those of the integrator's key; null: staff. */
  readonly permissions: ReadonlySet<KeyPermission> | null;
}

/**
 * Makes an endpoint that gets what happens from now on. The secret is in the result only. Fails with INVALID_PARAMS,
 * CLIENT_KEY_NOT_FOUND or WEBHOOK_ENDPOINT_LIMIT; here and below with INSUFFICIENT_PERMISSIONS if it gets codes and the
 * manager is no owner.
 */
export async function createWebhookEndpoint(
  { context, eventTypes, keys, hostsAllowed }: WebhookService,
  manager: WebhookManager,
  {
    clientKeyId,
    url,
    types,
  }: { readonly clientKeyId: number; readonly url: string; readonly types: readonly string[] },
): Promise<{ row: WebhookEndpointRow; secret: string }> {
  const { origin, organization } = manager;
  checkUrl(url, hostsAllowed);
  checkTypes(types, eventTypes, manager);
  const id = await context.ids.takeOne();
  const { text, sealed } = await makeSecret(keys(), context.randomBytes, organization, id);
  const { position } = await eventFeedOf(context.database).latest(organization);
  const nowMs = context.clock.now();
  const createdAt = isoTimestamp(nowMs);
  return context.database.write(organization, async (tx) => {
    const [[key]] = await tx.run(
      selectKeyOfEndpoint({ id: clientKeyId, at: createdAt }),
      enterWebhookOrganization({}),
    );
    if (key === undefined)
      throw failure('CLIENT_KEY_NOT_FOUND', 'clientKeyId names no client key that is good.');
    const [[counted], [codes]] = await tx.run(
      countWebhookEndpoints({ integratorId: key.integrator_id }),
      selectHasCodeEndpoint({}),
    );
    if (takesCodes(types) && codes!.has_one) {
      throw failure('WEBHOOK_ENDPOINT_LIMIT', 'The organization has an endpoint for codes already.');
    }
    if (counted!.count >= endpointsMax) {
      throw failure(
        'WEBHOOK_ENDPOINT_LIMIT',
        `The integrator has ${endpointsMax} webhook endpoints already.`,
      );
    }
    await tx.run(
      ...insertWebhookEndpoints([
        {
          id,
          integratorId: key.integrator_id,
          clientKeyId,
          url,
          types,
          enabled: true,
          secret: sealed.wrapped,
          secretMasterKeyId: sealed.masterKeyId,
          position,
          createdAt,
        },
      ]),
    );
    const [[row]] = await tx.run(selectWebhookEndpoint({ id, integratorId: null }));
    assert(row !== undefined, 'a new endpoint exists');
    await announce(tx, context, origin, nowMs, {
      event: 'webhook_endpoint.created',
      subjectType: 'webhook_endpoint',
      subjectId: id,
      payload: { webhookEndpointId: id, integratorId: key.integrator_id, clientKeyId },
      details: { webhookEndpointId: id, integratorId: key.integrator_id, clientKeyId, url, types },
    });
    return { row, secret: text };
  });
}

interface EndpointEdit {
  readonly url?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
}

/**
 * Changes the given fields. An endpoint that is enabled again continues where it stopped. Fails with INVALID_PARAMS or
 * WEBHOOK_ENDPOINT_NOT_FOUND.
 */
export async function updateWebhookEndpoint(
  { context, eventTypes, hostsAllowed }: WebhookService,
  manager: WebhookManager,
  id: number,
  edit: EndpointEdit,
): Promise<WebhookEndpointRow> {
  const { origin, organization, integratorId } = manager;
  if (edit.url !== undefined) checkUrl(edit.url, hostsAllowed);
  if (edit.types !== undefined) checkTypes(edit.types, eventTypes, manager);
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(lockWebhookEndpoint({ id, integratorId }));
    if (row === undefined) throw endpointNotFound();
    assertMayManage(manager, row.types);
    if (edit.url !== undefined) assertReadsAll(manager, row);
    if (edit.types !== undefined && takesCodes(edit.types) !== takesCodes(row.types)) {
      throw failure(
        'INVALID_PARAMS',
        `types cannot change between ${codeEventType} and other events: make another endpoint.`,
      );
    }
    const before = { url: row.url, types: row.types, enabled: row.enabled };
    const after = {
      url: edit.url ?? row.url,
      types: [...(edit.types ?? row.types)],
      enabled: edit.enabled ?? row.enabled,
    };
    const changes = changesOf(before, after);
    if (changes === null) return row;
    const beginsAnew = after.enabled && !row.enabled;
    const failing = {
      failing_since: beginsAnew ? null : row.failing_since,
      switched_off_at: beginsAnew ? null : row.switched_off_at,
      switched_off_reason: beginsAnew ? null : row.switched_off_reason,
    };
    tx.queue(
      updateWebhookEndpointRow({
        id,
        ...after,
        failingSince: failing.failing_since === null ? null : isoTimestamp(failing.failing_since),
        switchedOffAt: failing.switched_off_at === null ? null : isoTimestamp(failing.switched_off_at),
      }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'webhook_endpoint.updated',
      subjectType: 'webhook_endpoint',
      subjectId: id,
      payload: { webhookEndpointId: id, enabled: after.enabled },
      details: { webhookEndpointId: id, ...changes },
    });
    return { ...row, ...after, ...failing };
  });
}

/** Deleting it again changes nothing. Fails with WEBHOOK_ENDPOINT_NOT_FOUND. */
export async function deleteWebhookEndpoint(
  { context }: WebhookService,
  manager: WebhookManager,
  id: number,
): Promise<void> {
  const { origin, organization, integratorId } = manager;
  const nowMs = context.clock.now();
  await context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(lockWebhookEndpointToDelete({ id, integratorId }));
    if (row === undefined) throw endpointNotFound();
    assertMayManage(manager, row.types);
    if (row.deleted_at !== null) return;
    tx.queue(deleteWebhookEndpointRow({ id, at: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: 'webhook_endpoint.deleted',
      subjectType: 'webhook_endpoint',
      subjectId: id,
      payload: { webhookEndpointId: id },
      details: { webhookEndpointId: id, url: row.url },
    });
  });
}

/**
 * Gives the endpoint a new secret; the previous one signs too for 24 hours. The secret is in the result only. Fails with
 * WEBHOOK_ENDPOINT_NOT_FOUND.
 */
export async function rotateWebhookSecret(
  { context, keys }: WebhookService,
  manager: WebhookManager,
  id: number,
): Promise<{ row: WebhookEndpointRow; secret: string }> {
  const { origin, organization, integratorId } = manager;
  const { text, sealed } = await makeSecret(keys(), context.randomBytes, organization, id);
  const nowMs = context.clock.now();
  const formerEndsAtMs = nowMs + rotationMs;
  return context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(lockWebhookEndpoint({ id, integratorId }));
    if (row === undefined) throw endpointNotFound();
    assertMayManage(manager, row.types);
    const previousEndsAt = isoTimestamp(formerEndsAtMs);
    tx.queue(
      rotateWebhookSecretRow({
        id,
        secret: sealed.wrapped,
        secretMasterKeyId: sealed.masterKeyId,
        formerEndsAt: previousEndsAt,
      }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'webhook_endpoint.secret_rotated',
      subjectType: 'webhook_endpoint',
      subjectId: id,
      payload: { webhookEndpointId: id, previousEndsAt },
    });
    return { row: { ...row, former_secret_ends_at: formerEndsAtMs }, secret: text };
  });
}

/** The refusal of an id that names no endpoint of the caller. */
export function endpointNotFound() {
  return failure('WEBHOOK_ENDPOINT_NOT_FOUND', 'There is no such webhook endpoint.');
}

/** An address that nothing can be sent to is refused here, not after five days of attempts. */
function checkUrl(text: string, hostsAllowed: readonly string[] = []): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw failure(
      'INVALID_PARAMS',
      'url must be an http or https address, such as https://hooks.example.com/shop.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw failure('INVALID_PARAMS', 'url must be an address without a user name or password.');
  }
  const why = whyUnreachable(text, { hostsAllowed });
  if (why !== null) throw failure('INVALID_PARAMS', `url ${why}`);
}

function checkTypes(types: readonly string[], known: readonly string[], manager: WebhookManager): void {
  const isOfStaff = manager.integratorId === null;
  if (isOfStaff) {
    assertMayManage(manager, types);
    assertCodesAlone(types);
  }
  for (const type of types) {
    if (isOfStaff && type === codeEventType) continue;
    if (type.includes(',') || 'unknown' in readTypes(type, known)) {
      throw failure(
        'INVALID_PARAMS',
        `types names "${type.slice(0, 100)}", which is no event. See contract/events.json.`,
      );
    }
  }
}
