import { type JsonRow, minus, plus } from './json-rows.ts';
import { anyOf, type Sent } from './request-members.ts';
import { finishAtZero } from './sold-lines.ts';
import type { StatePackage } from './state-models.ts';
import { RefusedRow } from './state-refusals.ts';
import { type Call, eachOf, ownObject, type Route } from './state-route.ts';
import { adjustmentReasons, unitNamed } from './state-vocabulary.ts';

/* Packages: writing. */

const adjustShape = {
  Label: 'text!',
  Quantity: 'quantity!',
  UnitOfMeasure: 'text!',
  AdjustmentReason: 'text!',
  AdjustmentDate: 'date!',
  ReasonNote: 'note',
} as const;

/** The package of a label at the license of the call. Fails with a RefusedRow. */
function labeled({ world, facility }: Call, label: string): StatePackage {
  const found = world.packageByLabel(label, facility.license);
  if (found !== undefined && !found.isInTransit) return found;
  throw new RefusedRow(`Package "${label}" does not exist in the current Facility.`);
}

/** PUT sets the quantity to a new total; POST changes it by a signed difference. Returns the id that the switch wants. */
function adjust(call: Call, sent: Sent<typeof adjustShape>, setsTotal: boolean): number {
  const { world, facility, user } = call;
  const it = labeled(call, sent.Label);
  const reason = adjustmentReasons.find(
    ({ Name }) => Name.toLowerCase() === sent.AdjustmentReason.toLowerCase(),
  );
  const problems: string[] = [];
  if (it.archivedDate !== null || it.finishedDate !== null)
    problems.push(`Package "${it.label}" is not active.`);
  if (sent.UnitOfMeasure.toLowerCase() !== it.unit.toLowerCase()) {
    problems.push(`Unit Of Measure "${sent.UnitOfMeasure}" does not match that of Package "${it.label}".`);
  }
  if (reason === undefined) problems.push(`Adjustment Reason "${sent.AdjustmentReason}" is not valid.`);
  if (reason?.RequiresNote && sent.ReasonNote === null) problems.push('Reason note was not specified.');
  const total = setsTotal ? sent.Quantity : plus(it.quantity, sent.Quantity);
  if (total < 0 && world.settings['negative-adjust'] === '400') {
    problems.push(`Package "${it.label}" cannot be adjusted below zero.`);
  }
  if (problems.length > 0) throw new RefusedRow(...problems);
  world.packages.change(it.id, { quantity: total, isUsed: true });
  const adjustment = world.adjustments.put({
    ...{ id: world.nextId(), license: facility.license, packageId: it.id, total, setsTotal },
    difference: minus(total, it.quantity),
    ...{ reason: reason!.Name, note: sent.ReasonNote ?? '', date: sent.AdjustmentDate.slice(0, 10) },
    by: user.name,
  });
  finishAtZero(world, it.id);
  return world.settings['adjust-ids'] === 'adjustment' ? adjustment.id : it.id;
}

function finish(call: Call, label: string, date: string): undefined {
  const it = labeled(call, label);
  if (it.quantity !== 0) throw new RefusedRow(`Package "${label}" cannot be Finished because it's not empty`);
  if (it.finishedDate !== null) throw new RefusedRow(`Package "${label}" is finished.`);
  call.world.packages.change(it.id, { finishedDate: date.slice(0, 10) });
  return undefined;
}

/** Changes members of a package that its own label names. */
const change =
  (members: (it: StatePackage) => Partial<StatePackage>) =>
  (call: Call, { Label }: { readonly Label: string }): undefined => {
    const it = labeled(call, Label);
    call.world.packages.change(it.id, members(it));
    return undefined;
  };

const withExtra = (extra: JsonRow) => change((it) => ({ extra: { ...it.extra, ...extra } }));

const newPackageShape = {
  Tag: 'tag!',
  Location: 'text',
  Sublocation: 'text',
  Item: 'text',
  Quantity: 'quantity!',
  UnitOfMeasure: 'text!',
  PatientLicenseNumber: 'text',
  Note: 'note',
  IsProductionBatch: 'flag',
  ProductionBatchNumber: 'text',
  IsDonation: 'flag',
  IsTradeSample: 'flag',
  IsFinishedGood: 'flag',
  ProductRequiresRemediation: 'flag',
  UseSameItem: 'flag',
  ActualDate: 'date!',
  ExpirationDate: 'date',
  SellByDate: 'date',
  UseByDate: 'date',
  RequiredLabTestBatches: 'any',
  ProcessingJobTypeId: 'int',
  LabTestStageId: 'int',
  Ingredients: anyOf({ Package: 'text!', Quantity: 'quantity!', UnitOfMeasure: 'text!' }),
} as const;

/** Repackaging: a new tag, filled from other packages. */
function create(call: Call, sent: Sent<typeof newPackageShape>): number {
  const { world, facility } = call;
  const problems: string[] = [];
  const tag = world.tags.all(facility.license).find(({ label }) => label === sent.Tag);
  if (tag === undefined || tag.isUsed) problems.push(`Tag "${sent.Tag}" is not available.`);
  if (sent.Ingredients.length === 0 && facility.flags.CanCreateOpeningBalancePackages !== true) {
    problems.push('"Ingredients" was not specified.');
  }
  const places = world.places.all(facility.license).filter(({ isActive }) => isActive);
  const place = places.find(({ name }) => name.toLowerCase() === sent.Location?.toLowerCase());
  if (facility.flags.CanAssignLocationsToPackages === true && place === undefined) {
    problems.push(`"Location" was not ${sent.Location === null ? 'specified' : 'found'}.`);
  }
  if (unitNamed(sent.UnitOfMeasure) === undefined) problems.push('"UnitOfMeasure" is not valid.');
  const sources = sent.Ingredients.flatMap(({ Package, Quantity, UnitOfMeasure }) => {
    const from = world.packageByLabel(Package, facility.license);
    if (from === undefined || from.isInTransit) {
      problems.push(`Package "${Package}" does not exist in the current Facility.`);
      return [];
    }
    if (from.unit.toLowerCase() !== UnitOfMeasure.toLowerCase() || from.quantity < Quantity) {
      problems.push(`Package "${Package}" does not have enough quantity in this unit.`);
    }
    return [{ from, quantity: Quantity }];
  });
  const item = itemOf(call, sent, sources[0]?.from, problems);
  if (problems.length > 0) throw new RefusedRow(...problems);
  for (const { from, quantity } of sources) {
    world.packages.change(from.id, { quantity: minus(from.quantity, quantity), isUsed: true });
  }
  world.tags.change(tag!.id, { isUsed: true });
  return world.packages.put({
    ...{ id: world.nextId(), license: facility.license, label: sent.Tag, itemId: item!.id },
    ...{
      quantity: sent.Quantity,
      originalQuantity: sent.Quantity,
      unit: unitNamed(sent.UnitOfMeasure)!.name,
    },
    ...{ placeId: place?.id ?? null, packagedDate: sent.ActualDate.slice(0, 10) },
    ...{ labState: sources[0]?.from.labState ?? 'NotSubmitted', note: sent.Note ?? '', externalId: '' },
    sourceLabels: sources.map(({ from }) => from.label),
    ...{ isOnHold: false, isOnRecall: null, archivedDate: null, finishedDate: null, isInTransit: false },
    ...{ isUsed: false, reception: null, codes: [], soldCodes: [] },
    extra: {
      ...{ IsDonation: sent.IsDonation ?? false, IsTradeSample: sent.IsTradeSample ?? false },
      ...{ IsFinishedGood: sent.IsFinishedGood ?? false, ExpirationDate: sent.ExpirationDate },
      ...{ SellByDate: sent.SellByDate, UseByDate: sent.UseByDate },
    },
  }).id;
}

function itemOf(
  { world, facility }: Call,
  sent: Sent<typeof newPackageShape>,
  source: StatePackage | undefined,
  problems: string[],
) {
  if (sent.UseSameItem === true && source !== undefined) return world.items.byId(source.itemId);
  if (sent.Item === null) {
    problems.push('"Item" was not specified.');
    return undefined;
  }
  const items = world.items.all(facility.license).filter(({ isActive }) => isActive);
  const found = items.find(({ name }) => name.toLowerCase() === sent.Item!.toLowerCase());
  if (found === undefined) {
    const names = items.map(({ name }) => name).join(', ');
    problems.push(`The Product "${sent.Item}" is invalid. Valid values are: ${names}.`);
  }
  return found;
}

/** Only before any sale, transfer or adjustment; the quantity goes back to the source. */
function discontinue(call: Call): undefined {
  const { world, facility } = call;
  const it = ownObject(call, world.packages);
  if (it.isUsed) throw new RefusedRow(`Package "${it.label}" cannot be discontinued.`);
  const [source] = it.sourceLabels.flatMap((label) => world.packageByLabel(label, facility.license) ?? []);
  if (source !== undefined) {
    world.packages.change(source.id, { quantity: plus(source.quantity, it.quantity) });
  }
  world.packages.change(it.id, { quantity: 0, archivedDate: world.todayAt(facility) });
  return undefined;
}

function moveTo(call: Call, label: string, name: string): undefined {
  const it = labeled(call, label);
  const place = call.world.places
    .all(call.facility.license)
    .find((one) => one.isActive && one.name.toLowerCase() === name.toLowerCase());
  if (place === undefined) throw new RefusedRow(`Location "${name}" is not valid.`);
  call.world.packages.change(it.id, { placeId: place.id });
  return undefined;
}

function giveItem(call: Call, label: string, name: string): undefined {
  const it = labeled(call, label);
  const items = call.world.items.all(call.facility.license).filter(({ isActive }) => isActive);
  const item = items.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (item === undefined) {
    const names = items.map((one) => one.name).join(', ');
    throw new RefusedRow(`The Product "${name}" is invalid. Valid values are: ${names}.`);
  }
  call.world.packages.change(it.id, { itemId: item.id });
  return undefined;
}

const inventory = ['Manage Packages Inventory'];
const making = ['Create/Submit/Discontinue Packages'];
const label = { Label: 'text!' } as const;

const flagRoute = (path: string, member: string, value: boolean): Route => ({
  at: `PUT /packages/v2/${path}`,
  rights: inventory,
  each: eachOf(label, withExtra({ [member]: value })),
  answers: 'nothing',
});

export const packageWriteRoutes: readonly Route[] = [
  {
    at: 'PUT /packages/v2/adjust',
    rights: inventory,
    each: eachOf(adjustShape, (call, sent) => adjust(call, sent, true)),
    answers: 'nothing',
  },
  {
    at: 'POST /packages/v2/adjust',
    rights: inventory,
    each: eachOf(adjustShape, (call, sent) => adjust(call, sent, false)),
    answers: 'adjust-ids',
  },
  {
    at: 'PUT /packages/v2/finish',
    rights: inventory,
    each: eachOf({ Label: 'text!', ActualDate: 'date!' }, (call, sent) =>
      finish(call, sent.Label, sent.ActualDate),
    ),
    answers: 'nothing',
  },
  {
    at: 'PUT /packages/v2/unfinish',
    rights: inventory,
    each: eachOf(
      label,
      change(() => ({ finishedDate: null })),
    ),
    answers: 'nothing',
  },
  {
    at: 'PUT /packages/v2/note',
    rights: inventory,
    each: eachOf({ PackageLabel: 'text!', Note: 'note' }, (call, sent) =>
      change(() => ({ note: sent.Note ?? '' }))(call, { Label: sent.PackageLabel }),
    ),
    answers: 'nothing',
  },
  {
    at: 'PUT /packages/v2/externalid',
    rights: inventory,
    flags: ['EnableExternalIdentifier'],
    each: eachOf({ PackageLabel: 'text!', ExternalId: 'text' }, (call, sent) =>
      change(() => ({ externalId: sent.ExternalId ?? '' }))(call, { Label: sent.PackageLabel }),
    ),
    answers: 'nothing',
  },
  {
    at: 'PUT /packages/v2/location',
    rights: making,
    flags: ['CanUpdateLocationsOnPackages'],
    each: eachOf({ Label: 'text!', Location: 'text!', Sublocation: 'text', MoveDate: 'date' }, (call, sent) =>
      moveTo(call, sent.Label, sent.Location),
    ),
    answers: 'nothing',
  },
  {
    at: 'PUT /packages/v2/item',
    rights: making,
    each: eachOf({ Label: 'text!', Item: 'text!' }, (call, sent) => giveItem(call, sent.Label, sent.Item)),
    answers: 'nothing',
  },
  {
    at: 'PUT /packages/v2/usebydate',
    rights: making,
    each: eachOf(
      { Label: 'text!', ExpirationDate: 'date', SellByDate: 'date', UseByDate: 'date' },
      (call, { Label, ...dates }) => withExtra(dates)(call, { Label }),
    ),
    answers: 'nothing',
  },
  flagRoute('tradesample/flag', 'IsTradeSample', true),
  flagRoute('tradesample/unflag', 'IsTradeSample', false),
  flagRoute('donation/flag', 'IsDonation', true),
  flagRoute('donation/unflag', 'IsDonation', false),
  flagRoute('finishedgood/flag', 'IsFinishedGood', true),
  flagRoute('finishedgood/unflag', 'IsFinishedGood', false),
  { at: 'POST /packages/v2', rights: making, each: eachOf(newPackageShape, create), answers: 'ids' },
  { at: 'DELETE /packages/v2/{id}', rights: making, act: discontinue },
];
