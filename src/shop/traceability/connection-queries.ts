import type { UsState } from '../../engines/jurisdictions/us-states.ts';
import type { FileSettings } from '../../engines/state-reports/file-settings.ts';
import type { StateSystem } from '../../engines/state-reports/state-hosts.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';

/** SQL on connections to the state's system and on the work of each. */

export interface ConnectionRow {
  id: number;
  inventory_location_id: number | null;
  system: StateSystem;
  state: UsState;
  is_sandbox: boolean;
  license_number: string;
  is_on: boolean;
  /** Null: nothing is called. */
  sealed_key: Uint8Array | null;
  sealed_key_master_key_id: string | null;
  adjustment_reason: string | null;
  waste_reason: string | null;
  return_reason: string | null;
  file_settings: FileSettings;
  facility_name: string | null;
  flags: Readonly<Record<string, unknown>>;
  adjustment_reasons: readonly string[];
  return_reasons: readonly string[];
  probed_at: number | null;
  problem: string | null;
  created_at: number;
  updated_at: number;
}

const columns = `id, inventory_location_id, system, state, is_sandbox, license_number, is_on, sealed_key, sealed_key_master_key_id,
          adjustment_reason, waste_reason, return_reason, file_settings, facility_name, flags, adjustment_reasons, return_reasons, probed_at, problem, created_at, updated_at`;

/** All of an organization: a few, in the order in which they were made. */
export const selectConnections = statement<Record<never, never>, ConnectionRow>(
  'select_state_connections',
  `select ${columns} from state_connections where organization_id = :organizationId order by id`,
);

/** The same, locked, so that two changes of one follow each other. */
export const lockConnections = statement<Record<never, never>, ConnectionRow>(
  'lock_state_connections',
  `select ${columns} from state_connections where organization_id = :organizationId order by id for no key update`,
);

export const insertConnections = insertMany<{
  id: number;
  inventoryLocationId: number | null;
  system: string;
  state: string;
  isSandbox: string;
  licenseNumber: string;
  isOn: string;
  sealedKey: Uint8Array | null;
  masterKeyId: string | null;
  adjustmentReasons: string;
  createdAt: string;
  updatedAt: string;
}>('state_connections', {
  id: 'id',
  inventoryLocationId: 'inventory_location_id',
  system: 'system',
  state: 'state',
  isSandbox: 'is_sandbox',
  licenseNumber: 'license_number',
  isOn: 'is_on',
  sealedKey: 'sealed_key',
  masterKeyId: 'sealed_key_master_key_id',
  adjustmentReasons: 'adjustment_reasons',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

export const insertLanes = insertMany<{
  connectionId: number;
  leasedUntil: string;
  nextAt: string;
}>('state_lanes', { connectionId: 'connection_id', leasedUntil: 'leased_until', nextAt: 'next_at' });

/** Whether something was read of the license, or told to the state: its ids there are those of this license only. */
export const selectIsTold = statement<{ id: number }, { is_told: boolean }>(
  'select_is_told_state_connection',
  `select exists (select from state_packages where organization_id = :organizationId and connection_id = :id)
       or exists (select from state_receipts where organization_id = :organizationId and connection_id = :id)
       or exists (select from state_trips where organization_id = :organizationId and connection_id = :id)
       or exists (select from state_filed_rows where organization_id = :organizationId and connection_id = :id)
       or exists (select from state_reports where organization_id = :organizationId and connection_id = :id
                     and (attempts > 0 or state = 'done-by-hand')) as is_told`,
);

/** What people change; the key stays where none is given. */
export const updateConnection = statement<{
  id: number;
  state: string;
  isSandbox: boolean;
  licenseNumber: string;
  isOn: boolean;
  sealedKey: Uint8Array | null;
  masterKeyId: string | null;
  adjustmentReason: string | null;
  wasteReason: string | null;
  returnReason: string | null;
  fileSettings: string;
  updatedAt: string;
}>(
  'update_state_connection',
  `update state_connections
      set state = :state, is_sandbox = :isSandbox, license_number = :licenseNumber, is_on = :isOn,
          sealed_key = coalesce(:sealedKey::bytea, sealed_key),
          sealed_key_master_key_id = coalesce(:masterKeyId::text, sealed_key_master_key_id),
          adjustment_reason = :adjustmentReason, waste_reason = :wasteReason, return_reason = :returnReason,
          file_settings = :fileSettings::jsonb, updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);

/** What a probe found. People's edits are not touched by it, so their time of change stays. */
export const setProbed = statement<{
  id: number;
  facilityName: string | null;
  flags: string;
  reasons: string;
  returnReasons: string;
  problem: string | null;
  probedAt: string;
}>(
  'set_probed_state_connection',
  `update state_connections
      set facility_name = coalesce(:facilityName::text, facility_name), flags = :flags::jsonb,
          adjustment_reasons = :reasons::jsonb, return_reasons = :returnReasons::jsonb, problem = :problem, probed_at = :probedAt
    where organization_id = :organizationId and id = :id`,
);

/** The state does not let the license in, or does again. */
export const setProblem = statement<{ id: number; problem: string | null }>(
  'set_problem_of_state_connection',
  `update state_connections set problem = :problem where organization_id = :organizationId and id = :id`,
);

/** The keys that are sealed with another master key than this one. */
export const selectConnectionsOfOtherKeys = statement<{ masterKeyId: string }, ConnectionRow>(
  'select_state_connections_of_other_keys',
  `select ${columns} from state_connections
    where organization_id = :organizationId and sealed_key_master_key_id <> :masterKeyId order by id for no key update`,
);

export const setSealOfConnection = statement<{ id: number; sealed: Uint8Array; masterKeyId: string }>(
  'set_seal_of_state_connection',
  `update state_connections set sealed_key = :sealed, sealed_key_master_key_id = :masterKeyId
    where organization_id = :organizationId and id = :id`,
);

export interface LaneRow {
  connection_id: number;
  next_at: number;
  receipts_read_until: number | null;
  packages_read_until: number | null;
}

/** Takes the work of a connection, or keeps it: no other worker has it until the end of the lease. No row: another worker has it. */
export const leaseLane = statement<
  { connectionId: number; worker: string; at: string; until: string },
  LaneRow
>(
  'lease_state_lane',
  `update state_lanes set worker = :worker, leased_until = :until
    where organization_id = :organizationId and connection_id = :connectionId
      and (worker = :worker or worker is null or leased_until <= :at)
   returning connection_id, next_at, receipts_read_until, packages_read_until`,
);

/** How far each connection was read. */
export const selectLanes = statement<Record<never, never>, LaneRow>(
  'select_state_lanes',
  `select connection_id, next_at, receipts_read_until, packages_read_until from state_lanes
    where organization_id = :organizationId order by connection_id`,
);

/** Lets others have the work, and says when there is some again. */
export const releaseLane = statement<{ connectionId: number; worker: string; nextAt: string }>(
  'release_state_lane',
  `update state_lanes set worker = null, next_at = :nextAt
    where organization_id = :organizationId and connection_id = :connectionId and worker = :worker`,
);

/** There is something to do at once. */
export const wakeLane = statement<{ connectionId: number; at: string }>(
  'wake_state_lane',
  `update state_lanes set next_at = least(next_at, :at)
    where organization_id = :organizationId and connection_id = :connectionId`,
);

export const setReceiptsRead = statement<{ connectionId: number; until: string }>(
  'set_receipts_read',
  `update state_lanes set receipts_read_until = :until
    where organization_id = :organizationId and connection_id = :connectionId`,
);

export const setPackagesRead = statement<{ connectionId: number; until: string }>(
  'set_packages_read',
  `update state_lanes set packages_read_until = greatest(packages_read_until, :until::timestamptz)
    where organization_id = :organizationId and connection_id = :connectionId`,
);

/** There is nothing to do before that time. */
export const delayLane = statement<{ connectionId: number; nextAt: string }>(
  'delay_state_lane',
  `update state_lanes set next_at = :nextAt
    where organization_id = :organizationId and connection_id = :connectionId`,
);
