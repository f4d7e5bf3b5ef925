import { type Json, type JsonRow, membersOf } from './json-rows.ts';
import { printPackage } from './printed-stock.ts';
import type { LabResult } from './state-models.ts';
import { unauthorized } from './state-refusals.ts';
import { type Call, fixedRows, listed, type Route } from './state-route.ts';
import { utcInstant } from './state-times.ts';
import { categories } from './state-vocabulary.ts';
import type { StateWorld } from './state-world.ts';

/* Lab results: one row for each kind of test. */

const kinds = ['THC (%)', 'CBD (%)', 'Pesticides', 'Heavy Metals', 'Microbials', 'Moisture'];

function labTypes({ world }: Call): Json[] {
  const count = Number(world.settings['lab-types']);
  return Array.from({ length: count }, (_, at) => ({
    ...{ Id: at + 1, Name: at < kinds.length ? kinds[at]! : `${kinds[at % kinds.length]} ${at}` },
    ...{ RequiresTestResult: true, InformationalOnly: false, ResearchAndDevelopment: false },
    ...{ AlwaysPasses: false, MaxAllowedFailureCount: 0, LabTestResultMode: 0, DependencyMode: 0 },
    ...membersOf('LabTestResultMinimum LabTestResultMaximum LabTestResultExpirationDays', null),
  }));
}

const batch: Json = {
  ...{ Id: 1, Name: 'Full panel', LabTestTypeCount: kinds.length, LabTestTypes: kinds },
  ItemCategoryCount: categories.length,
  ItemCategories: categories.map((ProductCategory, at) => ({
    ...{ ProductCategoryId: at + 1, ProductCategory, RequireLabTestBatch: true },
  })),
  RequiresAllFromLabTestBatch: true,
};

function printResult(world: StateWorld, it: LabResult): JsonRow {
  const from = world.packages.byId(it.packageId);
  const item = from && world.items.byId(from.itemId);
  const all = world.labResults.all().filter(({ packageId }) => packageId === it.packageId);
  return {
    ...{ PackageId: it.packageId, LabTestResultId: it.id, LabFacilityLicenseNumber: 'TEST-L-0001' },
    ...{ LabFacilityName: 'Clear Water Lab', SourcePackageLabel: from?.label ?? null },
    ...{ ProductName: item?.name ?? null, ProductCategoryName: item?.category ?? null },
    ...{ TestPerformedDate: it.performedDate, OverallPassed: all.every(({ passed }) => passed) },
    ...{
      RevokedDate: it.revokedDate,
      LabTestResultDocumentFileId: null,
      ResultReleased: it.releasedMs !== null,
    },
    ResultReleaseDateTime: it.releasedMs === null ? null : utcInstant(it.releasedMs),
    ...{
      ExpirationDateTime: null,
      TestTypeName: it.testType,
      TestPassed: it.passed,
      TestResultLevel: it.level,
    },
    ...{ TestComment: '', TestInformationalOnly: false, LabTestDetailRevokedDate: it.revokedDate },
  };
}

function results(call: Call) {
  const { world, query, licenses } = call;
  const packageId = Number(query.get('packageId'));
  // The results go with the package to its next license.
  if (world.packages.seenById(packageId, licenses) === undefined) throw unauthorized();
  const everyLicense = world.facilities.map(({ license }) => license);
  return listed(
    { licenses: everyLicense },
    world.labResults,
    (it) => printResult(world, it),
    (it) => it.packageId === packageId,
  );
}

/** Test samples: the package with the members of its newest result. */
function samples(call: Call) {
  const { world } = call;
  return listed(
    call,
    world.packages,
    (it, changed) => {
      const result = world.labResults.all().findLast(({ packageId }) => packageId === it.id);
      return {
        ...printPackage(world, it, changed),
        ...(result === undefined ? membersOf(resultMembers, null) : printResult(world, result)),
      };
    },
    ({ extra }) => extra.IsTestingSample === true,
  );
}

const resultMembers = `LabTestResultId LabFacilityLicenseNumber LabFacilityName TestPerformedDate OverallPassed
  RevokedDate LabTestResultDocumentFileId ResultReleased ResultReleaseDateTime TestTypeName TestPassed
  TestResultLevel TestComment`;

const rights = ['View Packages', 'Manage Packages Inventory'];

export const labRoutes: readonly Route[] = [
  { at: 'GET /packages/v2/labsamples', rights, window: 'stock', list: samples },
  { at: 'GET /labtests/v2/results', rights, list: results },
  { at: 'GET /labtests/v2/types', license: 'none', list: (call) => fixedRows(labTypes(call)) },
  { at: 'GET /labtests/v2/batches', license: 'none', list: () => fixedRows([batch]) },
  {
    at: 'GET /labtests/v2/labtestdocument/{id}',
    read: () => {
      throw unauthorized();
    },
  },
];
