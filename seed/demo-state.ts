import { startStateServer } from '../src/hosting/state-server/state-server.ts';
import { organizationId } from '../src/kernel/ids.ts';
import type { Context } from '../src/platform/database/context.ts';
import { stateAsTold } from '../src/shop/traceability/traceability.ts';
import { demoLicense } from './demo-license.ts';

/** What a demo shop reports to. */
export interface DemoState {
  readonly url: string;
  readonly vendorKey: string;
  close(): Promise<void>;
}

/**
 * Plays the state's system for a demo shop, in this process, on loopback. It begins with what the state would have by now. Just after the shop
 * was made, a person holds one package: a report is refused, and the next ones of that package wait. Null: the shop has no license.
 */
export async function startDemoState(
  context: Context,
  organization: number,
  { isNew }: { readonly isNew: boolean },
): Promise<DemoState | null> {
  const told = await stateAsTold(context, organizationId(organization));
  if (told === null) return null;
  const server = await startStateServer({ seed: 'demo shop', state: 'CA', packages: 0 });
  const { world } = server;
  const license = told.licenseNumber;
  const items = new Set<string>();
  for (const { label, productName, unit, quantity } of told.packages) {
    const item = `${productName} (${unit})`;
    const category = unit === 'Grams' ? 'Buds' : 'Pre-Rolls';
    if (!items.has(item)) server.people('add-item', { license, name: item, category, unit });
    items.add(item);
    server.people('add-package', { license, item, label, quantity: quantity.toNumber() });
  }
  // The one that was sold last, so that what was sold before gets through.
  const seen = [...told.openReports];
  const [held] = seen.findLast(([, count]) => count > 1) ?? seen.at(-1) ?? [];
  if (isNew && held !== undefined) server.people('hold-package', { label: held });
  // Reports name receipts of an earlier run: new ones have other identifiers.
  for (let id = 0; id <= told.highestRecordId; ) id = world.nextId();
  return { url: server.url, vendorKey: demoLicense.vendorKey, close: () => server.close() };
}
