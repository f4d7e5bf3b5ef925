import { createHash } from 'node:crypto';
import type { Context } from '../database/context.ts';
import { KeptByOrganization } from '../database/kept-by-organization.ts';
import type { OrganizationId } from '../kernel/ids.ts';

export interface MenuPage {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Keeps rendered menu pages while nothing has changed. Concurrent readers share one rendering. */
export class MenuCache {
  readonly #pages: KeptByOrganization<Map<string, Promise<MenuPage> | MenuPage>>;

  constructor(context: Pick<Context, 'database' | 'clock'>) {
    this.#pages = new KeptByOrganization(context, () => new Map());
  }

  /** A promise only while it is rendered. */
  page(
    organization: OrganizationId,
    name: string,
    render: () => Promise<string>,
  ): Promise<MenuPage> | MenuPage {
    const pages = this.#pages.of(organization);
    const known = pages.get(name);
    if (known !== undefined) return known;
    const page = render().then((text) => {
      const bytes = Buffer.from(text);
      return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
    });
    pages.set(name, page);
    page.then(
      (made) => pages.set(name, made),
      () => pages.delete(name),
    );
    return page;
  }
}
