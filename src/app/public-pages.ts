import { localDateAt } from '../kernel/local-time.ts';
import type { Context } from '../platform/database/context.ts';
import type { DocsPlace } from '../platform/http/docs-frame.ts';
import { limitsPages } from '../shop/limit-calculator/limits-page.ts';
import { guidesPages } from './guides/guides-pages.ts';

/** The parts of the documents, in the order of their bar. */
export const docsPlaces: readonly DocsPlace[] = [
  { path: '/docs/guides/', name: 'Guides' },
  { path: '/docs/', name: 'API reference' },
  { path: '/docs/limits', name: 'Purchase limits' },
  { path: '/staff/docs/', name: 'Staff API reference' },
];

/** The public pages besides the reference: guides, and facts of the law. They have no data of an organization. */
export function publicPages({ clock, law }: Pick<Context, 'clock' | 'law'>) {
  return {
    ...guidesPages(docsPlaces),
    ...limitsPages({
      places: docsPlaces,
      known: () => law.current.edition.jurisdictions,
      // The page belongs to no shop; its user can change the day.
      today: () => localDateAt(clock.now(), 'America/New_York'),
    }),
  };
}
