import type { DocsPlace } from '../platform/http/docs-frame.ts';

/** The parts of the documents, in the order of their bar. */
export const docsPlaces: readonly DocsPlace[] = [
  { path: '/docs/guides/', name: 'Guides' },
  { path: '/docs/', name: 'API reference' },
  { path: '/docs/limits', name: 'Purchase limits' },
  { path: '/staff/docs/', name: 'Staff API reference' },
];
