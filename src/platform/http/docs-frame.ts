/** The stylesheet that all pages below `/docs` share. Colors keep a contrast of 4.5 to 1 in light and dark. */
export const docsStylePath = '/docs/style.css';

export const docsStyle = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #1b1f23; --soft: #57606a; --line: #c9d1d9; --field: #6e7781;
  --link: #0a58ca; --good: #1a6b34; --bad: #b3261e; --panel: #f4f6f8; --on-link: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181d; --text: #e6e9ec; --soft: #a5aeb8; --line: #39424c; --field: #8b96a1;
    --link: #7db4ff; --good: #72d391; --bad: #ff9a91; --panel: #1d232a; --on-link: #14181d;
  }
}
/* The reference leaves room for the bar. */
:root { --scalar-custom-header-height: 48px; }
.docs-bar { position: sticky; top: 0; z-index: 100; box-sizing: border-box; height: 48px; display: flex; gap: 4px;
  align-items: center; padding: 0 8px; overflow-x: auto; background: var(--ground); color: var(--text);
  border-bottom: 1px solid var(--line); font: 15px/1.2 system-ui, sans-serif; }
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

/** HTML of the bar on top of the pages of `path`. */
export function docsBar(places: readonly DocsPlace[], path: string): string {
  const links = places.map(
    (place) =>
      `<a href="${place.path}"${place.path === path ? ' aria-current="true"' : ''}>${place.name}</a>`,
  );
  return `<nav class="docs-bar" aria-label="Documentation">${links.join('')}</nav>`;
}
