import { checksummedCollections } from '../src/app/app.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import type { Context } from '../src/platform/database/context.ts';
import { Id } from '../src/platform/http/schemas.ts';
import { findSumDrift, recountSums } from '../src/shop/changes/changes.ts';
import type { SumDrift } from '../src/shop/changes/record-sums.ts';
import type { StockDrift } from '../src/shop/inventory/reconcile-stock.ts';
import { findStockDrift, repairStock } from '../src/shop/inventory/stock.ts';
import {
  auditCommand,
  type Command,
  chosenOrganizations,
  flag,
  optional,
  operatorOrigin as origin,
} from './command.ts';

type Of = { readonly organizationId: number };
type Repaired = { readonly repaired: boolean };

/** Commands that count again what is kept as a sum, and compare. */
export const reconcileCommands: Readonly<Record<string, Command>> = {
  reconcile: {
    summary: 'compare every stock balance and every checksum with what it sums; exit code 1 if they differ',
    options: {
      organization: optional('only this organization', Id()),
      repair: flag('set the sums to what was counted; of balances the audit log records both'),
    },
    run: async ({ context, operator }, options) => {
      const chosen = await chosenOrganizations(operator, options.organization);
      const repairs = options.repair !== undefined;
      const drifts: (StockDrift & Of)[] = [];
      const checksums: (SumDrift & Of & Repaired)[] = [];
      for (const id of chosen) {
        const of: Of = { organizationId: Number(id) };
        const found = repairs ? await repairStock(context, origin, id) : await findStockDrift(context, id);
        drifts.push(...found.map((drift) => ({ ...of, ...drift })));
        for (const drift of await driftsOfSums(context, id, repairs)) {
          checksums.push({ ...of, ...drift, repaired: repairs });
        }
      }
      const lines = [...drifts.map(driftLine), ...checksums.map(checksumLine)];
      return {
        lines: lines.length === 0 ? [agreement(chosen.length)] : lines,
        data: { organizations: chosen.length, drifts, checksums },
        exitCode: [...drifts, ...checksums].every(({ repaired }) => repaired) ? 0 : 1,
      };
    },
  },
};

async function driftsOfSums(
  context: Context,
  organization: OrganizationId,
  repairs: boolean,
): Promise<SumDrift[]> {
  const drifts: SumDrift[] = [];
  for (const collection of checksummedCollections(context)) {
    const found = await findSumDrift(context, collection, organization);
    if (repairs && found.length > 0) {
      await recountSums(context, collection, organization);
      await auditCommand(context, [organization], { recounted: collection.collection });
    }
    drifts.push(...found);
  }
  return drifts;
}

function agreement(organizations: number): string {
  return organizations === 0
    ? 'There are no organizations, so nothing was compared'
    : `All balances agree with the ledger, and all checksums with the records (${organizations} organizations)`;
}

function driftLine(drift: StockDrift & Of): string {
  const { organizationId, productId, productOptionId, inventoryLocationId, packageId, balance, ledger } =
    drift;
  return (
    `Organization ${organizationId}, product ${productId}, option ${productOptionId ?? 'none'}, ` +
    `location ${inventoryLocationId}, package ${packageId ?? 'none'}: balance ${balance}, ledger ${ledger}` +
    (drift.repaired ? `; set to ${ledger}` : '')
  );
}

function checksumLine({
  organizationId,
  collection,
  month,
  kept,
  counted,
  repaired,
}: SumDrift & Of & Repaired) {
  return (
    `Organization ${organizationId}, checksum of ${collection}${month === '' ? '' : ` ${month}`}: ` +
    `${kept.count} records ${kept.digest}, counted ${counted.count} ${counted.digest}${repaired ? '; set' : ''}`
  );
}
