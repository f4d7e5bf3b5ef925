import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { californiaShop } from '../../seed/california-shop.ts';
import { type DemoOrganization, loadShop } from '../../seed/load-shop.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { organizationId } from '../../src/kernel/ids.ts';
import type { StaffRole } from '../../src/kernel/staff-roles.ts';
import type { BlobStore } from '../../src/platform/storage/blob-store.ts';
import { drawnPhotoSizes } from '../../src/shop/catalog/products.ts';
import { isLongSuite } from '../../test/harness/long-suite.ts';
import { countingEnd } from '../../test/harness/processor-time.ts';
import { startOwnTestService, type TestService } from '../../test/harness/test-service.ts';
import type { TestStaff } from '../../test/harness/test-staff.ts';
import { builtConsole } from '../built-console.test-support.ts';
import { launchBrowser, type Optimizing } from './proof-browser.ts';
import { ConsolePage, type PageOptions } from './proof-page.test-support.ts';

/** A small demo shop with the console: a service on sockets, and a browser. */
export interface ProofShop {
  readonly service: TestService<Clock>;
  readonly baseUrl: string;
  readonly owner: TestStaff;
  /** Keys and sign-in data of the shop. */
  readonly demo: DemoOrganization;
  /**
   * A browser signed in with that role; null: not signed in. It may have the console's files cached, because starting a new
   * browser takes longer than most tests.
   */
  open(role: StaffRole | null, options?: PageOptions): Promise<ConsolePage>;
  /** Like `openNew`, with a session of another shop of the same service. */
  openWith(token: string): Promise<ConsolePage>;
  /** Like `open`, but nothing is loaded yet. */
  openNew(role: StaffRole): Promise<ConsolePage>;
  /** Returns the browsers opened since, and expects no complaints from them. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Enough for lists with several pages. */
const size = { customers: 80, days: 30, orders: 150 };

/** The first drawing stands for all: each takes a fifth of a second of the processor, and the browser as long to unpack it. */
function onePhoto(blobs: BlobStore): (name: string) => Promise<Buffer | null> {
  const draw = drawnPhotoSizes(blobs);
  let one: Buffer | null = null;
  return async (name) => (one ??= await draw(name.replace(/-\d+\.webp$/, '-320.webp')));
}

/** Starts everything; takes some seconds. */
export async function openProofShop(browserPath: string, optimizing: Optimizing): Promise<ProofShop> {
  const consoleFolder = await builtConsole();
  const service = await startOwnTestService<Clock>({
    ...{ clock: systemClock, consoleFolder, signInHostsAllowed: ['127.0.0.1'] },
    drawPhotos: onePhoto,
  });
  const files = { photos: service.photoBlobs, documents: service.documentFiles };
  const demo = await loadShop(service.context, 'production', files, californiaShop, size);
  const { baseUrl } = await service.listen();
  const shop = { organizationId: organizationId(demo.id) };
  const owner = await service.staff(shop);
  // Only the long suite measures the time of a frame.
  const browser: Browser = await launchBrowser(browserPath, isLongSuite ? 'fully' : optimizing);
  const opened: ConsolePage[] = [];
  const idle: ConsolePage[] = [];
  const tokenOf = async (role: StaffRole | null) =>
    role === null ? null : (await service.staff(shop, role)).token;
  const openNew = async (token: string | null, options: PageOptions) => {
    const url = options.isLocalhost ? baseUrl.replace('127.0.0.1', 'localhost') : baseUrl;
    const page = await ConsolePage.open(browser, url, token, options);
    opened.push(page);
    return page;
  };
  return {
    service,
    baseUrl,
    owner,
    demo,
    open: async (role, options = {}) => {
      const token = await tokenOf(role);
      const page = options.isLocalhost ? undefined : idle.pop();
      if (!page) return openNew(token, options);
      opened.push(page);
      await page.begin(token, options);
      return page;
    },
    openWith: async (token) => openNew(token, {}),
    openNew: async (role) => openNew(await tokenOf(role), {}),
    settle: async () => {
      const pages = opened.splice(0);
      const complaints = await Promise.all(pages.map((page) => page.leave()));
      idle.push(...pages.filter(({ isLocalhost }) => !isLocalhost));
      expect(complaints.flat()).toEqual([]);
      expect(service.faults).toEqual([]);
    },
    close: async () => {
      await countingEnd(() => browser.close());
      await service.close();
    },
  };
}
