import type { Json, JsonRow } from './json-rows.ts';
import type { Sent } from './request-members.ts';
import type { Item } from './state-models.ts';
import { RefusedRow, unauthorized } from './state-refusals.ts';
import { type Call, eachOf, ownObject, type Route } from './state-route.ts';
import { categories, unitNamed } from './state-vocabulary.ts';

/* Items: writing. Names end without `Name`, other than in replies. A shop rarely does this. */

const itemShape = {
  Id: 'int',
  ItemCategory: 'text!',
  Name: 'text!',
  UnitOfMeasure: 'text!',
  Strain: 'text',
  ItemBrand: 'text',
  AdministrationMethod: 'text',
  UnitCbdPercent: 'number',
  UnitCbdContent: 'number',
  UnitCbdContentUnitOfMeasure: 'text',
  UnitThcPercent: 'number',
  UnitThcContent: 'number',
  UnitThcContentUnitOfMeasure: 'text',
  UnitThcContentDose: 'number',
  UnitThcContentDoseUnitOfMeasure: 'text',
  UnitVolume: 'number',
  UnitVolumeUnitOfMeasure: 'text',
  UnitWeight: 'number',
  UnitWeightUnitOfMeasure: 'text',
  ServingSize: 'text',
  NumberOfDoses: 'int',
  PublicIngredients: 'text',
  Description: 'text',
  Allergens: 'text',
  ProductImageFileSystemIds: 'any',
  LabelImageFileSystemIds: 'any',
  PackagingImageFileSystemIds: 'any',
  ProductPDFFileSystemIds: 'any',
} as const;

type SentItem = Sent<typeof itemShape>;

function writeItem(call: Call, sent: SentItem): number {
  const { world, facility } = call;
  const own = world.items.all(facility.license);
  const before = own.find(({ id }) => id === sent.Id);
  if (sent.Id !== null && before === undefined) {
    throw new RefusedRow(`Item ${sent.Id} does not exist in the current Facility.`);
  }
  const problems = problemsOf(sent);
  const name = sent.Name.toLowerCase();
  if (own.some((it) => it.isActive && it.id !== sent.Id && it.name.toLowerCase() === name)) {
    problems.push(`Item "${sent.Name}" already exists.`);
  }
  if (problems.length > 0) throw new RefusedRow(...problems);
  const item: Item = {
    ...{ id: before?.id ?? world.nextId(), license: facility.license, isActive: true, name: sent.Name },
    category: categories.find(({ Name }) => Name === sent.ItemCategory)!.Name,
    ...{ unit: unitNamed(sent.UnitOfMeasure)!.name, strain: sent.Strain, brand: sent.ItemBrand },
    extra: printedMembers(sent),
  };
  return world.items.put(item).id;
}

/** What the category requires, by its own members: RequiresUnitWeight asks for UnitWeight. */
function problemsOf(sent: SentItem): string[] {
  const category = categories.find(({ Name }) => Name === sent.ItemCategory);
  const problems: string[] = [];
  if (category === undefined) problems.push(`Item Category "${sent.ItemCategory}" is not valid.`);
  const unit = unitNamed(sent.UnitOfMeasure);
  if (unit === undefined || (category !== undefined && unit.kind !== category.QuantityType)) {
    problems.push(`Unit Of Measure "${sent.UnitOfMeasure}" is not valid for this Item Category.`);
  }
  for (const [rule, isOn] of Object.entries<unknown>(category ?? {})) {
    const member = rule.replace(/^Requires/, '');
    if (isOn === true && member !== rule && (sent as JsonRow)[member] === null) {
      problems.push(`"${member}" was not specified.`);
    }
  }
  return problems;
}

/** The members under the names that replies use. */
function printedMembers(sent: SentItem): JsonRow {
  const {
    Id: _,
    ItemCategory: __,
    Name: ___,
    UnitOfMeasure: ____,
    Strain: _____,
    ItemBrand: ______,
    ...rest
  } = sent;
  return Object.fromEntries(
    Object.entries(rest)
      .filter(([member]) => !member.endsWith('FileSystemIds'))
      .map(([member, value]) => [member.replace(/UnitOfMeasure$/, 'UnitOfMeasureName'), value as Json]),
  );
}

const writing = { rights: ['Manage Items'] } as const;

/** No item has a picture or a file. */
const noFile = (): Json => {
  throw unauthorized();
};

export const itemWriteRoutes: readonly Route[] = [
  { ...writing, at: 'POST /items/v2', each: eachOf(itemShape, writeItem), answers: 'ids' },
  // Documented as empty; ids were really answered.
  { ...writing, at: 'PUT /items/v2', each: eachOf(itemShape, writeItem), answers: 'ids' },
  {
    ...writing,
    at: 'DELETE /items/v2/{id}',
    act: (call) => {
      call.world.items.change(ownObject(call, call.world.items).id, { isActive: false });
      return undefined;
    },
  },
  { at: 'GET /items/v2/photo/{id}', read: noFile },
  { at: 'GET /items/v2/file/{id}', read: noFile },
];
