/**
 * The stylesheet that all pages below `/docs` share, in the console's colors. They keep a contrast of 4.5 to 1 in light and dark.
 * The reference names colors of its own, which take these.
 */
export const docsStylePath = '/docs/style.css';

export const docsStyle = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #14191b; --soft: #566566; --line: #dfe5e5; --field: #667476;
  --link: #0f766e; --good: #1f6329; --bad: #a61e1e; --panel: #f5f7f7; --on-link: #ffffff; --brand: #0f766e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101516; --text: #dfe6e6; --soft: #98a7a8; --line: #2c3537; --field: #8b999b;
    --link: #7fdccd; --good: #72d391; --bad: #ff9b9b; --panel: #171d1f; --on-link: #101516;
  }
}
/* The reference leaves room for the bar. */
:root { --scalar-custom-header-height: 56px; }
:is(.light-mode, .dark-mode) {
  --scalar-color-1: var(--text); --scalar-color-2: var(--soft); --scalar-color-3: var(--soft);
  --scalar-color-accent: var(--link); --scalar-background-1: var(--ground); --scalar-background-2: var(--panel);
  --scalar-border-color: var(--line); --scalar-link-color: var(--link);
}
.docs-bar { position: sticky; top: 0; z-index: 100; box-sizing: border-box; height: 56px; display: flex; gap: 4px;
  align-items: center; padding: 0 16px; overflow-x: auto; background: var(--ground); color: var(--text);
  border-bottom: 1px solid var(--line); font: 15px/1.2 system-ui, sans-serif; }
.docs-bar svg { flex: none; width: 28px; height: 28px; margin-right: 4px; }
.docs-bar strong { margin-right: 16px; font-weight: 650; white-space: nowrap; }
.docs-bar a { padding: 12px 8px; color: var(--link); text-decoration: none; white-space: nowrap; }
.docs-bar a:hover { text-decoration: underline; }
.docs-bar a:focus-visible { outline: 3px solid var(--link); outline-offset: -3px; }
.docs-bar a[aria-current] { color: var(--text); font-weight: 600; }
`;

/** A part of the documents, which the bar on top of every page leads to. */
export interface DocsPlace {
  readonly path: string;
  readonly name: string;
}

/** The product's mark, as in the console. */
export const mark = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0f766e"/><path fill="#fff" d="M16 6c1.6 2.6 2.4 5 2.4 7.3 0 1.2-.2 2.3-.6 3.3 1.7-2.3 4-3.8 6.9-4.5-.6 4.2-2.9 7-6.9 8.4 1.7-.1 3.3.2 4.7 1-1.8 1.3-3.7 1.7-5.7 1.2V26h-1.6v-3.3c-2 .5-3.9.1-5.7-1.2 1.4-.8 3-1.1 4.7-1-4-1.4-6.3-4.2-6.9-8.4 2.9.7 5.2 2.2 6.9 4.5-.4-1-.6-2.1-.6-3.3C13.6 11 14.4 8.6 16 6z"/></svg>`;

/** HTML of the bar on top of the pages of `path`. */
export function docsBar(places: readonly DocsPlace[], path: string): string {
  const links = places.map(
    (place) =>
      `<a href="${place.path}"${place.path === path ? ' aria-current="true"' : ''}>${place.name}</a>`,
  );
  return `<nav class="docs-bar" aria-label="Documentation">${mark}<strong>Dispensary Commerce</strong>${links.join('')}</nav>`;
}
