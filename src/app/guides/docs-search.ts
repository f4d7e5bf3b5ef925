import { type DocsPlace, docsBar } from '../../platform/http/docs-frame.ts';
import type { RequestContext } from '../../platform/http/request-context.ts';
import { type Guide, pageSender } from './guides-pages.ts';

const path = '/docs/search';
const shownMax = 30;
const queryLengthMax = 200;

/** A part of the documents that is found by itself: a section of a guide, or an operation. */
export interface SearchPart {
  readonly title: string;
  readonly path: string;
  /** Without markup. */
  readonly text: string;
}

/** A part with how well it fits. */
interface Found extends SearchPart {
  readonly score: number;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];

/**
 * The parts in which every word of the query begins a word, best first: a word of the title counts as much as many of the text. A hundred
 * thousand words are read in some milliseconds, so there is no index to keep.
 */
export function findParts(parts: readonly SearchPart[], query: string): Found[] {
  const asked = wordsOf(query.slice(0, queryLengthMax));
  if (asked.length === 0) return [];
  return parts
    .flatMap((part): Found[] => {
      const [title, text] = [wordsOf(part.title), wordsOf(part.text)];
      const scores = asked.map((word) => {
        const inTitle = title.filter((it) => it.startsWith(word)).length;
        const inText = text.filter((it) => it.startsWith(word)).length;
        return inTitle * 20 + Math.min(inText, 10);
      });
      return scores.includes(0) ? [] : [{ ...part, score: scores.reduce((sum, it) => sum + it, 0) }];
    })
    .toSorted((a, b) => b.score - a.score || (a.title < b.title ? -1 : 1))
    .slice(0, shownMax);
}

/** The sections of guides: what stands below each heading. */
export function partsOfGuides(guides: readonly Guide[]): SearchPart[] {
  return guides.flatMap(({ name, title, html }) =>
    html.split(/(?=<h[1-3] id=)/).flatMap((section): SearchPart[] => {
      const [, id, heading] = /^<h[1-3] id="([^"]*)">(.*?)<\/h/.exec(section) ?? [];
      if (id === undefined) return [];
      const own = plain(heading!);
      const text = plain(section.slice(section.indexOf('</h') + 5));
      const path = own === title ? `/docs/guides/${name}` : `/docs/guides/${name}#${id}`;
      return [{ title: own === title ? title : `${title}: ${own}`, path, text }];
    }),
  );
}

/** The operations of an OpenAPI description; `page` is the address of its reference. */
export function partsOfReference(document: object, page: string): SearchPart[] {
  const { paths } = document as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  return Object.entries(paths).flatMap(([address, item]) =>
    Object.entries(item).flatMap(([method, operation]): SearchPart[] => {
      const { summary, description, operationId, tags } = operation as Record<string, string> & {
        tags?: string[];
      };
      if (operationId === undefined) return [];
      const tag = tags![0]!.toLowerCase().replaceAll(' ', '-');
      return [
        {
          title: summary!,
          path: `${page}#tag/${tag}/${method.toUpperCase()}${address}`,
          text: `${method.toUpperCase()} ${address} ${operationId} ${description}`,
        },
      ];
    }),
  );
}

/** The page that searches guides and reference: a form and its results, without a script. */
export function searchPage(
  places: readonly DocsPlace[],
  parts: () => readonly SearchPart[],
): Readonly<Record<string, (requestContext: RequestContext) => Promise<void>>> {
  const sendPage = pageSender(docsBar(places, path), '', ["form-action 'self'"]);
  return {
    [path]: async (requestContext) => {
      const query = new URLSearchParams(requestContext.request.url!.split('?', 2)[1] ?? '').get('q') ?? '';
      const found = findParts(parts(), query);
      sendPage(requestContext, query === '' ? 'Search' : `Search: ${escaped(query)}`, pageHtml(query, found));
    },
  };
}

function pageHtml(query: string, found: readonly Found[]): string {
  const items = found.map(
    ({ title, path, text }) =>
      `<li><a href="${escaped(path)}">${escaped(title)}</a><span>${escaped(excerpt(text, query))}</span></li>`,
  );
  const count =
    found.length === shownMax
      ? `The best ${shownMax}`
      : found.length === 1
        ? 'One place'
        : `${found.length} places`;
  const results =
    wordsOf(query).length === 0
      ? ''
      : `<p role="status">${found.length === 0 ? 'Nothing has all of these words. Try fewer, or other ones.' : `${count}.`}</p>
<ol class="list">${items.join('\n')}</ol>`;
  return `<h1>Search</h1>
<form action="${path}" role="search"><label>Words in guides, reference and error codes
<input type="search" name="q" value="${escaped(query)}" maxlength="${queryLengthMax}"></label> <button>Search</button></form>
${results}`;
}

/** Some words around the first of the query's. */
function excerpt(text: string, query: string): string {
  const at = Math.max(
    0,
    ...wordsOf(query)
      .map((word) => text.toLowerCase().indexOf(word))
      .slice(0, 1),
  );
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 60)) + 1);
  const part = text.slice(from, from + 180);
  return `${from > 0 ? '… ' : ''}${part.slice(0, Math.max(part.lastIndexOf(' '), 100))} …`;
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
