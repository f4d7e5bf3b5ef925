import { type Json, membersOf, minus } from './json-rows.ts';
import { readSent } from './request-members.ts';
import type { StatePackage, Tag } from './state-models.ts';
import { RefusedRow, unauthorized } from './state-refusals.ts';
import { type Call, eachOf, type Route } from './state-route.ts';
import { adjustmentReasons } from './state-vocabulary.ts';

/* Tags of packages, and the codes of single units (Retail ID). */

const tagMembers = ({ facility }: Call, { id, label }: Tag) => ({
  ...{ Id: id, TagTypeName: 'Cannabis Package', TagTypeId: 1, TagInventoryTypeName: 'Package' },
  ...{ MaxGroupSize: 100, FacilityId: facility.id, Label: label },
});

const seenTags = ({ world, licenses }: Call): Tag[] => world.tags.seen(licenses).map(({ value }) => value);

/** Bare, whatever pages are asked for. */
const available = (call: Call): Json =>
  seenTags(call)
    .filter(({ isUsed }) => !isUsed)
    .map((tag) => ({ ...tagMembers(call, tag), GroupTagTypeName: 'Cannabis Package', GroupTagTypeId: 1 }));

const staged = (call: Call): Json =>
  seenTags(call)
    .filter(({ isUsed }) => isUsed)
    .map((tag) => ({
      ...{ ...tagMembers(call, tag), StatusName: 'Used', IsUsed: true, IsArchived: false, IsStaged: false },
      ...membersOf('CommissionedDateTime UsedDateTime ProductLabel DetachedDateTime LastModified', null),
      QrCount: 0,
    }));

function own({ world, facility }: Call, label: string): StatePackage {
  const found = world.packageByLabel(label, facility.license);
  if (found === undefined) throw unauthorized();
  return found;
}

/** Which unit codes belong to a package. */
function codesOf(it: StatePackage): Json {
  const ranges = it.codes.length === 0 ? [] : [[1, it.codes.length]];
  return {
    ...{ Eaches: it.codes, SiblingTags: [], RequiresVerification: false, Ranges: ranges },
    ...{ QrCount: it.codes.length, ChildTag: null, LabelSource: 'Package' },
  };
}

function byCode(call: Call): Json {
  const found = call.world.packages
    .all(call.facility.license)
    .find(({ codes }) => codes.some((code) => code.endsWith(`/${call.params.code}`)));
  if (found === undefined) throw unauthorized();
  return codesOf(found);
}

const labelsShape = { packageLabels: 'texts' } as const;

function info(call: Call, body: unknown): Json {
  const { packageLabels } = readSent(labelsShape, body, call.world.settings);
  return {
    Packages: (packageLabels ?? []).map((label) => {
      const it = own(call, label);
      return {
        ...{ Tag: label, QrCount: it.codes.length, SiblingCount: 0 },
        EstimatedBalance: it.codes.length - it.soldCodes.length,
        IssuanceId: it.codes.length === 0 ? null : String(it.id),
        ...{ Issuances: [], HasQrs: it.codes.length > 0, RequiresVerification: false },
      };
    }),
  };
}

function generate(call: Call, body: unknown): Json {
  const { world } = call;
  const shape = { PackageLabel: 'text!', Quantity: 'int!' } as const;
  const { PackageLabel, Quantity } = readSent(shape, body, world.settings);
  const it = own(call, PackageLabel);
  const made = Array.from({ length: Quantity }, (_, at) => `https://1a4.com/${it.id}${it.codes.length + at}`);
  world.packages.change(it.id, { codes: [...it.codes, ...made] });
  const Manifest = { Qrs: made, Ranges: [[it.codes.length + 1, it.codes.length + made.length]] };
  return { CoaBl: null, IssuanceId: String(it.id), Manifest, StackBl: null, Url: made[0] ?? null };
}

/** Puts the second package into the first one. Needs an adjustment reason whose name contains Merge. */
function merge(call: Call, body: unknown): undefined {
  const { world } = call;
  const { packageLabels } = readSent(labelsShape, body, world.settings);
  const [target, source] = (packageLabels ?? []).map((label) => own(call, label));
  const hasReason = adjustmentReasons.some(({ Name }) => Name.includes('Merge'));
  if (target === undefined || source === undefined || target.unit !== source.unit || !hasReason) {
    throw new RefusedRow('Two Packages with one unit are needed.');
  }
  world.packages.change(target.id, {
    ...{ quantity: minus(target.quantity, -source.quantity), codes: [...target.codes, ...source.codes] },
  });
  world.packages.change(source.id, { quantity: 0, codes: [], isUsed: true });
  return undefined;
}

const retailId = { rights: ['Retail ID'], flags: ['CanReceiveAssociateProductLabel'] } as const;
const tags = { rights: ['Manage Tags'] } as const;

export const tagRoutes: readonly Route[] = [
  { ...tags, at: 'GET /tags/v2/package/available', read: available },
  { ...tags, at: 'GET /tags/v2/plant/available', read: () => [] },
  { ...tags, at: 'GET /tags/v2/staged', read: staged },
  {
    ...retailId,
    at: 'GET /retailid/v2/allotment',
    read: ({ facility }) => ({
      ...{ FacilityId: facility.id, Allotment: 10_000, FacilityLicenseNumber: facility.license },
    }),
  },
  {
    ...retailId,
    at: 'GET /retailid/v2/receive/{label}',
    read: (call) => codesOf(own(call, call.params.label!)),
  },
  { ...retailId, at: 'GET /retailid/v2/receive/qr/{code}', read: byCode },
  { ...retailId, at: 'POST /retailid/v2/packages/info', act: info },
  {
    ...retailId,
    at: 'POST /retailid/v2/associate',
    each: eachOf({ PackageLabel: 'text!', QrUrls: 'texts' }, (call, { PackageLabel, QrUrls }) => {
      const it = call.world.packageByLabel(PackageLabel, call.facility.license);
      if (it === undefined)
        throw new RefusedRow(`Package "${PackageLabel}" does not exist in the current Facility.`);
      return call.world.packages.change(it.id, { codes: [...it.codes, ...(QrUrls ?? [])] }).id;
    }),
    answers: 'ids',
  },
  { ...retailId, at: 'POST /retailid/v2/generate', act: generate },
  { ...retailId, at: 'POST /retailid/v2/merge', act: merge },
];
