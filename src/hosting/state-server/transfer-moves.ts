import type { ShippedPackage, StatePackage, Transfer } from './state-models.ts';
import { RefusedRow } from './state-refusals.ts';
import type { StateWorld } from './state-world.ts';

/* What suppliers and shops do with transfers on the state's website. */

/** Ships active packages of one license to another one. Returns the transfer. */
export function shipPackages(
  world: StateWorld,
  labels: readonly string[],
  to: { readonly license: string; readonly typeName: string; readonly price: number | null },
): Transfer {
  const packages = labels.map((label): StatePackage => {
    const found = world.packages.all().find((it) => it.label === label);
    if (found === undefined || found.isInTransit) throw new RefusedRow(`Package ${label} cannot be shipped.`);
    return world.packages.change(found.id, { isInTransit: true, isUsed: true });
  });
  const shipper = world.facility(packages[0]?.license ?? '');
  if (shipper === undefined) throw new RefusedRow('Name at least one package.');
  const id = world.nextId();
  return world.transfers.put({
    ...{ id, license: to.license, deliveryId: world.nextId(), typeName: to.typeName, extra: {} },
    manifest: String(1_000_000 + id).padStart(10, '0'),
    ...{ shipperLicense: shipper.license, shipperName: `${shipper.name} LLC` },
    packages: packages.map(
      (it): ShippedPackage => ({
        ...{ packageId: it.id, label: it.label, itemId: it.itemId, quantity: it.quantity, unit: it.unit },
        ...{ state: 'Shipped', received: null, shipperPrice: to.price, receiverPrice: null },
      }),
    ),
    ...{ isVoided: false, isRejected: false, createdMs: world.nowMs(), receivedMs: null },
  });
}

/** What a shop accepts, by label; null: the package is rejected. Packages that are not named are accepted whole. */
export type Acceptance = Readonly<Record<string, number | null>>;

/** Accepts a transfer that is under way. Returns its id. Fails with a RefusedRow. */
export function acceptTransfer(world: StateWorld, it: Transfer, accepted: Acceptance): number {
  if (it.isVoided || it.receivedMs !== null) throw new RefusedRow(`Transfer ${it.id} is not under way.`);
  const packages = it.packages.map((shipped): ShippedPackage => {
    const received = Object.hasOwn(accepted, shipped.label) ? accepted[shipped.label]! : shipped.quantity;
    if (received === null) {
      world.packages.change(shipped.packageId, { isInTransit: false });
      return { ...shipped, state: 'Rejected', received: 0 };
    }
    world.packages.change(shipped.packageId, {
      ...{ license: it.license, isInTransit: false, quantity: received, originalQuantity: received },
      placeId: world.places.all(it.license)[0]?.id ?? null,
      isUsed: false,
      reception: {
        ...{ atMs: world.nowMs(), manifest: it.manifest },
        ...{ fromLicense: it.shipperLicense, fromName: it.shipperName },
      },
    });
    return { ...shipped, state: 'Accepted', received, receiverPrice: shipped.shipperPrice };
  });
  const isRejected = packages.every(({ state }) => state === 'Rejected');
  return world.transfers.change(it.id, { packages, isRejected, receivedMs: world.nowMs() }).id;
}

/** Sends accepted packages of a transfer back to the shipper. Returns its id. */
export function returnTransfer(world: StateWorld, it: Transfer, labels: readonly string[]): number {
  const packages = it.packages.map((shipped): ShippedPackage => {
    if (shipped.state !== 'Accepted' || !labels.includes(shipped.label)) return shipped;
    world.packages.change(shipped.packageId, { license: it.shipperLicense, reception: null });
    return { ...shipped, state: 'Returned' };
  });
  return world.transfers.change(it.id, { packages }).id;
}

/** Voids a transfer that is under way: its packages stay with the shipper. Returns its id. */
export function voidTransfer(world: StateWorld, it: Transfer): number {
  if (it.receivedMs !== null) throw new RefusedRow(`Transfer ${it.id} was received.`);
  for (const { packageId } of it.packages) world.packages.change(packageId, { isInTransit: false });
  return world.transfers.change(it.id, { isVoided: true }).id;
}
