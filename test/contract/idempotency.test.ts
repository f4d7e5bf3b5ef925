import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/platform/http/endpoint.ts';
import { takesIdempotencyKey } from '../../src/platform/http/idempotency-key.ts';
import { keyHeaders, startOwnTestService, type TestReply } from '../harness/test-service.ts';
import { bearerHeader } from '../harness/test-staff.ts';
import { openWitness } from '../harness/witness.ts';
import {
  type ContractRequest,
  createTenant,
  documentBody,
  makeRoom,
  pathOf,
  send,
  validRequest,
} from './contract-world.ts';
import { KilledBeforeReply } from './killed-before-reply.ts';
import { replyFaults } from './reply-schema.ts';
import { createStaffTenant, memberOf, staffRequest } from './staff-world.ts';

/*
 * The promises of Idempotency-Key (D63) for every operation that takes it. One process is killed between commit and
 * reply of each operation; another process gets all other requests.
 */

const dataFolder = mkdtempSync(join(tmpdir(), 'dispensary-idempotency-'));
const documentMasterKey = randomBytes(32);
const service = await startOwnTestService({ dataFolder, documentMasterKeys: [documentMasterKey] });
const [ofIntegrators, ofStaff] = [await createTenant(service), await createStaffTenant(service)];
const { token } = await memberOf(service, ofStaff);
const witness = await openWitness(service.database);
const endpoints: readonly AnyEndpoint[] = [...service.endpoints, ...service.staffEndpoints];
const keyed = endpoints.filter(takesIdempotencyKey);

const credentialsOf = (endpoint: AnyEndpoint) =>
  'audience' in endpoint ? bearerHeader(token) : keyHeaders(ofIntegrators.shop.keys);

async function requestOf(endpoint: AnyEndpoint): Promise<ContractRequest> {
  if ('audience' in endpoint) return staffRequest(service, endpoint, ofStaff);
  await makeRoom(service, endpoint, ofIntegrators);
  return validRequest(endpoint, ofIntegrators);
}

const ask = (
  endpoint: AnyEndpoint,
  request: ContractRequest,
  key: string,
  requestId: string = randomUUID(),
) =>
  send(service, endpoint, request, {
    headers: { ...credentialsOf(endpoint), 'idempotency-key': key, 'x-request-id': requestId },
  });

/** Different bodies for operations whose valid requests are all equal in these tests. */
const otherBodies: Readonly<Record<string, Partial<ContractRequest>>> = {
  createGiftCard: { body: { amount: 1, paymentTypeId: 1, registerId: 1 } },
  createTrip: { body: { driverId: 1, vehicleId: 1 } },
  loadGiftCard: { body: { amount: 1, paymentTypeId: 1, registerId: 1 } },
  cashOutGiftCard: { body: { paymentTypeId: 1, registerId: 1 } },
  markDutyDone: { body: { duty: 'receipts' } },
  setDuties: { body: { saleHours: null, overrides: [] } },
  replaceProductOptions: { body: { options: [{ amount: 1, price: 100 }] } },
  addCustomerToGroup: { body: { emailOrPhone: 'another@customers.example.com' } },
  removeCustomerFromGroup: { body: { emailOrPhone: 'another@customers.example.com' } },
  uploadCustomerDocument: { body: { ...documentBody, documentMime: 'image/jpeg' } },
  cancelOwnOrder: { body: { reason: 'Another reason' } },
  cancelPageOrder: { body: { reason: 'Another reason' } },
  playSandboxOrder: { body: { action: 'cancel' } },
  setSandboxClock: { body: { now: null, stands: false } },
  requestCustomerCode: { body: { email: 'another@customers.example.com' } },
  createWebhookEndpoint: { body: { url: 'https://hooks.example.com/another' } },
  updateWebhookEndpoint: { body: { url: 'https://hooks.example.com/another' } },
  identifyCustomerByLicense: {
    body: {
      ...{ issuer: '636014', number: 'D7654321', firstName: 'Marisol', lastName: 'Okafor' },
      ...{ birthday: '1988-02-29', expiry: '2029-02-28' },
    },
  },
  sendWebhooksSince: { body: { cursor: '1-1' } },
  staffCreateWebhookEndpoint: { body: { clientKeyId: 1, url: 'https://hooks.example.com/another' } },
  applyTaxPreset: { body: { state: 'CA' } },
  updateShopProfile: { body: { address: null } },
  mapMoveFile: {
    body: {
      mapping: {
        preset: 'flat-variants',
        columns: [{ column: 'email', rules: [{ field: 'email' }] }],
        constants: [],
      },
    },
  },
  runMoveFile: { body: { dryRun: false } },
  uploadMoveFile: { body: Buffer.from('firstName,lastName,email\nNoor,Quill,noor@customers.example.com\n') },
  staffUploadMenu: { body: Buffer.from('Item,Type,Size,Price\nFog,Flower,1g,$11.00\n') },
  staffMapMenuImport: { body: { mapping: null } },
  staffRunMenuImport: { body: { mode: 'add', dryRun: true } },
  uploadShopLogo: { body: Buffer.from('another picture') },
  setOfflineSaleSettings: {
    body: { shop: { isOn: true, hoursMax: 5, saleMax: 1, outageMax: 1 }, locations: [] },
  },
  setIdentityProvider: {
    body: {
      ...{ issuer: 'https://login.example.com', client: 'console', clientSecret: 'another secret' },
      ...{ emailDomains: ['example.com'], secondFactor: 'never' },
    },
  },
  beginMove: { body: { till: 'Another till' } },
  signMoveCheck: { body: { check: 'rows', note: 'Another note' } },
  stepMove: { body: { step: 'thaw' } },
  setLoyaltyProgram: { body: { pointsPerDollar: '2' } },
};

const hasVariants = (endpoint: AnyEndpoint) =>
  endpoint.body !== undefined || 'bodyFile' in endpoint || endpoint.path.includes('{');

const unanswered = new Map<AnyEndpoint, { readonly request: ContractRequest; readonly key: string }>();

beforeAll(async () => {
  const mortal = await KilledBeforeReply.start({
    connection: service.database.serving,
    dataDir: dataFolder,
    documentMasterKey: documentMasterKey.toString('base64'),
    nowMs: service.clock.now(),
  });
  for (const endpoint of keyed) {
    const request = await requestOf(endpoint);
    const key = randomUUID();
    const search = new URLSearchParams(request.query as Record<string, string>).toString();
    const isFile = Buffer.isBuffer(request.body);
    const type = isFile ? (endpoint as { bodyFile?: string[] }).bodyFile![0]! : 'application/json';
    await mortal.leaveUnanswered(`${pathOf(endpoint, request.params)}${search && `?${search}`}`, {
      method: endpoint.method,
      headers: {
        ...credentialsOf(endpoint),
        ...(request.body !== undefined && { 'content-type': type }),
        'idempotency-key': key,
      },
      ...(request.body !== undefined && {
        body: isFile ? new Uint8Array(request.body as Buffer) : JSON.stringify(request.body),
      }),
    });
    unanswered.set(endpoint, { request, key });
  }
  await mortal.kill();
}, 120_000);
afterAll(async () => {
  await witness.end();
  await service.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

describe.each(keyed.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  const faultsOf = replyFaults(endpoint);
  const { organizationId } = ('audience' in endpoint ? ofStaff : ofIntegrators).shop;
  const shown = ({ status, text, headers }: TestReply) => [status, text, headers['idempotent-replayed']];

  test('is done once, also if its reply is lost', async () => {
    const { request, key } = unanswered.get(endpoint)!;
    const before = await witness.contents(organizationId);
    const afterKill = await ask(endpoint, request, key);
    expect([afterKill.status, afterKill.headers['idempotent-replayed']]).toEqual([
      endpoint.success.status,
      'true',
    ]);
    expect(faultsOf(afterKill.text === '' ? undefined : JSON.parse(afterKill.text))).toEqual([]);
    expect(shown(await ask(endpoint, request, key))).toEqual(shown(afterKill));
    expect(await witness.contents(organizationId)).toEqual(before);

    const another = await requestOf(endpoint);
    const beforeReuse = await witness.contents(organizationId);
    const reused = await ask(endpoint, { ...another, ...otherBodies[endpoint.id] }, key);
    // Without a body and parameters there is no other request.
    const refused = hasVariants(endpoint)
      ? [422, 'IDEMPOTENCY_KEY_REUSED']
      : [endpoint.success.status, undefined];
    expect([reused.status, reused.error?.code]).toEqual(refused);
    expect(await witness.contents(organizationId)).toEqual(beforeReuse);

    const requestIds = [randomUUID(), randomUUID()];
    const freshKey = randomUUID();
    const atOnce = await Promise.all(requestIds.map((id) => ask(endpoint, another, freshKey, id)));
    expect(atOnce.map(({ status, error }) => [status, error])).toEqual(
      atOnce.map(() => [endpoint.success.status, undefined]),
    );
    expect(atOnce[0]!.text).toBe(atOnce[1]!.text);
    expect(atOnce.map(({ headers }) => headers['idempotent-replayed'] ?? 'false').toSorted()).toEqual([
      'false',
      'true',
    ]);
    const authors = await witness.query(
      'select distinct request_id from audit_entries where request_id = any($1)',
      [requestIds],
      organizationId,
    );
    expect(authors.length).toBeLessThanOrEqual(1);
  });
});
