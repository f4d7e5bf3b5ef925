import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StaffSessions } from '../src/access/sessions/sessions.ts';
import {
  allEndpoints,
  allEventTypes,
  allStaffEndpoints,
  createContext,
  describeInterface,
  describeStaffInterface,
} from '../src/app/app.ts';
import { jurisdictionsPage } from '../src/engines/jurisdictions/jurisdictions-page.ts';
import { shippedEdition } from '../src/engines/jurisdictions/shipped-edition.ts';
import { editionSchema, editionText } from '../src/hosting/law/law-editions.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import type { BlobStore } from '../src/platform/storage/blob-store.ts';
import type { SealedFiles } from '../src/platform/storage/sealed-files.ts';
import { breakingChanges, type OpenApi } from './compare-contract.ts';
import { discountKindsFile } from './discount-kinds-file.ts';
import { errorsPage } from './errors-page.ts';
import { integratorOperationsFile } from './integrator-operations-file.ts';
import { orderActionsFile } from './order-actions-file.ts';
import { type InterfaceDocument, referencePages, staffPages } from './reference-pages.ts';
import { listSchema } from './schema-listing.ts';
import { staffRightsFile } from './staff-rights-file.ts';

/*
 * Writes the generated files: contract/, docs/reference/ and a file of the SDK. With --check it writes nothing, names
 * files that differ, and exits with 1. It also exits with 1 if v1 breaks the last release (D61):
 * contract/released/v1.json, a copy of contract/v1.json made at the release.
 */

const root = projectFolder();

/** A folder with generated files only: obsolete files are removed. */
const referenceFolder = 'docs/reference';

async function generatedFiles(): Promise<Map<string, string>> {
  // The declarations use no database; an idle pool opens no connection.
  const context = createContext({});
  const files = {} as SealedFiles;
  const document = describeInterface(
    allEndpoints(context, (location) => location, files),
  ) as InterfaceDocument;
  const environment = 'production';
  const sessions = new StaffSessions(context, environment);
  const staffEndpoints = allStaffEndpoints(
    context,
    { sessions, environment, publicUrl: undefined },
    (location) => location,
    files,
    {} as BlobStore,
  );
  const staffDocument = describeStaffInterface(staffEndpoints) as InterfaceDocument;
  await context.database.close();
  const pages = [...referencePages(document), ...referencePages(staffDocument, staffPages)];
  return new Map([
    ['contract/v1.json', asJson(document)],
    ['contract/staff.json', asJson(staffDocument)],
    ['contract/events.json', asJson({ events: allEventTypes })],
    ['contract/errors.md', errorsPage()],
    ['contract/law.json', editionText(shippedEdition)],
    ['contract/law.schema.json', asJson(editionSchema)],
    ['docs/JURISDICTIONS.md', jurisdictionsPage()],
    ['contract/schema.sql', await listSchema()],
    ['sdk/integrator/src/operations.ts', integratorOperationsFile(document)],
    ['sdk/src/staff-discount-kinds.ts', discountKindsFile()],
    ['sdk/src/staff-order-actions.ts', orderActionsFile()],
    ['sdk/src/staff-rights.ts', staffRightsFile(staffEndpoints)],
    ...pages.map(([name, text]): [string, string] => [`${referenceFolder}/${name}`, text]),
  ]);
}

/** Longer objects and lists have a line for each member. */
const lineMax = 130;

/** Writes each object and list that fits on one line on one line: there are thousands of short ones. */
function asJson(value: unknown): string {
  return `${jsonText(value, '')}\n`;
}

function jsonText(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = `${indent} `;
  const members = isList
    ? value.map((item) => jsonText(item, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}: ${jsonText(member, inner)}`);
  const [begin, end] = isList ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) return begin + end;
  const line = `${begin} ${members.join(', ')} ${end}`;
  if (line.length <= lineMax && !line.includes('\n')) return line;
  return `${begin}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${end}`;
}

function readIfThere(path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
}

function obsoletePages(files: ReadonlyMap<string, string>): string[] {
  if (!existsSync(join(root, referenceFolder))) return [];
  return readdirSync(join(root, referenceFolder))
    .map((name) => `${referenceFolder}/${name}`)
    .filter((path) => !files.has(path));
}

const files = await generatedFiles();
const stale = [...files].filter(([path, text]) => readIfThere(path) !== text).map(([path]) => path);
const obsolete = obsoletePages(files);

function lostPromises(): string[] {
  const released = readIfThere('contract/released/v1.json');
  if (released === undefined) return [];
  return breakingChanges(
    JSON.parse(released) as OpenApi,
    JSON.parse(files.get('contract/v1.json')!) as OpenApi,
  );
}

const lawPath = 'contract/law.json';

/** Processes tell editions of the law apart by their names: other facts under the same name would not be taken up. */
function lawHasItsOldName(): boolean {
  const before = readIfThere(lawPath);
  if (before === undefined || !stale.includes(lawPath)) return false;
  const nameOf = (text: string) => (JSON.parse(text) as { edition: string }).edition;
  return nameOf(before) === nameOf(files.get(lawPath)!);
}

if (process.argv.includes('--check')) {
  const complaints = [
    ...[...stale, ...obsolete].map((path) => `${path} is out of date: npm run generate`),
    ...lostPromises().map((change) => `v1 only grows (D61), but ${change}`),
  ];
  for (const complaint of complaints) console.error(complaint);
  process.exitCode = complaints.length > 0 ? 1 : 0;
} else {
  if (lawHasItsOldName()) {
    console.error(
      `${lawPath} has other facts: give src/engines/jurisdictions/shipped-edition.ts a later edition.`,
    );
  }
  for (const path of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), files.get(path)!);
    console.log(`wrote ${path}`);
  }
  for (const path of obsolete) {
    rmSync(join(root, path));
    console.log(`removed ${path}`);
  }
}
