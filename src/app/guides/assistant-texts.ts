import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazily } from '../../kernel/lazily.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import type { RequestContext } from '../../platform/http/request-context.ts';
import { type Guide, sendText } from './guides-pages.ts';

type Answer = (requestContext: RequestContext) => Promise<void>;

/**
 * What assistants and their crawlers read (llmstxt.org): `/llms.txt`, which names the documents, each guide as Markdown, and all guides in one
 * text.
 */
export function assistantTexts(guides: () => readonly Guide[]): Readonly<Record<string, Answer>> {
  const names = lazily(() => guides().map(({ name }) => name));
  const markdown = (name: string) =>
    readFileSync(join(projectFolder(), 'docs', 'guides', `${name}.md`), 'utf8');
  const all = lazily(() => names().map(markdown).join('\n\n'));
  const pages: Record<string, Answer> = {
    '/llms.txt': async (requestContext) => sendText(requestContext, 'text/plain', overview(guides())),
    '/llms-full.txt': async (requestContext) => sendText(requestContext, 'text/plain', all()),
  };
  for (const name of names()) {
    pages[`/docs/guides/${name}.md`] = async (requestContext) =>
      sendText(requestContext, 'text/markdown', markdown(name));
  }
  return pages;
}

function overview(guides: readonly Guide[]): string {
  const lines = guides.map(({ name, title, summary }) => {
    const text = summary.replaceAll(/<[^>]*>/g, '').replaceAll('\n', ' ');
    return `- [${title}](/docs/guides/${name}.md): ${text}`;
  });
  return `# Dispensary Commerce

> A self-hosted commerce service for cannabis retailers. Integrators read a shop's menu with live stock, price carts to the cent with taxes and
> purchase limits, place orders exactly once, and follow changes by webhooks or a feed. JSON over HTTP; money is integer cents.

Requests carry X-Consumer-Key and X-Client-Key; pages carry a publishable key. Never invent an operation: all are in the OpenAPI description.
An assistant with keys uses the tools of \`dispensary mcp\` (Model Context Protocol), read-only unless started with --writes.

## Guides

${lines.join('\n')}

## Reference

- [OpenAPI 3.1](/openapi.json): every operation, field, refusal and webhook
- [OpenAPI 3.0](/openapi-3.0.json): the same, for older tools
- [Error codes](/docs/guides/error-codes): what each code means and what to do
- [Changes](/docs/changes.atom): what is new

## Optional

- [All guides in one text](/llms-full.txt)
- [Postman collection](/docs/postman.json)
`;
}
