import type { Json } from './json-rows.ts';
import { readSent } from './request-members.ts';
import { labelOf, newPackage } from './seed-world.ts';
import { RefusedRow, refusal, StateRefusal } from './state-refusals.ts';
import type { Call, Route } from './state-route.ts';

/* Routes that exist in a sandbox only: a shop stocks itself. */

const tagsMax = 1_000;
const packagesMax = 100;

const tagType = (state: string): string =>
  state === 'NY' || state === 'CA' ? 'Cannabis Package' : 'Marijuana Package';

function makeTags({ world, facility }: Call, body: unknown): Json {
  const { TagType, Count } = readSent({ TagType: 'text!', Count: 'int!' }, body, world.settings);
  if (TagType.toLowerCase() !== tagType(facility.state).toLowerCase()) {
    throw refusal(400, `Tag Type "${TagType}" is not valid.`);
  }
  if (Count < 1 || Count > tagsMax) throw refusal(400, `Count must be from 1 to ${tagsMax}.`);
  const tags = Array.from({ length: Count }, () => {
    const id = world.nextId();
    return world.tags.put({ id, license: facility.license, label: labelOf(500_000_000 + id), isUsed: false });
  });
  return { TagType, Count, Labels: tags.map(({ label }) => label) };
}

/** Picks items that are weighed, unless a filter says otherwise. */
function makePackages({ world, facility }: Call, body: unknown): Json {
  const shape = { Count: 'int', FilterBy: 'text', FilterValue: 'text' } as const;
  const { Count, FilterBy, FilterValue } = readSent(shape, body ?? {}, world.settings);
  const count = Count ?? 10;
  if (count < 1 || count > packagesMax) throw refusal(400, `Count must be from 1 to ${packagesMax}.`);
  const wanted = FilterValue?.toLowerCase();
  const items = world.items.all(facility.license).filter(({ name, category, unit }) => {
    if (FilterBy === null) return unit !== 'Each';
    const value = { name, category, unitofmeasure: unit }[FilterBy.toLowerCase()];
    return value?.toLowerCase() === wanted;
  });
  if (items.length === 0) throw new RefusedRow('No Item matches the filter.');
  const ids = Array.from({ length: count }, (_, at) => {
    const label = labelOf(600_000_000 + world.nextId());
    return world.packages.put(
      newPackage(world, facility, items[at % items.length]!, { label, quantity: 100 }),
    ).id;
  });
  return { Ids: ids, Warnings: null };
}

export const sandboxRoutes: readonly Route[] = [
  {
    at: 'POST /sandbox/v2/integrator/setup',
    auth: 'sandbox',
    license: 'none',
    act: ({ world }) => {
      const status = Number(world.settings['setup-answer']);
      if (status !== 200) throw new StateRefusal(status, undefined);
      return { UserKey: world.users[0]!.key };
    },
  },
  {
    at: 'GET /sandbox/v2/tagtypes',
    auth: 'sandbox',
    read: ({ facility }) => [
      {
        Id: 1,
        Name: tagType(facility.state),
        SkuNumber: 'P-1',
        MaxGroupSize: 100,
        TagInventoryType: 'Package',
      },
    ],
  },
  { at: 'POST /sandbox/v2/facility/tags', auth: 'sandbox', act: makeTags },
  { at: 'POST /sandbox/v2/packages/create', auth: 'sandbox', act: makePackages },
];
