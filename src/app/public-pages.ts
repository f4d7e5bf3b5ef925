import { lazily } from '../kernel/lazily.ts';
import { localDateAt } from '../kernel/local-time.ts';
import type { Context } from '../platform/database/context.ts';
import type { DocsPlace } from '../platform/http/docs-frame.ts';
import { postmanCollection } from '../platform/http/postman-collection.ts';
import type { RequestContext } from '../platform/http/request-context.ts';
import { selectStopOfOrder } from '../shop/deliveries/deliveries.ts';
import { limitsPages } from '../shop/limit-calculator/limits-page.ts';
import { trackingPages } from '../shop/tracking/tracking.ts';
import { assistantTexts } from './guides/assistant-texts.ts';
import { changesPages } from './guides/changes-pages.ts';
import { partsOfGuides, partsOfReference, searchPage } from './guides/docs-search.ts';
import { embeddedMenu } from './guides/embedded-menu.ts';
import { guidesPages, readDocuments } from './guides/guides-pages.ts';
import { securityContact } from './guides/security-contact.ts';

/** The parts of the documents, in the order of their bar. */
export const docsPlaces: readonly DocsPlace[] = [
  { path: '/docs/guides/', name: 'Guides' },
  { path: '/docs/', name: 'API reference' },
  { path: '/docs/search', name: 'Search' },
  { path: '/docs/changes', name: 'Changes' },
  { path: '/docs/limits', name: 'Purchase limits' },
  { path: '/staff/docs/', name: 'Staff API reference' },
];

interface PublicFacts {
  /** The description of the interface for integrators. */
  readonly openApi: () => object;
  /** Whom to tell of a weakness; undefined: no one is named. */
  readonly securityContact: string | undefined;
}

/** The public pages besides the reference: guides, what is made of them, and facts of the law. Only the page of a delivery has data of an organization. */
export function publicPages(context: Context, facts: PublicFacts) {
  const { clock, law } = context;
  const documents = lazily(readDocuments);
  const parts = lazily(() => {
    const { guides, further } = documents();
    return [...partsOfGuides([...guides, ...further]), ...partsOfReference(facts.openApi(), '/docs/')];
  });
  const collection = lazily(() => JSON.stringify(postmanCollection(facts.openApi() as never)));
  return {
    ...guidesPages(docsPlaces),
    ...assistantTexts(() => documents().guides),
    ...changesPages(docsPlaces),
    ...searchPage(docsPlaces, parts),
    ...securityContact(facts.securityContact, () => clock.now()),
    ...embeddedMenu(),
    ...trackingPages(context, selectStopOfOrder),
    '/docs/postman.json': async (requestContext: RequestContext) =>
      requestContext.sendJson(200, collection()),
    ...limitsPages({
      places: docsPlaces,
      known: () => law.current.edition.jurisdictions,
      // The page belongs to no shop; its user can change the day.
      today: () => localDateAt(clock.now(), 'America/New_York'),
    }),
  };
}
