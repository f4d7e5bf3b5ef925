import Type from 'typebox';
import { usStates } from '../../engines/jurisdictions/us-states.ts';
import { systemOfState } from '../../engines/state-reports/state-hosts.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List } from '../../platform/http/schemas.ts';
import { selectConnections } from './connection-queries.ts';
import {
  ConnectionBody,
  connectionBodyExample,
  connectionExample,
  NewConnectionBody,
  StateConnection,
  StateSystems,
  shownConnection,
} from './connection-schemas.ts';
import { probeConnection } from './probe-connection.ts';
import { changeConnection, connectionIn, createConnection } from './save-connection.ts';
import type { StateClients } from './state-clients.ts';

const path = '/staff/v1/state-connections';
const shared = { roles: ['owner'], tag: 'Traceability' } as const;
const one = {
  params: Type.Object({ stateConnectionId: Id() }),
  resourceParams: { stateConnectionId: 'STATE_CONNECTION_NOT_FOUND' },
} as const;
const success = { data: StateConnection, description: 'The connection', example: connectionExample } as const;

/** Operations on connections to the state's system. */
export function connectionStaffRoutes(context: Context, clients: StateClients): StaffEndpoint[] {
  const { access } = clients;
  const rowsOf = async (organization: OrganizationId) =>
    (await context.database.read(organization, selectConnections({})))[0];
  const shown = async (organization: OrganizationId, id: number) =>
    shownConnection(connectionIn(await rowsOf(organization), id), access);
  return [
    staffEndpoint({
      ...shared,
      roles: ['owner', 'manager', 'inventory'],
      id: 'listStateConnections',
      method: 'GET',
      path,
      kind: 'read',
      readsFrom: { primary: 'a connection is probed and then looked at' },
      list: {
        staysSmall: 'one for each license',
        unsorted: 'a few settings, in the order in which they were made',
      },
      summary: 'List connections to the state',
      description:
        "How each license reports to the state's system, what the state lets it do, and whether the state lets it in. Keys are never shown.",
      success: {
        status: 200,
        data: List(StateConnection, { max: 1_000 }),
        description: 'The connections',
        example: [connectionExample],
      },
      failures: [],
      handle: async ({ staff }) =>
        reply((await rowsOf(staff.organizationId)).map((row) => shownConnection(row, access))),
    }),
    staffEndpoint({
      ...shared,
      id: 'listStateSystems',
      method: 'GET',
      path: '/staff/v1/state-systems',
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'the states of the country', unsorted: 'by their letters' },
      exported: { not: 'it is the same for every organization' },
      summary: 'List how states are reported to',
      description: 'How licenses of each state report: by an interface, by files, or by hand.',
      success: {
        status: 200,
        data: StateSystems,
        description: 'The states',
        example: [
          { state: 'CA', system: 'metrc' },
          { state: 'WA', system: 'ccrs-file' },
        ],
      },
      failures: [],
      handle: async () => reply(usStates.map((state) => ({ state, system: systemOfState(state) }))),
    }),
    staffEndpoint({
      ...shared,
      id: 'createStateConnection',
      method: 'POST',
      path,
      kind: 'write',
      summary: 'Connect a license to the state',
      description:
        'From then on each sale is reported. The state is asked at once what the license may do; `problem` says why it does not let it in.',
      body: NewConnectionBody,
      requestExample: connectionBodyExample,
      success: { ...success, status: 201 },
      failures: ['INVENTORY_LOCATION_NOT_FOUND', 'STATE_CONNECTION_EXISTS'],
      handle: async ({ staff, requestId, body }) => {
        const { organizationId } = staff;
        const id = await createConnection(context, staffOrigin(staff, requestId), organizationId, body);
        return reply(await shown(organizationId, id));
      },
    }),
    staffEndpoint({
      ...shared,
      ...one,
      id: 'updateStateConnection',
      method: 'PUT',
      path: `${path}/{stateConnectionId}`,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Change a connection to the state',
      description: 'Replaces the settings. Without `userKey` the key stays.',
      body: ConnectionBody,
      requestExample: {
        ...{ state: 'CA' as const, isSandbox: false, licenseNumber: 'TEST-R-0001', isOn: true },
        adjustmentReason: null,
      },
      success: { ...success, status: 200 },
      failures: ['STATE_CONNECTION_NOT_FOUND'],
      handle: async ({ staff, requestId, params, body, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        await changeConnection(context, origin, staff.organizationId, params.stateConnectionId, body);
        return reply(await shown(staff.organizationId, params.stateConnectionId));
      },
    }),
    staffEndpoint({
      ...shared,
      ...one,
      id: 'probeStateConnection',
      method: 'POST',
      path: `${path}/{stateConnectionId}/probe`,
      kind: 'write',
      ignoresIdempotencyKey: true,
      summary: 'Ask the state about a license',
      description:
        'Asks the state now which licenses the key opens, what this one may do, and whether receipts can be read. It changes nothing there. `Idempotency-Key` has no effect: each call asks again.',
      success: { ...success, status: 200 },
      failures: ['STATE_CONNECTION_NOT_FOUND'],
      handle: async ({ staff, requestId, params }) => {
        const { organizationId: organization } = staff;
        const connection = connectionIn(await rowsOf(organization), params.stateConnectionId);
        const client = await clients.clientOf(organization, connection);
        const asker = staffOrigin(staff, requestId);
        await probeConnection({ context, organization, connection, client }, asker);
        return reply(await shown(organization, connection.id));
      },
    }),
  ];
}
