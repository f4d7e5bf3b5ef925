import { lockOrganization } from '../../access/organizations/organizations.ts';
import { ccrsReasons } from '../../engines/state-reports/ccrs-columns.ts';
import type { FileSettings } from '../../engines/state-reports/file-settings.ts';
import { type StateSystem, systemOfState } from '../../engines/state-reports/state-hosts.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, type Origin, refuseStaleEdit } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { holdOpenLocations } from '../inventory/stock.ts';
import { forgetConnections } from './connection-facts.ts';
import { sealKey } from './connection-keys.ts';
import {
  type ConnectionRow,
  insertConnections,
  insertLanes,
  lockConnections,
  selectIsTold,
  updateConnection,
  wakeLane,
} from './connection-queries.ts';

/** How a license reports; the key is that of its user. */
interface NewConnection {
  readonly inventoryLocationId: number | null;
  readonly state: string;
  readonly isSandbox: boolean;
  readonly licenseNumber: string;
  /** Absent where nothing is called. */
  readonly userKey?: string;
  readonly isOn: boolean;
}

interface ConnectionChange extends Omit<NewConnection, 'inventoryLocationId' | 'userKey'> {
  /** Absent: the key stays. */
  readonly userKey?: string;
  readonly adjustmentReason: string | null;
  readonly wasteReason?: string | null;
  readonly fileSettings?: FileSettings;
}

/** Makes a connection. Fails with INVENTORY_LOCATION_NOT_FOUND, STATE_CONNECTION_EXISTS, and INVALID_PARAMS without a key that is needed. */
export async function createConnection(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  wanted: NewConnection,
): Promise<number> {
  const sealer = await context.sealing.load();
  const id = await context.ids.takeOne();
  const { inventoryLocationId: locationId, userKey, ...told } = wanted;
  const system = systemOfState(told.state);
  const key = keyOf(system, userKey, (text) => sealKey(sealer, organization, id, text));
  await context.database.write(organization, async (tx) => {
    // Two that are made at once for one place wait for each other here: there is no row yet to lock.
    const [, rows, open] = await tx.run(
      lockOrganization({}),
      lockConnections({}),
      holdOpenLocations({ ids: locationId === null ? [] : [locationId] }),
    );
    if (locationId !== null && open.length === 0) {
      throw failure('INVENTORY_LOCATION_NOT_FOUND', 'There is no such inventory location.');
    }
    if (rows.some((row) => row.inventory_location_id === locationId)) {
      throw failure(
        'STATE_CONNECTION_EXISTS',
        'inventoryLocationId must have no connection yet: change that one.',
      );
    }
    const nowMs = context.clock.now();
    const at = isoTimestamp(nowMs);
    tx.queue(
      ...insertConnections([
        {
          ...{ id, inventoryLocationId: locationId, system, state: told.state },
          ...{
            isSandbox: String(told.isSandbox),
            licenseNumber: told.licenseNumber,
            isOn: String(told.isOn),
          },
          // What the state takes as reasons; of an interface they are read there.
          adjustmentReasons: JSON.stringify(system === 'ccrs-file' ? ccrsReasons : []),
          ...{ sealedKey: key?.sealed ?? null, masterKeyId: key?.masterKeyId ?? null },
          ...{ createdAt: at, updatedAt: at },
        },
      ]),
      // Only what is called needs a worker.
      ...(system === 'metrc' ? insertLanes([{ connectionId: id, leasedUntil: at, nextAt: at }]) : []),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'state_connection.created',
      subjectType: 'state_connection',
      subjectId: id,
      payload: { stateConnectionId: id },
      details: { ...told, inventoryLocationId: locationId },
    });
  });
  forgetConnections(context, organization);
  return id;
}

/** Changes a connection. Fails with STATE_CONNECTION_NOT_FOUND, STALE_EDIT, and INVALID_PARAMS for a reason that the state does not have, or another license than was told. */
export async function changeConnection(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  { userKey, ...asked }: ConnectionChange,
): Promise<void> {
  const sealer = await context.sealing.load();
  const key =
    userKey === undefined || systemOfState(asked.state) !== 'metrc'
      ? null
      : sealKey(sealer, organization, id, userKey);
  await context.database.write(organization, async (tx) => {
    const [rows] = await tx.run(lockConnections({}));
    const row = connectionIn(rows, id);
    refuseStaleEdit(origin, row.updated_at);
    if (systemOfState(asked.state) !== row.system) {
      throw failure(
        'INVALID_PARAMS',
        'state must be one that reports in the same way: make a new connection.',
      );
    }
    const before = settingsOf(row);
    const change = { ...before, ...asked };
    await refuseOtherLicense(tx, row, change);
    for (const [name, list, reasons] of [
      ['adjustmentReason', 'adjustmentReasons', row.adjustment_reasons],
      ['wasteReason', 'adjustmentReasons', row.adjustment_reasons],
      ['returnReason', 'returnReasons', row.return_reasons],
    ] as const) {
      const reason = change[name];
      if (reason === null || reason === before[name] || reasons.includes(reason)) continue;
      throw failure('INVALID_PARAMS', `${name} must be one of ${list}, or null.`);
    }
    const told = changesOf(before, change) ?? {};
    if (Object.keys(told).length === 0 && key === null) return;
    const nowMs = context.clock.now();
    const at = isoTimestamp(nowMs);
    tx.queue(
      updateConnection({
        ...{ ...change, id, updatedAt: at, fileSettings: JSON.stringify(change.fileSettings) },
        ...{ sealedKey: key?.sealed ?? null, masterKeyId: key?.masterKeyId ?? null },
      }),
      wakeLane({ connectionId: id, at }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'state_connection.updated',
      subjectType: 'state_connection',
      subjectId: id,
      payload: { stateConnectionId: id },
      details: { ...told, ...(key !== null && { userKey: 'replaced' }) },
    });
  });
  forgetConnections(context, organization);
}

/**
 * A connection stays with the license that it has read or told: another one would be asked for ids that it does not have.
 * Nothing is called where people enter a book.
 */
async function refuseOtherLicense(
  tx: TenantTransaction,
  row: ConnectionRow,
  change: Pick<NewConnection, 'state' | 'isSandbox' | 'licenseNumber'>,
): Promise<void> {
  const before: typeof change = settingsOf(row);
  const name = (['state', 'isSandbox', 'licenseNumber'] as const).find((it) => change[it] !== before[it]);
  if (name === undefined || row.system === 'by-hand') return;
  const [[found]] = await tx.run(selectIsTold({ id: row.id }));
  if (!found!.is_told) return;
  const other = row.inventory_location_id === null ? 'each location' : 'all locations';
  throw failure(
    'INVALID_PARAMS',
    `${name} must stay: the state was read or told with it. Turn this connection off, and make a new one for ${other}.`,
  );
}

/** Fails with STATE_CONNECTION_NOT_FOUND. */
export function connectionIn(rows: readonly ConnectionRow[], id: number): ConnectionRow {
  const row = rows.find((it) => it.id === id);
  if (row === undefined) throw failure('STATE_CONNECTION_NOT_FOUND', 'There is no such connection.');
  return row;
}

function settingsOf(row: ConnectionRow) {
  return {
    ...{ state: row.state, isSandbox: row.is_sandbox, licenseNumber: row.license_number },
    ...{ isOn: row.is_on, adjustmentReason: row.adjustment_reason, wasteReason: row.waste_reason },
    ...{ returnReason: row.return_reason, fileSettings: row.file_settings },
  };
}

/** The sealed key of what is called. Fails with INVALID_PARAMS for one that is missing. */
function keyOf<Sealed>(
  system: StateSystem,
  userKey: string | undefined,
  seal: (text: string) => Sealed,
): Sealed | null {
  if (system !== 'metrc') return null;
  if (userKey === undefined) {
    throw failure(
      'INVALID_PARAMS',
      "userKey must be the key of the license's user: the state's interface asks for it.",
    );
  }
  return seal(userKey);
}
