import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { OrganizationCache } from '../../platform/database/organization-cache.ts';
import { type MenuItems, versionOf } from './menu-items.ts';

/** A page before it is cached. */
export interface RenderedMenu {
  readonly bytes: Buffer;
  /** The products one by one; its version becomes the entity tag. Absent: the page is only sent whole. */
  readonly menu?: MenuItems;
  /** The digest of its source rows; undefined if it was not requested. */
  readonly digest: string | undefined;
}

/** The source of a page. */
export interface MenuSource {
  /** The digest covers the same rows that are shown; computing it doubles the database time. */
  render(withDigest: boolean): Promise<RenderedMenu>;
  /** The digest of the current source rows. */
  digest(): Promise<string>;
}

export interface MenuPage extends RenderedMenu {
  readonly etag: string;
}

type Pages = Map<string, Promise<MenuPage> | MenuPage>;

/**
 * Caches rendered menu pages while nothing changes. Concurrent readers share one rendering. When a page expires
 * without a write of this process, the cache asks the database whether another process changed its rows: a shop that
 * is only read is rendered twice, and then never again.
 */
export class MenuCache {
  readonly #kept: OrganizationCache<{ readonly pages: Pages; readonly aged: Pages | undefined }>;

  constructor(context: Pick<Context, 'database' | 'wallClock'>) {
    this.#kept = new OrganizationCache(context, (before) => ({ pages: new Map(), aged: before?.pages }));
  }

  /** A promise only while the page is rendered; the digest is requested only then. */
  page(organization: OrganizationId, name: string, sourceOf: () => MenuSource): Promise<MenuPage> | MenuPage {
    const { pages, aged } = this.#kept.of(organization);
    const known = pages.get(name);
    if (known !== undefined) return known;
    const source = sourceOf();
    const before = aged?.get(name);
    const page = before === undefined ? renderPage(source, false) : confirmPage(source, before);
    pages.set(name, page);
    page.then(
      (made) => {
        pages.set(name, made);
        aged?.delete(name);
      },
      () => pages.delete(name),
    );
    return page;
  }
}

async function confirmPage(source: MenuSource, before: Promise<MenuPage> | MenuPage): Promise<MenuPage> {
  const { digest } = await before;
  if (digest !== undefined && (await source.digest()) === digest) return before;
  return renderPage(source, true);
}

async function renderPage(source: MenuSource, withDigest: boolean): Promise<MenuPage> {
  const rendered = await source.render(withDigest);
  return { ...rendered, etag: `"${rendered.menu?.version ?? versionOf([rendered.bytes])}"` };
}
