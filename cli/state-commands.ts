import { readFileSync } from 'node:fs';
import { stateClients } from '../src/app/state-calls.ts';
import { usStates } from '../src/engines/jurisdictions/us-states.ts';
import { failure } from '../src/kernel/failure.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import { Id, OneOf } from '../src/platform/http/schemas.ts';
import type { ConnectionRow } from '../src/shop/traceability/connection-queries.ts';
import {
  changeConnection,
  createConnection,
  probeConnection,
  selectConnections,
} from '../src/shop/traceability/traceability.ts';
import {
  type Command,
  existingOrganization,
  flag,
  operatorOrigin,
  optional,
  required,
  wholeNumber,
} from './command.ts';
import type { Deployment } from './deployment.ts';
import { UsageError } from './usage-error.ts';

/** The operator's commands for licenses that report to a state (docs/STATE-REPORTS.md). */
export const stateCommands: Readonly<Record<string, Command>> = {
  'state connect': {
    summary:
      'connect a license to the system of its state, or give a connected one another key; asks the state at once',
    options: {
      organization: required('id of the organization', Id()),
      state: required('US state that issued the license, two capital letters', OneOf(usStates)),
      license: required("its number, as the state's system shows it"),
      'key-file': optional(
        "a file with the key of the license's user; required where the service calls the state",
      ),
      location: optional(
        'id of the location that it is for; by default all that have no license of their own',
        Id(),
      ),
      sandbox: flag("the state's system for trying out"),
    },
    run: async (deployment, options) => {
      const organization = await existingOrganization(deployment.operator, options.organization!);
      const id = await connect(deployment, organization, options);
      await ask(deployment, organization, id);
      return shown(deployment, organization, (it) => it.id === id);
    },
  },
  'state list': {
    summary:
      "list an organization's licenses that report to a state, and what hinders them; keys are never shown",
    options: { organization: required('id of the organization', Id()) },
    run: async (deployment, { organization }) =>
      shown(deployment, await existingOrganization(deployment.operator, organization!), () => true),
  },
};

/** Makes the connection of a place, or changes the one that is there. Resolves to its id. */
async function connect(
  { context }: Deployment,
  organization: OrganizationId,
  options: Readonly<Record<string, string>>,
): Promise<number> {
  const inventoryLocationId =
    options.location === undefined ? null : wholeNumber('location', options.location);
  const userKey = options['key-file'] === undefined ? undefined : keyIn(options['key-file']);
  const told = {
    ...{ state: options.state!, isSandbox: options.sandbox !== undefined, licenseNumber: options.license! },
    ...{ isOn: true, ...(userKey !== undefined && { userKey }) },
  };
  const [rows] = await context.database.read(organization, selectConnections({}));
  const known = rows.find((it) => it.inventory_location_id === inventoryLocationId);
  if (known === undefined) {
    return createConnection(context, operatorOrigin, organization, { ...told, inventoryLocationId });
  }
  await changeConnection(context, operatorOrigin, organization, known.id, {
    ...{ ...told, adjustmentReason: known.adjustment_reason },
  });
  return known.id;
}

/** Keys are no options: others on the machine see the options of a command. */
function keyIn(path: string): string {
  try {
    const key = readFileSync(path, 'utf8').trim();
    if (key !== '') return key;
  } catch (error) {
    throw new UsageError(`--key-file: ${(error as Error).message}`);
  }
  throw new UsageError(`--key-file: ${path} is empty`);
}

async function ask({ context, config }: Deployment, organization: OrganizationId, id: number): Promise<void> {
  const connection = await connectionOf(context, organization, id);
  if (connection.system !== 'metrc') return;
  const clients = stateClients(context, config);
  try {
    const client = await clients.clientOf(organization, connection);
    await probeConnection({ context, organization, connection, client }, operatorOrigin);
  } finally {
    clients.close();
  }
}

async function connectionOf(
  { database }: Deployment['context'],
  organization: OrganizationId,
  id: number,
): Promise<ConnectionRow> {
  const [rows] = await database.read(organization, selectConnections({}));
  const row = rows.find((it) => it.id === id);
  if (row === undefined) throw failure('STATE_CONNECTION_NOT_FOUND', 'There is no such connection.');
  return row;
}

async function shown(
  { context }: Deployment,
  organization: OrganizationId,
  isShown: (row: ConnectionRow) => boolean,
) {
  const [all] = await context.database.read(organization, selectConnections({}));
  const rows = all.filter(isShown).map((row) => ({
    ...{ id: row.id, inventoryLocationId: row.inventory_location_id, state: row.state, system: row.system },
    ...{ isSandbox: row.is_sandbox, licenseNumber: row.license_number, isOn: row.is_on },
    ...{ facilityName: row.facility_name, problem: row.problem },
  }));
  const line = (row: (typeof rows)[number]): string =>
    [
      `${row.id}  ${row.state}  ${row.licenseNumber}  ${row.system}${row.isSandbox ? ' sandbox' : ''}`,
      row.isOn ? (row.facilityName ?? '') : 'off',
      row.problem ?? '',
    ]
      .filter((text) => text !== '')
      .join('  ');
  return { lines: rows.length === 0 ? ['none'] : rows.map(line), data: rows };
}
