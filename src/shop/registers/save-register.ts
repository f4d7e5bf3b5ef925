import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { holdOpenLocations } from '../inventory/stock.ts';
import { selectOpenSession } from './drawer-queries.ts';
import {
  type CashWithoutSession,
  insertRegisters,
  lockRegister,
  type RegisterRow,
  updateRegisterRow,
} from './register-queries.ts';

/** The fields of a register that staff can set. */
interface RegisterSettings {
  readonly name: string;
  readonly inventoryLocationId: number;
  readonly cashWithoutSession: CashWithoutSession;
}

/** Adds a register at a location (D74). Fails with INVENTORY_LOCATION_NOT_FOUND. */
export async function createRegister(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  settings: RegisterSettings,
): Promise<RegisterRow> {
  const nowMs = context.clock.now();
  const id = await context.ids.takeOne();
  return context.database.write(organization, async (tx) => {
    await assertOpenLocation(tx, settings.inventoryLocationId);
    const at = isoTimestamp(nowMs);
    tx.queue(...insertRegisters([{ ...settings, id, createdAt: at, updatedAt: at }]));
    await announce(tx, context, origin, nowMs, {
      event: 'register.created',
      subjectType: 'register',
      subjectId: id,
      payload: { registerId: id },
      details: { registerId: id, ...settings },
    });
    return {
      id,
      name: settings.name,
      inventory_location_id: settings.inventoryLocationId,
      cash_without_session: settings.cashWithoutSession,
      created_at: nowMs,
      updated_at: nowMs,
      archived_at: null,
    };
  });
}

/**
 * Changes the given fields of a register, archives or restores it. A register with an open drawer cannot be archived
 * (DRAWER_IS_OPEN).
 */
export async function changeRegister(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  { archived, ...changes }: Partial<RegisterSettings> & { readonly archived?: boolean },
): Promise<RegisterRow> {
  return context.database.write(organization, async (tx) => {
    const [[row], [open]] = await tx.run(lockRegister({ id }), selectOpenSession({ registerId: id }));
    if (row === undefined) throw registerNotFound();
    refuseStaleEdit(origin, row.updated_at);
    const former = settingsOf(row);
    const settings = { ...former, ...changes };
    if (settings.inventoryLocationId !== former.inventoryLocationId) {
      await assertOpenLocation(tx, settings.inventoryLocationId);
    }
    const wasArchived = row.archived_at !== null;
    const isArchived = archived ?? wasArchived;
    if (isArchived && !wasArchived && open !== undefined) {
      throw failure('DRAWER_IS_OPEN', 'The drawer of this register is open: close it first.');
    }
    const told = changesOf({ ...former, archived: wasArchived }, { ...settings, archived: isArchived });
    if (told === null) return row;
    const nowMs = context.clock.now();
    const archivedAtMs = isArchived ? (row.archived_at ?? nowMs) : null;
    const at = isoTimestamp(nowMs);
    const archivedAt = archivedAtMs === null ? null : isoTimestamp(archivedAtMs);
    tx.queue(updateRegisterRow({ id, ...settings, archivedAt, updatedAt: at }));
    await announce(tx, context, origin, nowMs, {
      event: 'register.updated',
      subjectType: 'register',
      subjectId: id,
      payload: { registerId: id },
      details: { registerId: id, ...told },
    });
    return {
      ...row,
      name: settings.name,
      inventory_location_id: settings.inventoryLocationId,
      cash_without_session: settings.cashWithoutSession,
      updated_at: nowMs,
      archived_at: archivedAtMs,
    };
  });
}

function settingsOf(row: RegisterRow): RegisterSettings {
  return {
    name: row.name,
    inventoryLocationId: row.inventory_location_id,
    cashWithoutSession: row.cash_without_session,
  };
}

async function assertOpenLocation(tx: TenantTransaction, id: number): Promise<void> {
  const [[location]] = await tx.run(holdOpenLocations({ ids: [id] }));
  if (location === undefined) {
    throw failure('INVENTORY_LOCATION_NOT_FOUND', 'There is no such inventory location.');
  }
}

/** The error for a register that does not exist, is archived where it must not be, or belongs to another organization. */
export function registerNotFound() {
  return failure('REGISTER_NOT_FOUND', 'There is no such register.');
}
