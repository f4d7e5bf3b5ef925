import { StaffSessions } from '../src/access/sessions/sessions.ts';
import { allEvents } from '../src/app/all-events.ts';
import {
  allEndpoints,
  allStaffEndpoints,
  createContext,
  describeInterface,
  describeStaffInterface,
} from '../src/app/app.ts';
import { jurisdictionsPage } from '../src/engines/jurisdictions/jurisdictions-page.ts';
import { shippedEdition } from '../src/engines/jurisdictions/shipped-edition.ts';
import { editionSchema, editionText } from '../src/hosting/law/law-editions.ts';
import type { ConnectionConfig } from '../src/platform/database/database.ts';
import type { BlobStore } from '../src/platform/storage/blob-store.ts';
import type { SealedFiles } from '../src/platform/storage/sealed-files.ts';
import { discountKindsFile } from './discount-kinds-file.ts';
import { errorsPage } from './errors-page.ts';
import { eventsContract, eventsPage, shopEventsFile } from './events-files.ts';
import { integratorOperationsFile } from './integrator-operations-file.ts';
import { orderActionsFile } from './order-actions-file.ts';
import { type InterfaceDocument, referencePages, staffPages } from './reference-pages.ts';
import { listSchema } from './schema-listing.ts';
import { staffRightsFile } from './staff-rights-file.ts';

/** A folder with generated files only: obsolete files are removed. */
export const referenceFolder = 'docs/reference';

/** The text of each generated file by its path; the schema is that of a migrated database, by default a new one. */
export async function generatedFiles(migrated?: ConnectionConfig): Promise<Map<string, string>> {
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
    ['contract/events.json', asJson(eventsContract(allEvents))],
    ['contract/errors.md', errorsPage()],
    ['contract/law.json', editionText(shippedEdition)],
    ['contract/law.schema.json', asJson(editionSchema)],
    ['docs/JURISDICTIONS.md', jurisdictionsPage()],
    ['contract/schema.sql', await listSchema(migrated)],
    ['sdk/integrator/src/operations.ts', integratorOperationsFile(document)],
    ['sdk/integrator/src/shop-events.ts', shopEventsFile(allEvents)],
    ['sdk/src/staff-discount-kinds.ts', discountKindsFile()],
    ['sdk/src/staff-order-actions.ts', orderActionsFile()],
    ['sdk/src/staff-rights.ts', staffRightsFile(staffEndpoints)],
    [`${referenceFolder}/events.md`, eventsPage(allEvents)],
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
