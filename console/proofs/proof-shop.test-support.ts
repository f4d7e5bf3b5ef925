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
  /** A browser of its own, in which somebody of that role is signed in; null: nobody is. */
  open(role: StaffRole | null, options?: PageOptions): Promise<ConsolePage>;
  /** Closes the browsers that were opened since, and expects that none of them has complained. */
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
  return {
    service,
    baseUrl,
    owner,
    demo,
    open: async (role, options = {}) => {
      const staff = role === null ? null : await service.staff(shop, role);
      const page = await ConsolePage.open(browser, baseUrl, staff?.token ?? null, options);
      opened.push(page);
      return page;
    },
    settle: async () => {
      const pages = opened.splice(0);
      await Promise.all(pages.map((page) => page.close()));
      expect(pages.flatMap(({ complaints }) => complaints)).toEqual([]);
      expect(service.faults).toEqual([]);
    },
    close: async () => {
      await browser.close();
      await service.close();
      rmSync(consoleFolder, { recursive: true });
    },
  };
}
