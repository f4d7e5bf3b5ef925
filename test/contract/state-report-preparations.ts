import { randomBytes } from 'node:crypto';
import { assert } from '../../src/kernel/assert.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import type { TestStaff } from '../harness/test-staff.ts';

/** A location of its own: each has one connection. */
async function connectionBody(owner: TestStaff) {
  const name = randomBytes(5).toString('hex');
  const { data } = await owner.call('POST', '/staff/v1/inventory-locations', { name, type: 'standard' });
  return {
    ...{ inventoryLocationId: data.id, state: 'CA', isSandbox: false, licenseNumber: 'TEST-R-0001' },
    ...{ userKey: 'the-key-of-the-user', isOn: false },
  };
}

/** A license whose state has no interface, with a filing that can be downloaded and uploaded. */
async function filingConnection(owner: TestStaff, state: 'WA' | 'VT') {
  const { userKey: _, ...body } = await connectionBody(owner);
  const license = { state, isSandbox: false, licenseNumber: '412345', isOn: false };
  const made = await owner.call('POST', '/staff/v1/state-connections', { ...body, ...license });
  assert(made.status === 201, `the connection of a contract test is refused: ${made.text}`);
  const path = `/staff/v1/state-connections/${made.data.id}`;
  const fileSettings = { submittedBy: 'sample', area: 'Sales Floor' };
  await owner.call('PUT', path, { ...license, adjustmentReason: null, fileSettings });
  const { data } = await owner.call('GET', `${path}/filing`);
  return { id: made.data.id as number, until: data.until as string, digest: data.digest as string };
}

/** A report of the shop that the state refused. It is written as a sale would write it; the shop's own orders are not reported. */
export async function refusedReport(service: TestService, shop: TestShop, owner: TestStaff): Promise<number> {
  const reply = await owner.call('POST', '/staff/v1/state-connections', await connectionBody(owner));
  assert(reply.status === 201, `the connection of a contract test is refused: ${reply.text}`);
  const id = await service.context.ids.takeOne();
  const at = new Date(service.clock.now()).toISOString();
  const payload = JSON.stringify({
    ...{ soldAt: '2026-03-10T11:00:00.000', soldAtUtc: at, alsoReadAs: null, customerType: 'Consumer' },
    lines: [{ label: '1A4FF0000000000000000001', quantity: '1', unit: 'Each', amountCents: 3_500 }],
  });
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `insert into state_reports (organization_id, id, connection_id, kind, order_id, order_number, revision, external_number,
            payload, digest, packages, state, next_at, occurred_at, alarm_at, created_at, updated_at)
     values ($1, $2, $3, 'sale', gen_random_uuid(), $2, 1, $4, $5, repeat('0', 64), '{}', 'refused', $6, $6, $6, $6, $6)`,
    ...[shop.organizationId, id, reply.data.id, `${id}-1-2`, payload, at],
  );
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `insert into state_receipts (organization_id, connection_id, state_record_id, is_void, is_final, read_at)
     values ($1, $2, $3, false, false, $4)`,
    ...[shop.organizationId, reply.data.id, id, at],
  );
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `insert into state_packages (organization_id, connection_id, label, place, quantity, unit, read_at)
     values ($1, $2, $3, 'ended', 0, 'Each', $4)`,
    ...[shop.organizationId, reply.data.id, `PACKAGE${id}`, at],
  );
  return id;
}

/** Reports of which the state has every second one. */
export async function addStateReports(service: TestService, shop: TestShop): Promise<void> {
  const owner = await service.staff(shop);
  for (let count = 0; count < 6; count += 1) {
    const id = await refusedReport(service, shop, owner);
    service.clock.advance(1_000);
    if (count % 2 === 0) continue;
    await tenantSql(
      service.context.database,
      shop.organizationId,
      "update state_reports set state = 'accepted', settled_at = updated_at where id = $1",
      id,
    );
  }
}

/** The answer to a receipt of the state that the shop did not report. */
async function answerOfDifference(service: TestService, shop: TestShop, owner: TestStaff) {
  const id = await refusedReport(service, shop, owner);
  const { data } = await owner.call('GET', '/staff/v1/state-differences');
  const found = data.find(({ stateRecordId }: { stateRecordId: number }) => stateRecordId === id);
  const { stateConnectionId, kind, theirs } = found;
  const answer = { answer: 'state-is-right', note: 'Typed by hand', ours: null };
  return { stateConnectionId, kind, subject: String(id), theirs, ...answer };
}

/** A transfer of one package whose goods are not known yet, and what they are. */
export async function transferToOrder(shop: TestShop, owner: TestStaff) {
  const label = randomBytes(12).toString('hex').toUpperCase();
  const row = { label, manifestNumber: label, initialAmount: '48', unit: 'Each' };
  const shipper = { shipperName: 'Tidewater Distribution', shipperLicenseNumber: 'C11-0000512-LIC' };
  const sent = { rows: [{ ...row, ...shipper }] };
  const { data } = await owner.call('POST', '/staff/v1/compliance-transfers', sent);
  const [{ id: complianceTransferId, packages }] = data.transfers;
  const goods = { productId: shop.productId('Moonlit Grove'), productOptionId: shop.optionId('eighth') };
  return { complianceTransferId, lineItems: [{ packageId: packages[0].id, ...goods }] };
}

type Tenant = { readonly shop: TestShop };

/** What operations on the state need before a request of theirs succeeds. */
export function statePreparations<Of extends Tenant>(
  memberOf: (service: TestService, tenant: Of) => Promise<TestStaff>,
) {
  const ofReport = async (service: TestService, tenant: Of) => ({
    params: { stateReportId: await refusedReport(service, tenant.shop, await memberOf(service, tenant)) },
  });
  return {
    createStateConnection: async (service: TestService, tenant: Of) => ({
      body: await connectionBody(await memberOf(service, tenant)),
    }),
    enterStateReportByHand: ofReport,
    sendStateReportAgain: ofReport,
    answerStateDifference: async (service: TestService, tenant: Of) => ({
      body: await answerOfDifference(service, tenant.shop, await memberOf(service, tenant)),
    }),
    ...Object.fromEntries(
      ['getStateFiling', 'takeStateReply', 'downloadStateFile'].map((id) => [
        id,
        async (service: TestService, tenant: Of) => {
          const { id: stateConnectionId } = await filingConnection(await memberOf(service, tenant), 'WA');
          return { params: { stateConnectionId, ...(id === 'downloadStateFile' && { fileType: 'Area' }) } };
        },
      ]),
    ),
    noteStateUpload: async (service: TestService, tenant: Of) => {
      const { id, until, digest } = await filingConnection(await memberOf(service, tenant), 'VT');
      return { params: { stateConnectionId: id }, body: { until, digest } };
    },
    orderComplianceTransfer: async (service: TestService, tenant: Of) => ({
      body: await transferToOrder(tenant.shop, await memberOf(service, tenant)),
    }),
  };
}
