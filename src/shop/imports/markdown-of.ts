import { Parser } from 'htmlparser2';

/**
 * Descriptions in HTML, as other systems write them, in Markdown. Everything here takes time in proportion to the text, whatever
 * it says: the parser hands over one tag at a time, and no tree of them is made.
 */

// Within a tag neither < nor > may stand: otherwise each "<p " would be looked for its end again.
const tag =
  /<\/?(?:p|br|div|span|b|strong|i|em|u|s|ul|ol|li|h[1-6]|a|img|table|thead|tbody|tr|td|th|hr|blockquote|font|small|sup|sub|script|style|iframe)(?:\s[^<>]*)?\/?>/i;
const entity =
  /&(?:amp|lt|gt|quot|apos|nbsp|rsquo|lsquo|rdquo|ldquo|ndash|mdash|hellip|bull|#\d{1,6}|#x[0-9a-f]{1,5});/i;
const safeAddress = /^(?:https?:\/\/|mailto:|tel:)/i;

const headings = new Map([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, `${'#'.repeat(level)} `]));
const strong = new Set(['b', 'strong']);
const emphasis = new Set(['i', 'em']);
/** Tags that begin and end a paragraph. */
const blocks = new Set([
  ...['p', 'div', 'section', 'article', 'header', 'footer', 'main', 'nav', 'aside', 'figure', 'figcaption'],
  ...['address', 'center', 'dl', 'dt', 'dd', 'fieldset', 'form', 'pre', 'table', 'tr', 'caption', 'details'],
  ...headings.keys(),
]);
/** What they hold is no text to read. */
const unread = new Set([
  ...['script', 'style', 'iframe', 'object', 'noscript', 'head', 'title', 'template', 'svg', 'math'],
  ...['select', 'textarea', 'video', 'audio', 'canvas'],
]);
/** Lists and quotes that are deeper stand at this depth. */
const depthMax = 6;

/** Longer texts than a cell may have stay as they are, for their reader to refuse. */
const convertedMax = 32_768;

/** A description in Markdown. HTML is converted; a text without tags and entities stays as it is. */
export function markdownOf(text: string): string {
  if (text.length > convertedMax) return text;
  if (!tag.test(text) && !entity.test(text)) return text;
  const writer = new MarkdownWriter();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => writer.open(name, attributes),
      onclosetag: (name) => writer.close(name),
      ontext: (part) => writer.text(part),
    },
    { decodeEntities: true },
  );
  parser.end(text);
  return writer.end();
}

/** The body of a product with its description in Markdown; the body can have any shape. */
export function withMarkdown(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const { description, exported } = body as { readonly description?: unknown; readonly exported?: unknown };
  // An export has it in Markdown already.
  return typeof description === 'string' && exported === undefined
    ? { ...body, description: markdownOf(description) }
    : body;
}

interface Container {
  readonly kind: 'ul' | 'ol' | 'blockquote';
  /** The number of the next item. */
  next: number;
}

interface Mark {
  readonly kind: 'link' | 'strong' | 'emphasis';
  readonly begin: string;
  readonly end: string;
}

const strongMark: Mark = { kind: 'strong', begin: '**', end: '**' };
const emphasisMark: Mark = { kind: 'emphasis', begin: '*', end: '*' };

/** Writes Markdown as tags come. A tag that is never closed, or closed elsewhere, does no harm: marks end with their paragraph. */
class MarkdownWriter {
  readonly #pieces: string[] = [];
  readonly #containers: Container[] = [];
  /** Lists and quotes beyond `depthMax`. */
  #tooDeep = 0;
  #unread = 0;
  #strong = 0;
  #emphasis = 0;
  #link: Mark | null = null;
  /** The marks that have begun in this paragraph, the outermost first. */
  #begun: Mark[] = [];
  #heading: string | null = null;
  /** What begins the next line: the sign of an item, which nothing has followed yet. */
  #item: string | null = null;
  #lastIndent = '';
  #isInParagraph = false;
  #hasText = false;
  #space = '';
  /** Whether the next paragraph follows without an empty line, as an item does. */
  #isClose = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (unread.has(name)) this.#unread++;
    if (this.#unread > 0) return;
    if (strong.has(name)) this.#strong++;
    else if (emphasis.has(name)) this.#emphasis++;
    else if (name === 'a') this.#link = linkTo(attributes.href ?? '');
    else if (name === 'br') this.#space = this.#isInParagraph ? '\n' : '';
    else if (name === 'td' || name === 'th') this.#addSpace();
    else if (name === 'hr') this.#rule();
    else if (name === 'li') this.#beginItem();
    else if (name === 'ul' || name === 'ol' || name === 'blockquote') this.#enter(name);
    else if (blocks.has(name)) {
      this.#endParagraph();
      this.#heading = headings.get(name) ?? null;
    }
  }

  close(name: string): void {
    if (unread.has(name)) this.#unread = Math.max(0, this.#unread - 1);
    if (this.#unread > 0) return;
    if (strong.has(name)) this.#strong = Math.max(0, this.#strong - 1);
    else if (emphasis.has(name)) this.#emphasis = Math.max(0, this.#emphasis - 1);
    else if (name === 'a') this.#link = null;
    else if (name === 'li') {
      this.#endParagraph();
      this.#item = null;
      this.#isClose = true;
    } else if (name === 'ul' || name === 'ol' || name === 'blockquote') this.#leave();
    else if (blocks.has(name)) {
      this.#endParagraph();
      this.#heading = null;
    }
  }

  text(part: string): void {
    if (this.#unread > 0) return;
    // One after the other, because a pattern for the whole would look at each run of spaces again.
    for (const word of part.replaceAll('\u00a0', ' ').split(/([ \t\n\r\f]+)/)) {
      if (word === '') continue;
      if (/^[ \t\n\r\f]/.test(word)) this.#addSpace();
      else this.#word(word);
    }
  }

  end(): string {
    this.#endParagraph();
    return this.#pieces.join('').trim();
  }

  #addSpace(): void {
    if (this.#isInParagraph && this.#space === '') this.#space = ' ';
  }

  #word(word: string): void {
    if (!this.#isInParagraph) this.#beginParagraph();
    const wanted = [
      ...(this.#link === null ? [] : [this.#link]),
      ...(this.#strong > 0 ? [strongMark] : []),
      ...(this.#emphasis > 0 ? [emphasisMark] : []),
    ];
    let kept = 0;
    while (kept < this.#begun.length && this.#begun[kept] === wanted[kept]) kept++;
    this.#endMarks(kept);
    this.#pieces.push(this.#space === '\n' ? `  \n${this.#indent()}` : this.#space);
    this.#space = '';
    const begun = wanted.slice(kept);
    this.#pieces.push(...begun.map(({ begin }) => begin));
    this.#begun.push(...begun);
    this.#pieces.push(this.#hasText || begun.length > 0 ? escaped(word) : escapedAtStart(word));
    this.#hasText = true;
  }

  #endMarks(kept: number): void {
    for (const { end } of this.#begun.splice(kept).reverse()) this.#pieces.push(end);
  }

  #beginParagraph(): void {
    const indent = this.#indent();
    if (this.#pieces.length > 0) {
      // The empty line between two paragraphs belongs to the quote that both are in.
      const common = indent.startsWith(this.#lastIndent) ? this.#lastIndent : indent;
      this.#pieces.push(this.#isClose ? '\n' : `\n${common.trimEnd()}\n`);
    }
    this.#lastIndent = indent;
    const item = this.#item;
    this.#pieces.push(item === null ? indent : this.#indent(1) + item, this.#heading ?? '');
    this.#item = null;
    this.#isClose = false;
    this.#isInParagraph = true;
    this.#hasText = false;
    this.#space = '';
  }

  #endParagraph(): void {
    if (!this.#isInParagraph) return;
    this.#endMarks(0);
    this.#isInParagraph = false;
    this.#space = '';
  }

  #rule(): void {
    this.#endParagraph();
    this.#beginParagraph();
    this.#pieces.push('---');
    this.#endParagraph();
  }

  #beginItem(): void {
    this.#endParagraph();
    const list = this.#containers.at(-1);
    this.#item = list?.kind === 'ol' ? `${list.next++}. ` : '- ';
  }

  #enter(kind: Container['kind']): void {
    // A list within an item follows its text at once.
    const isWithin = this.#isInParagraph && kind !== 'blockquote' && this.#containers.length > 0;
    this.#endParagraph();
    this.#isClose = isWithin;
    if (this.#containers.length < depthMax) this.#containers.push({ kind, next: 1 });
    else this.#tooDeep++;
  }

  #leave(): void {
    this.#endParagraph();
    this.#item = null;
    if (this.#tooDeep > 0) this.#tooDeep--;
    else this.#containers.pop();
    this.#isClose = this.#containers.some(({ kind }) => kind !== 'blockquote');
  }

  /** What stands before each line, without the innermost `left` lists. */
  #indent(left = 0): string {
    return this.#containers
      .slice(0, this.#containers.length - left)
      .map(({ kind }) => (kind === 'blockquote' ? '> ' : kind === 'ul' ? '  ' : '   '))
      .join('');
  }
}

/** Null for an address that is no web address, such as a script. */
function linkTo(href: string): Mark | null {
  const address = href.trim();
  if (!safeAddress.test(address)) return null;
  return { kind: 'link', begin: '[', end: `](${address.replace(/[\s()<>\\]/g, percentCode)})` };
}

function percentCode(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** Text with what Markdown would read as its signs. */
function escaped(text: string): string {
  return text.replace(/[\\*_[\]`]/g, '\\$&');
}

function escapedAtStart(text: string): string {
  return escaped(text)
    .replace(/^(?:[-+=>]|#{1,6}$|~~~)/, '\\$&')
    .replace(/^(\d+)\.$/, '$1\\.');
}
