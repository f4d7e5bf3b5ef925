import { createHash } from 'node:crypto';
import type { Context } from '../database/context.ts';
import type { OrganizationId } from '../kernel/ids.ts';

/** Another process's write shows on menus within one second. */
const otherProcessesLagMsMax = 900;

interface Entry {
  readonly commitCount: number;
  readonly loadedAtMs: number;
  readonly page: Promise<MenuPage>;
}

export interface MenuPage {
  readonly bytes: Buffer;
  readonly etag: string;
}

/**
 * Keeps rendered menu pages while nothing has changed: a write of this process drops the organization's
 * pages at once, a write of another one within a second. Concurrent readers share one rendering. Only
 * menus: no price of an order ever comes from here.
 */
export class MenuCache {
  readonly #context: Pick<Context, 'database' | 'clock'>;
  readonly #entries = new Map<string, Entry>();

  constructor(context: Pick<Context, 'database' | 'clock'>) {
    this.#context = context;
  }

  page(organization: OrganizationId, name: string, render: () => Promise<string>): Promise<MenuPage> {
    const { database, clock } = this.#context;
    const key = `${organization} ${name}`;
    const commitCount = database.commitCount(organization);
    const nowMs = clock.now();
    const entry = this.#entries.get(key);
    const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : nowMs - entry.loadedAtMs;
    if (entry?.commitCount === commitCount && ageMs >= 0 && ageMs < otherProcessesLagMsMax) return entry.page;
    const page = render().then((text) => {
      const bytes = Buffer.from(text);
      return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
    });
    this.#entries.set(key, { commitCount, loadedAtMs: nowMs, page });
    page.catch(() => this.#entries.delete(key));
    return page;
  }
}
