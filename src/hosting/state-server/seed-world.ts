import type { SeededRandom } from '../../../seed/seeded-random.ts';
import type { ClockSetting } from '../../kernel/clock.ts';
import { flagsOfShop, flagsOfSupplier, kindOfState } from './facility-flags.ts';
import type { Facility, Item, StatePackage } from './state-models.ts';
import type { StateWorld } from './state-world.ts';
import { shipPackages } from './transfer-moves.ts';

/* What the state's system holds at the start: the same seed makes the same world. All names are invented. */

/** Keys of the seeds. They open nothing but this server. */
export const seededKeys = {
  vendor: 'vendor-key',
  /** Two shops, every right. */
  user: 'user-key',
  /** The third shop, of another owner. */
  otherUser: 'other-user-key',
  /** The first shop, reading only. */
  reader: 'reader-key',
} as const;

/** Licenses of the seeds: the first two belong to one owner. */
export const seededLicenses = ['TEST-R-0001', 'TEST-R-0002', 'TEST-R-0003'] as const;
export const supplierLicense = 'TEST-D-0001';

/** Time zones of the states; of those with two, that of most people. */
const zones: Readonly<Record<string, string>> = {
  ...{ AK: 'America/Anchorage', CA: 'America/Los_Angeles', CO: 'America/Denver', GU: 'Pacific/Guam' },
  ...{ AL: 'America/Chicago', IL: 'America/Chicago', LA: 'America/Chicago', MN: 'America/Chicago' },
  ...{ MO: 'America/Chicago', MS: 'America/Chicago', OK: 'America/Chicago', SD: 'America/Chicago' },
  ...{ MT: 'America/Denver', NV: 'America/Los_Angeles', OR: 'America/Los_Angeles', VI: 'America/St_Thomas' },
};

/** Eastern time where nothing else is said. */
export const zoneOfState = (state: string): string => zones[state] ?? 'America/New_York';

const goods: readonly (readonly [name: string, category: string, unit: string, grams: string | null])[] = [
  ['Fern Valley Flower', 'Buds', 'Grams', null],
  ['Copper Creek Flower', 'Buds', 'Grams', null],
  ['Lantern Pre-Roll 1 g', 'Pre-Rolls', 'Each', '1'],
  ['Meadow Gummies 100 mg', 'Infused (edible)', 'Each', '56'],
  ['Harbor Tonic 12 oz', 'Infused liquid', 'Each', null],
  ['Quarry Rosin 1 g', 'Concentrate (Each)', 'Each', '1'],
];

export interface SeedWishes {
  /** Two capital letters. */
  readonly state: string;
  /** Packages of each shop. */
  readonly packages: number;
}

/** Fills an empty world. The last changes of what it holds lie within the five days before its time. */
export function seedWorld(world: StateWorld, { state, packages }: SeedWishes): void {
  const before = world.clockSetting;
  const draws = world.draws.fork('seed');
  const nowMs = world.nowMs();
  const at = (daysAgo: number) => (world.clockSetting = standing(nowMs - daysAgo * 86_400_000));
  at(5);
  for (const [index, license] of seededLicenses.entries()) {
    addShop(world, license, ['Juniper Street', 'Fern Lane', 'Quarry Road'][index]!, state);
  }
  world.facilities.push(supplierOf(world, state));
  seedPlaces(world, world.facilities.at(-1)!);
  seedKeys(world);
  for (const [index, facility] of world.facilities.entries()) {
    const items = seedItems(world, facility);
    for (let count = 0; count < packages; count += 1) {
      at(5 - (5 * count) / packages);
      seedPackage(world, draws, facility, items, (index + 1) * 100_000 + count);
    }
    for (let count = 0; count < 50; count += 1) {
      const label = labelOf((index + 1) * 100_000 + 50_000 + count);
      world.tags.put({ id: world.nextId(), license: facility.license, label, isUsed: false });
    }
  }
  at(1);
  seedTransfers(world, packages);
  seedLabResults(world);
  seedPatients(world);
  world.clockSetting = before;
}

/** Two transfers are under way to the first shop, one to the second. */
function seedTransfers(world: StateWorld, packages: number): void {
  const labels = world.packages.all(supplierLicense).map(({ label }) => label);
  const typeName = world.facilities[0]?.state === 'NY' ? 'Wholesale Manifest' : 'Transfer';
  const each = Math.min(3, Math.floor(packages / 3));
  for (const [at, license] of [seededLicenses[0], seededLicenses[0], seededLicenses[1]].entries()) {
    const shipped = labels.slice(at * each, (at + 1) * each);
    if (shipped.length > 0) shipPackages(world, shipped, { license, typeName, price: at === 0 ? 240 : null });
  }
}

function seedLabResults(world: StateWorld): void {
  for (const { id, license } of world.packages.all()) {
    for (const [testType, level] of [['THC (%)', 21.5] as const, ['Pesticides', 0] as const]) {
      world.labResults.put({
        ...{ id: world.nextId(), license, packageId: id, testType, level, passed: true },
        ...{ performedDate: '2026-01-15', releasedMs: world.nowMs(), revokedDate: null },
      });
    }
  }
}

/** P-1001 has two limits, P-1002 is expired; C-2001 buys for P-1001. */
function seedPatients(world: StateWorld): void {
  const patient = (
    number: string,
    until: string,
    limits: readonly (readonly [ounces: number, days: number])[],
  ) =>
    world.patients.put({
      ...{
        id: world.nextId(),
        license: seededLicenses[0],
        number,
        isActive: true,
        isMember: false,
        sent: {},
      },
      ...{ effectiveFrom: '2025-01-01', effectiveUntil: until },
      limits: limits.map(([ounces, days], at) => ({ registration: `${number}-${at + 1}`, ounces, days })),
    });
  patient('P-1001', '2099-12-31', [
    [0.5, 1],
    [5, 31],
  ]);
  patient('P-1002', '2025-12-31', [[2, 30]]);
  world.caregivers.push({ number: 'C-2001', patients: ['P-1001'] });
}

const standing = (standsAtMs: number): ClockSetting => ({ aheadMs: 0, standsAtMs });

/** A tag: 24 letters and digits. */
export const labelOf = (number: number): string => `1A4FF01000000B2${String(number).padStart(9, '0')}`;

/** Adds a shop with its locations, without goods. */
export function addShop(world: StateWorld, license: string, name: string, state: string): Facility {
  const facility: Facility = {
    ...{ id: world.nextId(), license, name, state, zone: zoneOfState(state), licenseType: 'Retailer' },
    flags: flagsOfShop(state, kindOfState(state)),
  };
  world.facilities.push(facility);
  seedPlaces(world, facility);
  return facility;
}

function supplierOf(world: StateWorld, state: string): Facility {
  return {
    ...{ id: world.nextId(), license: supplierLicense, name: 'Fern Valley Supply', state },
    ...{ zone: zoneOfState(state), licenseType: 'Distributor', flags: flagsOfSupplier },
  };
}

function seedKeys(world: StateWorld): void {
  const [first, second, third] = seededLicenses;
  world.vendors.push({ key: seededKeys.vendor, isApproved: true, rights: null });
  world.users.push(
    { key: seededKeys.user, name: 'R. Ames', licenses: [first, second], rights: null },
    { key: seededKeys.otherUser, name: 'T. Vance', licenses: [third], rights: null },
    {
      ...{ key: seededKeys.reader, name: 'P. Lowe', licenses: [first] },
      rights: ['View Sales', 'View Packages', 'View Transfers'],
    },
  );
}

function seedPlaces(world: StateWorld, { license }: Facility): void {
  for (const name of ['Sales Floor', 'Vault']) {
    world.places.put({ id: world.nextId(), license, name, typeName: 'Default', isActive: true });
  }
}

function seedItems(world: StateWorld, { license }: Facility): Item[] {
  return goods.map(([name, category, unit, grams]) =>
    world.items.put({
      ...{ id: world.nextId(), license, name, category, unit, brand: null, isActive: true },
      strain: category === 'Buds' ? name.replace(' Flower', '') : null,
      extra: grams === null ? {} : { UnitWeight: Number(grams), UnitWeightUnitOfMeasureName: 'Grams' },
    }),
  );
}

function seedPackage(
  world: StateWorld,
  draws: SeededRandom,
  facility: Facility,
  items: readonly Item[],
  number: number,
): void {
  const item = items[number % items.length]!;
  const quantity = item.unit === 'Each' ? draws.integer(20, 100) : draws.integer(100, 2_000) / 4;
  world.packages.put(newPackage(world, facility, item, { label: labelOf(number), quantity }));
}

/** An active package with a passed lab test. */
export function newPackage(
  world: StateWorld,
  facility: Facility,
  item: Item,
  { label, quantity }: { readonly label: string; readonly quantity: number },
): StatePackage {
  return {
    ...{ id: world.nextId(), license: facility.license, label, itemId: item.id, quantity },
    ...{
      originalQuantity: quantity,
      unit: item.unit,
      placeId: world.places.all(facility.license)[0]?.id ?? null,
    },
    ...{ packagedDate: world.todayAt(facility), labState: 'TestPassed', note: '', externalId: '' },
    ...{ sourceLabels: [], isOnHold: false, isOnRecall: null, archivedDate: null, finishedDate: null },
    ...{ isInTransit: false, isUsed: false, reception: null, codes: [], soldCodes: [], extra: {} },
  };
}
