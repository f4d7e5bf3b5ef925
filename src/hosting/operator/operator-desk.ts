/**
 * Front door of the operator's page: what the commands of docs/OFFBOARDING.md do, for a browser. It is at the port of the metrics, and
 * everything but the page itself asks for the operator's key. Owns no table.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import {
  endOrganization,
  listOrganizations,
  resumeOrganization,
  standingOf,
  suspendOrganization,
} from '../../access/organizations/organizations.ts';
import type { Environment } from '../../kernel/api-keys.ts';
import { failure } from '../../kernel/failure.ts';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { withSession } from '../../platform/connections/with-session.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { ConnectionConfig, Database } from '../../platform/database/database.ts';
import { errorReply, noSuchPath } from '../../platform/http/error-replies.ts';
import type { SideHandler } from '../../platform/http/metrics.ts';
import { discardBody } from '../../platform/http/request-body.ts';
import { newRequestId } from '../../platform/http/request-context.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { type EncryptionLock, encryptedFor } from '../../platform/storage/encrypted-stream.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import {
  announceMoveOut,
  endAfter,
  exportOrganization,
  graceDays,
  opensAfterImport,
  shownStanding,
  takeInOrganization,
  UnfitArchive,
} from '../organization-moves/organization-moves.ts';
import type { VerifyOrganization } from '../organization-moves/take-in-organization.ts';
import { archiveKey, arrivingArchive } from './arriving-archive.ts';
import { operatorFiles } from './operator-page.ts';
import {
  type Asked,
  type DeskLimits,
  deskLimits,
  importPath,
  OperatorGate,
  operatorPath,
  readAsked,
} from './operator-requests.ts';

interface Desk {
  /** The value of OPERATOR_KEY. */
  readonly key: string;
  /** The address that the port listens at. */
  readonly host: string;
  readonly context: Context;
  /** Access as the operator, who can list organizations. */
  readonly operator: Database;
  /** The login that reads and writes whole tables, for one session while an archive is written or comes in. */
  readonly tables: ConnectionConfig;
  /** Which integrators' keys are made. */
  readonly environment: Environment;
  readonly verify: VerifyOrganization;
  readonly documents: SealedFiles;
  readonly photos: BlobStore;
  /** For whom archives are encrypted, as the command's are. */
  readonly lock: EncryptionLock | undefined;
  readonly logger: Logger;
  readonly limits?: DeskLimits;
}

/** Answers what is asked below `/operator`. */
export function operatorDesk(desk: Desk): SideHandler {
  const gate = new OperatorGate(desk);
  const archives = { isWriting: false };
  return {
    path: operatorPath,
    slowPath: importPath,
    handle: async (request, response) => {
      const requestId = newRequestId();
      response.setHeader('x-request-id', requestId);
      response.setHeader('x-content-type-options', 'nosniff');
      response.setHeader('cache-control', 'no-store');
      try {
        await answer({ desk, gate, archives, requestId }, request, response);
      } catch (thrown) {
        refuse(desk.logger.child({ requestId }), request, response, thrown);
      }
    },
  };
}

interface Visit {
  readonly desk: Desk;
  readonly gate: OperatorGate;
  readonly archives: { isWriting: boolean };
  readonly requestId: string;
}

async function answer(visit: Visit, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { desk, gate } = visit;
  const [path] = request.url!.split('?', 1) as [string];
  gate.requireKnownHost(request);
  const file = operatorFiles[path];
  if (file !== undefined) {
    gate.requireMethod(request, response, 'GET');
    response.writeHead(200, file.headers).end(file.text);
    return;
  }
  const asked = readAsked(path);
  if (asked === null) throw noSuchPath();
  gate.requireKey(request, response);
  gate.requireMethod(request, response, asked.operation === 'list' ? 'GET' : 'POST');
  if (asked.operation === 'list') return sendJson(response, await listed(desk));
  if (asked.operation === 'import') return takeIn(visit, request, response);

  const body = await gate.readBody(request, response, asked.operation);
  const organization = await existing(desk, asked.id);
  const origin = originOf(visit, asked.operation, body, organization);
  if (asked.operation === 'export') return sendArchive(visit, response, organization, origin);
  const standing = await changed(desk, asked.operation, organization, origin, body);
  sendJson(response, shownStanding(organization, standing));
}

/** Says who does it, for the audit log, and notes in the log that it is done. */
function originOf(
  { desk, requestId }: Visit,
  operation: string,
  { by, reason }: Asked,
  organization?: OrganizationId,
): Origin {
  const command = `page: organization ${operation}`;
  desk.logger.info({ requestId, organizationId: organization, command }, 'operator');
  return {
    ...{ actor: 'job:operator', requestId },
    operator: { account: by.trim(), command, ...(reason !== undefined && { reason: reason.trim() }) },
  };
}

function refuse(
  logger: Pick<Logger, 'error' | 'warn'>,
  request: IncomingMessage,
  response: ServerResponse,
  thrown: unknown,
): void {
  const { status, text, isFault } = errorReply(thrown);
  if (response.headersSent) {
    // A cut connection tells the browser that the file is not whole.
    response.destroy();
    logger.warn({ err: thrown }, 'an archive was not read to its end');
    return;
  }
  if (isFault) logger.error({ err: thrown }, 'a request of the operator failed');
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  const isKnown = response.getHeader('www-authenticate') === undefined;
  // The rest of a body is not waited for; but a browser reads no reply while it sends an archive.
  if (isKnown) discardBody(request);
  else response.shouldKeepAlive = false;
  response.end(text);
}

function sendJson(response: ServerResponse, data: object): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ data }));
}

async function listed({ operator }: Desk) {
  return (await listOrganizations(operator)).map((row) => ({
    ...shownStanding(organizationId(row.id), {
      ...{ name: row.name, suspendedAtMs: row.suspended_at, because: row.suspended_because },
      endsAtMs: row.ends_at,
    }),
    state: row.state,
  }));
}

async function existing({ operator }: Desk, id: number): Promise<OrganizationId> {
  const rows = await listOrganizations(operator);
  if (!rows.some((row) => row.id === id)) {
    throw failure('ROUTE_NOT_FOUND', `There is no organization ${id}.`);
  }
  return organizationId(id);
}

/** The same functions as of the commands. Asked twice, each does it once. */
async function changed(
  { context }: Desk,
  operation: 'suspend' | 'resume' | 'delete',
  organization: OrganizationId,
  origin: Origin,
  { name, afterDays }: Asked,
) {
  if (operation === 'suspend') return suspendOrganization(context, origin, organization);
  const before = await standingOf(context, organization);
  if (operation === 'resume') {
    const opensAtMs = opensAfterImport(before, context.clock.now());
    if (opensAtMs === null) return resumeOrganization(context, origin, organization);
    throw failure(
      'SERVICE_UNAVAILABLE',
      `It came in while the service runs: resume it from ${isoTimestamp(opensAtMs)} on.`,
    );
  }
  if (name !== before.name) {
    throw failure('INVALID_PARAMS', `name must be that of organization ${organization}: ${before.name}`);
  }
  return endOrganization(context, origin, organization, endAfter(context, afterDays ?? graceDays.usual));
}

/** Takes in what the command takes, as it arrives, and replies with the new keys: these are in no log. */
async function takeIn(visit: Visit, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { context, environment, tables, documents, photos, lock, verify, logger, limits } = visit.desk;
  const asked = visit.gate.readImport(request);
  const origin = originOf(visit, 'import', asked);
  const { lines, data } = await takeInOrganization({
    ...{ context, environment, origin, tables, documents, photos, verify },
    archive: arrivingArchive(request, limits ?? deskLimits),
    key: () => archiveKey(asked.key, lock),
    assertAwaited: () => {
      if (request.socket.destroyed)
        throw failure(
          'INVALID_PARAMS',
          'The connection broke before the keys could be shown: nothing came in.',
        );
    },
  }).catch((error: Error) => {
    logger.warn({ requestId: visit.requestId, err: error }, 'an archive was not taken in');
    if (error instanceof UnfitArchive) throw failure('INVALID_PARAMS', `Nothing came in: ${error.message}`);
    throw error;
  });
  logger.info({ requestId: visit.requestId, organizationId: data.organizationId }, 'an archive was taken in');
  sendJson(response, { ...data, lines });
}

/** The archive that the command writes, encrypted if that is. One at a time: each holds a session and a transaction of the database. */
async function sendArchive(
  { desk, archives }: Visit,
  response: ServerResponse,
  organization: OrganizationId,
  origin: Origin,
): Promise<void> {
  if (archives.isWriting) {
    throw failure('SERVICE_UNAVAILABLE', 'Another archive is being written: wait until it is done.');
  }
  archives.isWriting = true;
  const { context, documents, photos, lock } = desk;
  try {
    await announceMoveOut(context, origin, organization);
    await withSession(desk.tables, async (client) => {
      const nowMs = context.clock.now();
      const { archive, sums } = exportOrganization({ client, organization, documents, photos, nowMs });
      const content = lock === undefined ? archive : await encryptedFor(archive, lock);
      const name = `organization-${organization}.tar${lock === undefined ? '' : '.age'}`;
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${name}"`,
      });
      response.setTimeout((desk.limits ?? deskLimits).idleMs, () => response.destroy());
      await pipeline(content, response);
      await sums;
    });
  } finally {
    archives.isWriting = false;
  }
}
