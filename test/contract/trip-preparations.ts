import { randomBytes } from 'node:crypto';
import { assert } from '../../src/kernel/assert.ts';
import type { StaffRole } from '../../src/kernel/staff-roles.ts';
import type { TestService } from '../harness/test-service.ts';
import { deliveryBody } from '../harness/test-shop.ts';
import type { TestStaff } from '../harness/test-staff.ts';
import type { Tenant } from './contract-world.ts';
import type { Preparation } from './factor-preparations.ts';

type MemberOf = (service: TestService, tenant: Tenant, role?: StaffRole) => Promise<TestStaff>;

/** Ids of a stop and of an act that was not taken. */
export async function tripIds(memberOf: MemberOf, service: TestService, tenant: Tenant) {
  const of = tripPreparations(memberOf);
  const request = { params: {}, query: {}, body: undefined };
  const { params } = await of.loadTrip!(service, tenant, request);
  const { params: act } = await of.settleUnsentAct!(service, tenant, { ...request, params: params! });
  return { stopId: Number(params!.stopId), unsentActId: Number(act!.unsentActId) };
}

/** What operations on vehicles, drivers and trips require. */
export function tripPreparations(memberOf: MemberOf): Readonly<Record<string, Preparation>> {
  const post = async (service: TestService, tenant: Tenant, path: string, body: object, method = 'POST') => {
    const { call } = await memberOf(service, tenant);
    const reply = await call(method as 'POST', `/staff/v1/${path}`, body);
    assert(reply.error === undefined, () => `${path} of a contract test is refused: ${reply.text}`);
    return reply.data;
  };
  const vehiclePlace = async (service: TestService, tenant: Tenant): Promise<number> =>
    (
      await post(service, tenant, 'inventory-locations', {
        name: randomBytes(4).toString('hex'),
        type: 'vehicle',
      })
    ).id;

  const vehicle = { name: 'Blue van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit' };

  /** An open delivery whose buyer is that of the example. */
  const delivery = async (service: TestService, tenant: Tenant): Promise<string> => {
    const { shop } = tenant;
    const body = deliveryBody(shop, {
      lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 2 }],
      customer: {
        ...{ firstName: 'Marisol', lastName: 'Okafor', birthday: '1988-02-29' },
        email: `${randomBytes(5).toString('hex')}@people.example.com`,
      },
      payments: [{ paymentTypeId: shop.paymentTypeId('Debit'), remaining: true }],
    });
    const placed = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    assert(placed.error === undefined, () => `the delivery of a contract test is refused: ${placed.text}`);
    if (placed.data.status === 'draft') await post(service, tenant, `orders/${placed.data.id}/accept`, {});
    return placed.data.id;
  };

  /** A trip with a vehicle and a stop of its own, after some acts. */
  const after =
    (...acts: readonly string[]): Preparation =>
    async (service, tenant) => {
      const inventoryLocationId = await vehiclePlace(service, tenant);
      const { id: vehicleId } = await post(service, tenant, 'vehicles', { ...vehicle, inventoryLocationId });
      const driverId = Number(tenant.ids.driverId);
      const { id: tripId } = await post(service, tenant, 'trips', { driverId, vehicleId });
      const orderIds = [await delivery(service, tenant)];
      const { stops } = await post(service, tenant, `trips/${tripId}/stops`, { orderIds }, 'PUT');
      for (const act of acts) await post(service, tenant, `trips/${tripId}/${act}`, {});
      return { params: { tripId, stopId: stops[0].id } };
    };

  const withAct: Preparation = async (service, tenant, { params }) => {
    const act = { kind: 'deliver', stopId: null, occurredAt: '2026-03-10T18:05:09.123Z' };
    const body = { ...act, refusal: 'The order was canceled', act: '{}' };
    const { unsentActs } = await post(service, tenant, `trips/${params.tripId}/unsent-acts`, body);
    return { params: { ...params, unsentActId: unsentActs.at(-1).id } };
  };

  return {
    createVehicle: async (service, tenant) => ({
      body: { ...vehicle, inventoryLocationId: await vehiclePlace(service, tenant) },
    }),
    createDriver: async (service, { shop }) => ({
      body: { staffId: (await service.staff(shop, 'budtender')).staffId, sharesPosition: true },
    }),
    setTripStops: async (service, tenant) => ({ body: { orderIds: [await delivery(service, tenant)] } }),
    loadTrip: after(),
    unloadTrip: after('load'),
    restockTrip: async (service, tenant, given) => ({
      ...(await after('load', 'depart')(service, tenant, given)),
      body: { orderIds: [await delivery(service, tenant)] },
    }),
    departTrip: after('load'),
    returnTrip: after('load', 'depart'),
    setTripPosition: after('load', 'depart'),
    clearTripPosition: async (service, tenant, given) => {
      const prepared = await after('load', 'depart')(service, tenant, given);
      const here = { latitude: 37.8044, longitude: -122.2712 };
      await post(service, tenant, `trips/${prepared.params!.tripId}/position`, here);
      return prepared;
    },
    arriveAtStop: after('load', 'depart'),
    deliverAtStop: after('load', 'depart'),
    refuseStop: after('load', 'depart'),
    leaveStop: after('load', 'depart'),
    closeTrip: after('load', 'depart', 'return'),
    settleUnsentAct: withAct,
  };
}
