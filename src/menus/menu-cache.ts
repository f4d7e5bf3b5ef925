import { createHash } from 'node:crypto';
import type { Context } from '../database/context.ts';
import { OrganizationCache } from '../database/organization-cache.ts';
import type { OrganizationId } from '../kernel/ids.ts';

/** A page before it is kept. */
export interface RenderedMenu {
  readonly text: string;
  /** Of what it is made of; undefined where nobody has asked for it. */
  readonly digest: string | undefined;
}

/** Where a page comes from. */
export interface MenuSource {
  /** The digest is of the very rows that are shown, and takes the database as long again. */
  render(withDigest: boolean): Promise<RenderedMenu>;
  /** Of what the page would be made of now. */
  digest(): Promise<string>;
}

export interface MenuPage {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly digest: string | undefined;
}

type Pages = Map<string, Promise<MenuPage> | MenuPage>;

/**
 * Keeps rendered menu pages while nothing has changed. Concurrent readers share one rendering. Of a page that lived to the
 * end of its time without a write of this process, the database is asked whether another one has changed what it shows: a
 * shop that is only looked at is rendered twice, and then no more.
 */
export class MenuCache {
  readonly #kept: OrganizationCache<{ readonly pages: Pages; readonly aged: Pages | undefined }>;

  constructor(context: Pick<Context, 'database' | 'clock'>) {
    this.#kept = new OrganizationCache(context, (before) => ({ pages: new Map(), aged: before?.pages }));
  }

  /** A promise only while it is made; its source is asked for only then. */
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
  const { text, digest } = await source.render(withDigest);
  const bytes = Buffer.from(text);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  return { bytes, etag, digest };
}
