import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { lazily } from '../../kernel/lazily.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import { type DocsPlace, docsBar, docsStyle, docsStylePath } from '../../platform/http/docs-frame.ts';
import { pageHeaders } from '../../platform/http/page-headers.ts';
import type { RequestContext } from '../../platform/http/request-context.ts';

/** The stylesheet of the guides, and of the bar on the other pages. */
const guidesStyle = `${docsStyle}
.guide { margin: 0; background: var(--ground); color: var(--text); font: 17px/1.6 system-ui, sans-serif; }
.guide main { max-width: 46rem; margin: 0 auto; padding: 24px 16px 96px; overflow-wrap: break-word; }
.guide h1 { font-size: 32px; line-height: 1.2; margin: 8px 0 16px; }
.guide h2 { font-size: 22px; line-height: 1.3; margin: 40px 0 8px; }
.guide p, .guide ul, .guide ol { margin: 0 0 16px; }
.guide li { margin: 4px 0; }
.guide a { color: var(--link); }
.guide a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.guide code { font: 0.88em/1.5 ui-monospace, monospace; background: var(--panel); border-radius: 4px; padding: 2px 4px; }
.guide pre { margin: 0 0 16px; padding: 16px; overflow-x: auto; background: var(--panel); border: 1px solid var(--line);
  border-radius: 8px; }
.guide pre code { padding: 0; background: none; overflow-wrap: normal; }
.guide .wide { overflow-x: auto; margin: 0 0 16px; }
.guide table { border-collapse: collapse; min-width: 100%; font-size: 15px; }
.guide th, .guide td { text-align: left; vertical-align: top; padding: 8px; border-bottom: 1px solid var(--line); }
.guide .list { list-style: none; padding: 0; }
.guide .list li { padding: 12px 0; border-bottom: 1px solid var(--line); }
.guide .list a { font-weight: 600; }
.guide .list span { display: block; color: var(--soft); }
.guide label { display: block; margin: 0 0 8px; }
.guide input { font: inherit; box-sizing: border-box; width: 100%; min-height: 44px; padding: 8px; color: inherit; background: var(--ground);
  border: 1px solid var(--field); border-radius: 8px; }
.guide button { font: inherit; min-height: 44px; padding: 8px 16px; color: var(--on-link); background: var(--link); border: 0; border-radius: 8px; }
`;

/** In the order in which an integrator needs them; a guide that is missing here stands behind, by its name. */
const readingOrder = [
  'first-order',
  'how-an-integrator-gets-in',
  'open-a-shop',
  'carts-and-taxes',
  'keys-and-permissions',
  'shop-in-the-browser',
  'cancel-an-order',
  'retries-and-idempotency',
  'errors',
  'know-when-an-order-is-ready',
  'delivery-day',
  'time-slots-and-tracking',
  'webhooks',
  'bring-your-catalog',
  'paging-and-syncing',
  'keep-a-copy-of-orders',
  'customers-and-consent',
  'handle-a-customer-who-wants-to-be-forgotten',
  'other-languages',
  'assistants',
  'going-live',
  'versions',
];

/** Documents beside the guides that they refer to, by the name of their page. */
const furtherPages: Readonly<Record<string, string>> = {
  pricing: 'docs/PRICING.md',
  promotions: 'docs/PROMOTIONS.md',
  checksums: 'docs/CHECKSUMS.md',
  'error-codes': 'contract/errors.md',
  'typescript-client': 'sdk/integrator/README.md',
};

const cacheControl = 'public, max-age=300';
/** No script, and no style except the stylesheet. */
const policy = ["default-src 'none'", "style-src 'self'"];
const noForms = ["form-action 'none'"];

/** A guide as it is shown. */
export interface Guide {
  /** The last part of its address. */
  readonly name: string;
  readonly title: string;
  /** The first paragraph, as HTML. */
  readonly summary: string;
  readonly html: string;
}

type Answer = (requestContext: RequestContext) => Promise<void>;

/**
 * The guides for integrators, by path: an index, a page for each guide and for the documents that they refer to, and the
 * programs that they show. The texts are those of `docs/`; they are read once.
 */
export function guidesPages(places: readonly DocsPlace[]): Readonly<Record<string, Answer>> {
  const guides = lazily(readGuides);
  const sendPage = pageSender(docsBar(places, '/docs/guides/'));
  const pages: Record<string, Answer> = {
    '/': movedTo('/docs/'),
    '/docs/guides': movedTo('/docs/guides/'),
    '/docs/guides/': async (requestContext) => sendPage(requestContext, 'Guides', indexHtml(guides())),
    [docsStylePath]: async (requestContext) => sendText(requestContext, 'text/css', guidesStyle),
  };
  for (const name of guideNames()) {
    pages[`/docs/guides/${name}`] = async (requestContext) => {
      const { title, html } = guides().find((guide) => guide.name === name)!;
      sendPage(requestContext, title, html);
    };
  }
  for (const [name, file] of Object.entries(furtherPages)) {
    const page = lazily(() => render(name, file));
    pages[`/docs/guides/${name}`] = async (requestContext) =>
      sendPage(requestContext, page().title, page().html);
  }
  for (const program of readdirSync(join(projectFolder(), 'docs', 'examples'))) {
    const text = lazily(() => readFileSync(join(projectFolder(), 'docs', 'examples', program), 'utf8'));
    pages[`/docs/examples/${program}`] = async (requestContext) =>
      sendText(requestContext, 'text/plain', text());
  }
  return pages;
}

function guideNames(): string[] {
  const names = readdirSync(join(projectFolder(), 'docs', 'guides')).map((file) => file.replace(/\.md$/, ''));
  const place = (name: string) => (readingOrder.includes(name) ? readingOrder.indexOf(name) : names.length);
  return names.sort((one, other) => place(one) - place(other) || one.localeCompare(other));
}

/** The guides in their order, and the documents that they refer to, read anew. */
export function readDocuments(): { readonly guides: Guide[]; readonly further: Guide[] } {
  const further = Object.entries(furtherPages).map(([name, file]) => render(name, file));
  return { guides: readGuides(), further };
}

function readGuides(): Guide[] {
  return guideNames().map((name) => render(name, `docs/guides/${name}.md`));
}

function render(name: string, file: string): Guide {
  const marked = new Marked({
    renderer: {
      link({ href, tokens }: Tokens.Link) {
        const page = pageOf(href);
        const text = this.parser.parseInline(tokens);
        return page === null ? text : `<a href="${page}">${text}</a>`;
      },
      heading({ depth, tokens, text }: Tokens.Heading) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  const tokens = marked.lexer(readFileSync(join(projectFolder(), file), 'utf8'));
  const title = (tokens.find(({ type }) => type === 'heading') as Tokens.Heading).text;
  const summary = tokens.find(({ type }) => type === 'paragraph') as Tokens.Paragraph;
  return {
    name,
    title,
    summary: marked.parseInline(summary.text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')) as string,
    html: marked
      .parser(tokens)
      .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
      .replaceAll('<pre>', '<pre tabindex="0">'),
  };
}

/** Headings have the anchors that they have where the repository is read. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');
}

/** The address of what a link of a document names by its file; null: it is only in the repository. */
function pageOf(href: string): string | null {
  if (/^[a-z]+:|^#|^\//.test(href)) return href;
  const [path, anchor = ''] = href.split(/(?=#)/, 2) as [string, string?];
  const file = path.split('/').at(-1)!;
  const named = path.replace(/^(\.{1,2}\/)+/, '');
  const further = Object.entries(furtherPages).find(([, it]) => it === named || it.endsWith(`/${named}`));
  if (further !== undefined) return `/docs/guides/${further[0]}${anchor}`;
  if (/^(\.\.\/)?examples\//.test(path)) return `/docs/examples/${file}`;
  if (path.includes('reference/')) return '/docs/';
  const name = file.replace(/\.md$/, '');
  return guideNames().includes(name) ? `/docs/guides/${name}${anchor}` : null;
}

function indexHtml(guides: readonly Guide[]): string {
  const items = guides.map(
    ({ name, title, summary }) =>
      `<li><a href="/docs/guides/${name}">${title}</a><span>${summary}</span></li>`,
  );
  return `<h1>Guides</h1>
<p>How to work with the interface for integrators. Every command and program of these pages is run by a test.
The <a href="/docs/">API reference</a> has every operation, and lets you try it.</p>
<ol class="list">${items.join('\n')}</ol>`;
}

/** Sends pages below a bar, with further lines of the head and directives of the policy. */
export const pageSender =
  (bar: string, head = '', forms: readonly string[] = noForms) =>
  (requestContext: RequestContext, title: string, html: string) => {
    const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${docsStylePath}">${head}
</head>
<body class="guide">
${bar}
<main>
${html}
</main>
</body>
</html>
`;
    const headers = pageHeaders({
      policy: [...policy, ...forms],
      cacheControl,
      referrerPolicy: 'no-referrer',
    });
    requestContext.sendFile({ bytes: Buffer.from(page), headers });
  };

/** Sends a text that the service shows to everybody. */
export function sendText(requestContext: RequestContext, type: string, text: string): void {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': cacheControl };
  requestContext.sendFile({ bytes: Buffer.from(text), headers });
}

function movedTo(location: string): Answer {
  return async (requestContext) => {
    requestContext.headers.location = location;
    requestContext.sendEmpty(301);
  };
}
