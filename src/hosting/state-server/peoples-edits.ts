import { minus } from './json-rows.ts';
import { voidLedger } from './ledger-desk.ts';
import { voidReceipt } from './receipt-desk.ts';
import { readSent, type Sent, type Shape } from './request-members.ts';
import { addShop, labelOf, newPackage } from './seed-world.ts';
import type { Receipt, SoldLine, StatePackage, VendorKey } from './state-models.ts';
import { RefusedRow } from './state-refusals.ts';
import type { StateWorld } from './state-world.ts';
import {
  type Acceptance,
  acceptTransfer,
  returnTransfer,
  shipPackages,
  voidTransfer,
} from './transfer-moves.ts';
import { voidDelivery } from './trip-desk.ts';
import type { Kept, VersionedShelf } from './versioned-shelf.ts';

/* What people do on the state's website, without any call of the API. */

/** An edit as one value: the members that it takes, and what it does. */
interface Edit {
  readonly members: Shape;
  /** Returns the id of the object. Fails with a RefusedRow. */
  act(world: StateWorld, members: unknown): number;
}

const edit = <Of extends Shape>(shape: Of, act: (world: StateWorld, sent: Sent<Of>) => number): Edit => ({
  members: shape,
  act: (world, members) => act(world, readSent(shape, members ?? {}, world.settings)),
});

/** The object with this id. Fails with a RefusedRow. */
function existing<Value extends Kept>(shelf: VersionedShelf<Value>, id: number): Value {
  const found = shelf.byId(id);
  if (found === undefined) throw new RefusedRow(`There is nothing with the id ${id} in ${shelf.kind}.`);
  return found;
}

function packageOf(world: StateWorld, label: string): StatePackage {
  const found = world.packages.all().find((it) => it.label === label);
  if (found === undefined) throw new RefusedRow(`There is no package ${label}.`);
  return found;
}

function facilityOf(world: StateWorld, license: string) {
  const found = world.facility(license);
  if (found === undefined) throw new RefusedRow(`There is no facility ${license}.`);
  return found;
}

const label = { label: 'text!' } as const;

const packageEdit = (members: (it: StatePackage, world: StateWorld) => Partial<StatePackage>): Edit =>
  edit(label, (world, sent) => {
    const it = packageOf(world, sent.label);
    return world.packages.change(it.id, members(it, world)).id;
  });

const receiptEdit = (members: (it: Receipt) => Partial<Receipt>): Edit =>
  edit({ id: 'int!' }, (world, { id }) => {
    const it = existing(world.receipts, id);
    return world.receipts.change(id, members(it)).id;
  });

function vendorEdit(world: StateWorld, vendorKey: string, members: Partial<VendorKey>): number {
  const at = world.vendors.findIndex(({ key }) => key === vendorKey);
  if (at < 0) throw new RefusedRow('There is no such vendor key.');
  world.vendors[at] = { ...world.vendors[at]!, ...members };
  return at;
}

/** By name, an edit. Members of rows have the names of the replies. */
export const peoplesEdits: Readonly<Record<string, Edit>> = {
  'void-receipt': edit({ id: 'int!' }, (world, { id }) => {
    const it = existing(world.receipts, id);
    voidReceipt(world, it, world.todayAt(facilityOf(world, it.license)));
    return id;
  }),
  'void-trip': edit({ id: 'int!' }, (world, { id }) => {
    if (world.ledgers.byId(id) === undefined) voidDelivery(world, existing(world.deliveries, id));
    else voidLedger(world, existing(world.ledgers, id));
    return id;
  }),
  'edit-trip-line': edit({ id: 'int!', label: 'text!', quantity: 'number!' }, (world, sent) => {
    const { id: packageId } = packageOf(world, sent.label);
    const edited = (lines: readonly SoldLine[]) =>
      lines.map((it) => (it.packageId === packageId ? { ...it, quantity: sent.quantity } : it));
    const ledger = world.ledgers.byId(sent.id);
    if (ledger === undefined) {
      const { lines } = existing(world.deliveries, sent.id);
      return world.deliveries.change(sent.id, { lines: edited(lines) }).id;
    }
    const stops = ledger.stops.map((stop) => ({ ...stop, lines: edited(stop.lines) }));
    return world.ledgers.change(sent.id, { stops }).id;
  }),
  'finalize-receipt': receiptEdit(() => ({ isFinal: true })),
  'unfinalize-receipt': receiptEdit(() => ({ isFinal: false })),
  'edit-receipt': edit({ id: 'int!', members: 'any' }, (world, { id, members }) => {
    const it = existing(world.receipts, id);
    return world.receipts.change(id, { extra: { ...it.extra, ...(members as Receipt['extra']) } }).id;
  }),
  'adjust-package': edit(
    { label: 'text!', quantity: 'number!', reason: 'text', note: 'text' },
    (world, sent) => {
      const it = packageOf(world, sent.label);
      world.packages.change(it.id, { quantity: sent.quantity, isUsed: true });
      world.adjustments.put({
        ...{
          id: world.nextId(),
          license: it.license,
          packageId: it.id,
          total: sent.quantity,
          setsTotal: true,
        },
        difference: minus(sent.quantity, it.quantity),
        ...{ reason: sent.reason ?? 'Entry Error', note: sent.note ?? '', by: 'Website' },
        date: world.todayAt(facilityOf(world, it.license)),
      });
      return it.id;
    },
  ),
  'finish-package': packageEdit((it, world) => ({
    finishedDate: world.todayAt(facilityOf(world, it.license)),
  })),
  'unfinish-package': packageEdit(() => ({ finishedDate: null })),
  'hold-package': packageEdit(() => ({ isOnHold: true })),
  'release-package': packageEdit(() => ({ isOnHold: false, isOnRecall: false })),
  'recall-package': packageEdit(() => ({ isOnRecall: true })),
  'edit-package': edit({ label: 'text!', members: 'any' }, (world, { label: of, members }) => {
    const it = packageOf(world, of);
    return world.packages.change(it.id, { extra: { ...it.extra, ...(members as StatePackage['extra']) } }).id;
  }),
  'give-unit-codes': edit({ label: 'text!', codes: 'texts' }, (world, sent) => {
    const it = packageOf(world, sent.label);
    return world.packages.change(it.id, { codes: sent.codes ?? [] }).id;
  }),
  'add-package': edit(
    { license: 'text!', item: 'text!', quantity: 'number!', label: 'text' },
    (world, sent) => {
      const facility = facilityOf(world, sent.license);
      const item = world.items.all(sent.license).find(({ name }) => name === sent.item);
      if (item === undefined) throw new RefusedRow(`${sent.license} has no item ${sent.item}.`);
      const number = 900_000_000 + world.nextId();
      const given = { label: sent.label ?? labelOf(number), quantity: sent.quantity };
      return world.packages.put(newPackage(world, facility, item, given)).id;
    },
  ),
  'ship-transfer': edit(
    { license: 'text!', labels: 'texts', typeName: 'text', price: 'number' },
    (world, { license, labels, typeName, price }) =>
      shipPackages(world, labels ?? [], { license, typeName: typeName ?? 'Transfer', price }).id,
  ),
  'accept-transfer': edit({ id: 'int!', received: 'any' }, (world, { id, received }) =>
    acceptTransfer(world, existing(world.transfers, id), (received ?? {}) as Acceptance),
  ),
  'return-transfer': edit({ id: 'int!', labels: 'texts' }, (world, { id, labels }) =>
    returnTransfer(world, existing(world.transfers, id), labels ?? []),
  ),
  'void-transfer': edit({ id: 'int!' }, (world, { id }) =>
    voidTransfer(world, existing(world.transfers, id)),
  ),
  'edit-transfer': edit({ id: 'int!', members: 'any' }, (world, { id, members }) => {
    const it = existing(world.transfers, id);
    return world.transfers.change(id, { extra: { ...it.extra, ...(members as Receipt['extra']) } }).id;
  }),
  'record-lab-result': edit(
    { label: 'text!', testType: 'text!', passed: 'flag!', level: 'number' },
    (world, sent) => {
      const it = packageOf(world, sent.label);
      return world.labResults.put({
        ...{ id: world.nextId(), license: it.license, packageId: it.id, testType: sent.testType },
        ...{ passed: sent.passed, level: sent.level ?? 0, releasedMs: null, revokedDate: null },
        performedDate: world.todayAt(facilityOf(world, it.license)),
      }).id;
    },
  ),
  'release-lab-result': edit(
    { id: 'int!' },
    (world, { id }) =>
      world.labResults.change(existing(world.labResults, id).id, { releasedMs: world.nowMs() }).id,
  ),
  'revoke-lab-result': edit({ id: 'int!' }, (world, { id }) => {
    const { license } = existing(world.labResults, id);
    return world.labResults.change(id, { revokedDate: world.todayAt(facilityOf(world, license)) }).id;
  }),
  'add-item': edit(
    { license: 'text!', name: 'text!', category: 'text!', unit: 'text!', strain: 'text' },
    (world, { license, name, category, unit, strain }) => {
      facilityOf(world, license);
      const item = { license, name, category, unit, strain, brand: null, isActive: true, extra: {} };
      return world.items.put({ id: world.nextId(), ...item }).id;
    },
  ),
  'add-facility': edit({ license: 'text!', name: 'text!' }, (world, { license, name }) => {
    if (world.facility(license) !== undefined) throw new RefusedRow(`Facility ${license} exists.`);
    return addShop(world, license, name, world.facilities[0]!.state).id;
  }),
  'add-user-key': edit(
    { userKey: 'text!', name: 'text!', licenses: 'texts', rights: 'texts' },
    (world, { userKey, name, licenses, rights }) =>
      world.users.push({ key: userKey, name, licenses: licenses ?? [], rights }),
  ),
  'set-flags': edit({ license: 'text!', flags: 'any' }, (world, { license, flags }) => {
    const it = facilityOf(world, license);
    const changed = { ...it, flags: { ...it.flags, ...(flags as typeof it.flags) } };
    world.facilities.splice(world.facilities.indexOf(it), 1, changed);
    return it.id;
  }),
  'set-rights': edit({ userKey: 'text!', rights: 'texts' }, (world, { userKey, rights }) => {
    const at = world.users.findIndex(({ key }) => key === userKey);
    if (at < 0) throw new RefusedRow('There is no such user key.');
    world.users[at] = { ...world.users[at]!, rights };
    return at;
  }),
  'set-vendor-rights': edit({ vendorKey: 'text!', rights: 'texts' }, (world, { vendorKey, rights }) =>
    vendorEdit(world, vendorKey, { rights }),
  ),
  'approve-vendor': edit({ vendorKey: 'text!', approved: 'flag!' }, (world, { vendorKey, approved }) =>
    vendorEdit(world, vendorKey, { isApproved: approved }),
  ),
  // Locked, deleted or expired: its webhooks end, too.
  'end-user-key': edit({ userKey: 'text!' }, (world, { userKey }) => {
    const at = world.users.findIndex(({ key }) => key === userKey);
    if (at < 0) throw new RefusedRow('There is no such user key.');
    world.users.splice(at, 1);
    return at;
  }),
};
