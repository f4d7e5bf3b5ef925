import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIntegrator, type Environment } from '../src/access/organizations.ts';
import type { Context } from '../src/database/context.ts';
import { reasonOfFileFailure } from '../src/kernel/file-failure.ts';
import type { CreatedSandbox } from '../src/sandbox/sandbox.ts';
import { californiaShop } from './california-shop.ts';
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
  const organizations: DemoOrganization[] = [];
  const name = 'Crosstown Courier';
  const ofAllShops = { name, ...(await createIntegrator(context, environment, name)) };
  for (const { content, size } of shops) {
    onProgress(`Making the demo shop ${content.organization.name} …`);
    organizations.push(
      await loadShop(
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
      ),
    );
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

/** Null when this data directory has no demo shops. */
export function readDemoFile(dataDir: string): DemoFile | null {
  const path = demoFile(dataDir);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as DemoFile;
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : reasonOfFileFailure(error);
    throw new Error(`${path} cannot be read: ${reason}. Repair or remove the file.`);
  }
}
