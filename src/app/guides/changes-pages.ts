import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { lazily } from '../../kernel/lazily.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import { type DocsPlace, docsBar } from '../../platform/http/docs-frame.ts';
import type { RequestContext } from '../../platform/http/request-context.ts';
import { pageSender, sendText } from './guides-pages.ts';

const path = '/docs/changes';
const feedPath = `${path}.atom`;

interface Change {
  readonly version: string;
  /** As HTML. */
  readonly html: string;
  readonly text: string;
}

/** What users notice in each release, as a page and as a feed (Atom, RFC 4287); the texts are those of CHANGELOG.md. */
export function changesPages(
  places: readonly DocsPlace[],
): Readonly<Record<string, (requestContext: RequestContext) => Promise<void>>> {
  const changes = lazily(readChanges);
  const sendPage = pageSender(
    docsBar(places, path),
    `<link rel="alternate" type="application/atom+xml" href="${feedPath}">`,
  );
  return {
    [path]: async (requestContext) => sendPage(requestContext, 'Changes', pageHtml(changes())),
    [feedPath]: async (requestContext) => sendText(requestContext, 'application/atom+xml', feed(changes())),
  };
}

function readChanges(): Change[] {
  const marked = new Marked({
    // The documents that it names are in the repository; the guides are their own page.
    renderer: {
      link({ tokens }: Tokens.Link) {
        return this.parser.parseInline(tokens);
      },
    },
  });
  const changes: Change[] = [];
  let version = '';
  for (const token of marked.lexer(readFileSync(join(projectFolder(), 'CHANGELOG.md'), 'utf8'))) {
    if (token.type === 'heading' && token.depth === 2) version = token.text;
    if (token.type !== 'list' || version === '') continue;
    for (const item of (token as Tokens.List).items) {
      changes.push({ version, html: marked.parseInline(item.text) as string, text: item.text });
    }
  }
  return changes;
}

function pageHtml(changes: readonly Change[]): string {
  const versions = [...new Set(changes.map(({ version }) => version))];
  const parts = versions.map((version) => {
    const items = changes.filter((it) => it.version === version).map(({ html }) => `<li>${html}</li>`);
    return `<h2 id="${version}">${version}</h2>\n<ul>${items.join('\n')}</ul>`;
  });
  return `<h1>Changes</h1>
<p>What users notice, newest first, also as a <a href="${feedPath}">feed</a>. How versions are promised: <a href="/docs/guides/versions">Versions</a>.</p>
${parts.join('\n')}`;
}

/** Every change is an entry, whose id is of its text: a reader shows a new one once. */
function feed(changes: readonly Change[]): string {
  const updated = releasedAt();
  const entries = changes.map(({ version, html, text }) => {
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const title = `${version}: ${text
      .replaceAll(/[*`[\]]|\([^)]*\)/g, '')
      .split(/[.:;] /)[0]!
      .replaceAll('\n', ' ')}`;
    return `<entry><id>urn:dispensary-commerce:change:${digest}</id><title>${escaped(title)}</title><updated>${updated}</updated>
<link href="${path}#${escaped(version)}"/><content type="html">${escaped(html)}</content></entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:dispensary-commerce:changes</id><title>Changes of Dispensary Commerce</title><updated>${updated}</updated>
<author><name>Dispensary Commerce</name></author>
<link rel="self" href="${feedPath}"/><link href="${path}"/>
${entries.join('\n')}
</feed>
`;
}

/** The time of the release, else of the file. */
function releasedAt(): string {
  const release = join(projectFolder(), 'release.json');
  if (existsSync(release)) return JSON.parse(readFileSync(release, 'utf8')).committedAt;
  return statSync(join(projectFolder(), 'CHANGELOG.md')).mtime.toISOString();
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
