import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIntegrator } from '../src/access/keys/keys.ts';
import type { Environment } from '../src/kernel/api-keys.ts';
import { reasonOfFileFailure } from '../src/kernel/file-failure.ts';
import { organizationId } from '../src/kernel/ids.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import { setOfflineLimits } from '../src/shop/offline-sales/set-offline-limits.ts';
import type { CreatedSandbox } from '../src/shop/sandbox/sandbox.ts';
import { californiaShop } from './california-shop.ts';
import { reportForDemo } from './demo-state.ts';
import { type DemoOrganization, loadShop, type ShopFiles, type ShopSize } from './load-shop.ts';
import { michiganShop } from './michigan-shop.ts';
import type { ShopContent } from './shop-content.ts';

/** The content of `DATA_DIR/demo.json`: the data for a first request. */
export interface DemoFile {
  readonly baseUrl: string;
  readonly menuUrl: string;
  readonly organizations: readonly DemoOrganization[];
  /** The sandbox of the integrator, where the deployment allows sandboxes. Only what a reset leaves as it is. */
  readonly sandbox?: Omit<CreatedSandbox, 'organizationId'>;
}

const origin: Origin = { actor: 'job:seed', requestId: null };

const shops: readonly { readonly content: ShopContent; readonly size: ShopSize }[] = [
  { content: californiaShop, size: { customers: 2500, days: 60, orders: 6000 } },
  { content: michiganShop, size: { customers: 300, days: 60, orders: 400 } },
];

/** Makes both demo shops in an empty database; `portion` below 1 makes fewer people and orders, for tests. */
export async function seedDemo(
  context: Context,
  environment: Environment,
  files: ShopFiles,
  onProgress: (message: string) => void,
  portion = 1,
): Promise<DemoOrganization[]> {
  context.sealing.use(() => files.documents.keys.sealer(context.randomBytes));
  const organizations: DemoOrganization[] = [];
  const name = 'Crosstown Courier';
  const ofAllShops = { name, ...(await createIntegrator(context, environment, name)) };
  for (const { content, size } of shops) {
    onProgress(`Making the demo shop ${content.organization.name} …`);
    const made = await loadShop(
      context,
      environment,
      files,
      content,
      {
        customers: Math.ceil(size.customers * portion),
        days: size.days,
        orders: Math.ceil(size.orders * portion),
      },
      ofAllShops,
    );
    if (content.reportsToState) await reportForDemo(context, made.id);
    // Registers of a demo go on without the service out of the box; an owner of a shop says so.
    const shop = { isOn: true, hoursMax: 4, saleMax: 50_000, outageMax: 1_000_000 };
    await setOfflineLimits(context, origin, organizationId(made.id), { shop, locations: [] });
    organizations.push(made);
  }
  return organizations;
}

const demoFile = (dataDir: string): string => join(dataDir, 'demo.json');
const unfinishedMark = (dataDir: string): string => join(dataDir, 'demo-unfinished');

/** Whether an earlier start was interrupted while it made the demo shops. */
export function isDemoUnfinished(dataDir: string): boolean {
  return existsSync(unfinishedMark(dataDir));
}

export function markDemoUnfinished(dataDir: string): void {
  writeFileSync(unfinishedMark(dataDir), '', { flush: true });
}

/** Stores keys and sign-in readable for this user only. Written completely or not at all. */
export function writeDemoFile(dataDir: string, demo: DemoFile): void {
  const draft = `${demoFile(dataDir)}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, demoFile(dataDir));
  rmSync(unfinishedMark(dataDir), { force: true });
}

/**
 * The same for a service that starts: null also when the file is damaged. It is moved aside then, and what it says about that tells how to
 * get in: keys and passwords are in this file only, so no other one can be made of the database.
 */
export function openDemoFile(dataDir: string, warn: (message: string) => void): DemoFile | null {
  try {
    return readDemoFile(dataDir);
  } catch (error) {
    const path = demoFile(dataDir);
    const aside = `${path}.damaged`;
    let place = `It stays at ${path}`;
    try {
      renameSync(path, aside);
      place = `It is now ${aside}`;
    } catch {
      // A folder that cannot be written.
    }
    warn(
      `${(error as Error).message} ${place}. The demo shops go on; their keys and passwords were in this file only. For a new ` +
        'sign-in run node dispensary.mjs organization invite-owner --help, and make new keys in the console under Integrations. To have new demo shops, ' +
        `stop the service and remove ${dataDir}.`,
    );
    return null;
  }
}

/** Null when this data directory has no demo shops. Throws when the file is damaged. */
export function readDemoFile(dataDir: string): DemoFile | null {
  const path = demoFile(dataDir);
  if (!existsSync(path)) return null;
  const unreadable = (reason: string) =>
    new Error(`${path} cannot be read: ${reason}. Repair or remove the file.`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unreadable(error instanceof SyntaxError ? 'it is not JSON' : reasonOfFileFailure(error));
  }
  if (!isDemoFile(content)) throw unreadable('it lacks the demo shops with their keys');
  return content;
}

function isDemoFile(content: unknown): content is DemoFile {
  const { organizations } = (content ?? {}) as { organizations?: unknown };
  return (
    Array.isArray(organizations) &&
    organizations.length > 0 &&
    organizations.every(
      (shop: Partial<DemoOrganization> | null) =>
        Number.isSafeInteger(shop?.id) &&
        [shop!.name, shop!.consumerKey, shop!.clientKey, shop!.staff?.email, shop!.staff?.password].every(
          (text) => typeof text === 'string',
        ),
    )
  );
}
