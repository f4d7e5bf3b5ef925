import TurndownService from 'turndown';

/** Descriptions in HTML, as other systems write them, in Markdown. Loaded by an import only: the library takes 10 MB. */

const tag =
  /<\/?(?:p|br|div|span|b|strong|i|em|u|s|ul|ol|li|h[1-6]|a|img|table|thead|tbody|tr|td|th|hr|blockquote|font|small|sup|sub|script|style|iframe)(?:\s[^>]*)?\/?>/i;
const entity =
  /&(?:amp|lt|gt|quot|apos|nbsp|rsquo|lsquo|rdquo|ldquo|ndash|mdash|hellip|bull|#\d{1,6}|#x[0-9a-f]{1,5});/i;
const safeAddress = /^(?:https?:\/\/|mailto:|tel:)/i;

const converter = makeConverter();

function makeConverter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  });
  service.remove(['script', 'style', 'iframe', 'object', 'noscript', 'head', 'title']);
  // Pictures belong to the photos; an address that is no web address, such as a script, goes.
  service.addRule('pictures', { filter: ['img', 'video', 'audio'], replacement: () => '' });
  service.addRule('unsafe links', {
    filter: (node) => node.nodeName === 'A' && !safeAddress.test(node.getAttribute('href')?.trim() ?? ''),
    replacement: (content) => content,
  });
  return service;
}

/** A description in Markdown. HTML is converted; a text without tags and entities stays as it is. */
export function markdownOf(text: string): string {
  if (!tag.test(text) && !entity.test(text)) return text;
  return converter
    .turndown(text)
    .replace(/\u00a0/g, ' ')
    .trim();
}

/** The body of a product with its description in Markdown; the body can have any shape. */
export function withMarkdown(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const { description } = body as { readonly description?: unknown };
  return typeof description === 'string' ? { ...body, description: markdownOf(description) } : body;
}
