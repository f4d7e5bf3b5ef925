import type { Json } from './json-rows.ts';
import type { Place } from './state-models.ts';
import { RefusedRow } from './state-refusals.ts';
import { type Call, eachOf, listed, ownObject, type Route, seenObject } from './state-route.ts';
import { locationTypeNamed } from './state-vocabulary.ts';
import type { StateWorld } from './state-world.ts';
import type { VersionedShelf } from './versioned-shelf.ts';

/* Locations and sublocations: the same routes for both. */

const placeShape = { Id: 'int', Name: 'text!', LocationTypeName: 'text' } as const;

function placeRoutes(
  path: string,
  {
    shelfOf,
    print,
    hasTypes,
    flags,
  }: {
    readonly shelfOf: (world: StateWorld) => VersionedShelf<Place>;
    readonly print: (it: Place) => Json;
    readonly hasTypes: boolean;
    readonly flags: readonly string[] | undefined;
  },
): Route[] {
  const access = { rights: ['Manage Locations'], ...(flags && { flags }) };
  const rows = (call: Call, isActive: boolean) =>
    listed(call, shelfOf(call.world), print, (it) => it.isActive === isActive);
  const write = eachOf(placeShape, ({ world, facility }, { Id, Name, LocationTypeName }) => {
    const type = LocationTypeName === null ? undefined : locationTypeNamed(LocationTypeName);
    if (hasTypes && type === undefined) throw new RefusedRow('"LocationTypeName" is not valid.');
    if (Id !== null && shelfOf(world).byId(Id)?.license !== facility.license) {
      throw new RefusedRow(`Location ${Id} does not exist in the current Facility.`);
    }
    const place = { name: Name, typeName: String(type?.Name ?? ''), isActive: true };
    return shelfOf(world).put({ id: Id ?? world.nextId(), license: facility.license, ...place }).id;
  });
  return [
    { ...access, at: `GET /${path}/v2/active`, window: 'stock', list: (call) => rows(call, true) },
    { ...access, at: `GET /${path}/v2/inactive`, list: (call) => rows(call, false) },
    {
      ...access,
      at: `GET /${path}/v2/{id}`,
      license: 'optional',
      read: (call) => print(seenObject(call, shelfOf(call.world)).value),
    },
    { ...access, at: `POST /${path}/v2`, each: write, answers: 'ids' },
    { ...access, at: `PUT /${path}/v2`, each: write, answers: 'nothing' },
    {
      ...access,
      at: `DELETE /${path}/v2/{id}`,
      act: (call) => {
        const shelf = shelfOf(call.world);
        shelf.change(ownObject(call, shelf).id, { isActive: false });
        return undefined;
      },
    },
  ];
}

export const printPlace = ({ id, name, typeName }: Place): Json => {
  const { Id, Name: _, ...purposes } = locationTypeNamed(typeName)!;
  return { Id: id, Name: name, LocationTypeId: Id!, LocationTypeName: typeName, ...purposes };
};

export const locationRoutes: readonly Route[] = [
  ...placeRoutes('locations', {
    ...{ shelfOf: ({ places }) => places, print: printPlace, hasTypes: true, flags: undefined },
  }),
  ...placeRoutes('sublocations', {
    ...{ shelfOf: ({ sublocations }) => sublocations, hasTypes: false, flags: ['EnableSublocations'] },
    print: ({ id, name }) => ({ Id: id, Name: name }),
  }),
];
