import { rmSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { californiaShop } from '../../seed/california-shop.ts';
import { type DemoOrganization, loadShop } from '../../seed/load-shop.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { organizationId } from '../../src/kernel/ids.ts';
import type { StaffRole } from '../../src/kernel/staff-roles.ts';
import { startTestService, type TestService } from '../../test/harness/test-service.ts';
import type { TestStaff } from '../../test/harness/test-staff.ts';
import { buildConsole } from '../built-console.test-support.ts';
import { launchBrowser } from './proof-browser.ts';
import { ConsolePage, type PageOptions } from './proof-page.test-support.ts';

/** A shop of the demo, smaller, with the console before it: a service with sockets, and a browser. */
export interface ProofShop {
  readonly service: TestService<Clock>;
  readonly baseUrl: string;
  readonly owner: TestStaff;
  /** Keys and sign-in of the shop. */
  readonly demo: DemoOrganization;
  /**
   * A browser of its own, in which somebody of that role is signed in; null: nobody is. It may have loaded the files of the
   * console before: to begin one anew takes longer than most that is proved in it.
   */
  open(role: StaffRole | null, options?: PageOptions): Promise<ConsolePage>;
  /** As `open`; nothing is loaded yet. */
  openNew(role: StaffRole): Promise<ConsolePage>;
  /** Takes back the browsers that were opened since, and expects that none of them has complained. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Enough for lists with further pages. */
const size = { customers: 80, days: 30, orders: 150 };

/** Starts all of it: some seconds. */
export async function openProofShop(browserPath: string): Promise<ProofShop> {
  const consoleFolder = buildConsole();
  const service = await startTestService<Clock>({ clock: systemClock, consoleFolder });
  const files = { photos: service.photoBlobs, documents: service.documentFiles };
  const demo = await loadShop(service.context, 'production', files, californiaShop, size);
  const { baseUrl } = await service.listen();
  const shop = { organizationId: organizationId(demo.id) };
  const owner = await service.staff(shop);
  const browser: Browser = await launchBrowser(browserPath);
  const opened: ConsolePage[] = [];
  const idle: ConsolePage[] = [];
  const tokenOf = async (role: StaffRole | null) =>
    role === null ? null : (await service.staff(shop, role)).token;
  const openNew = async (token: string | null, options: PageOptions) => {
    const page = await ConsolePage.open(browser, baseUrl, token, options);
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
      const page = idle.pop();
      if (!page) return openNew(token, options);
      opened.push(page);
      await page.begin(token, options);
      return page;
    },
    openNew: async (role) => openNew(await tokenOf(role), {}),
    settle: async () => {
      const pages = opened.splice(0);
      const complaints = await Promise.all(pages.map((page) => page.leave()));
      idle.push(...pages);
      expect(complaints.flat()).toEqual([]);
      expect(service.faults).toEqual([]);
    },
    close: async () => {
      await browser.close();
      await service.close();
      rmSync(consoleFolder, { recursive: true });
    },
  };
}
