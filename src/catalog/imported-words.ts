import TurndownService from 'turndown';
import { lazily } from '../kernel/lazily.ts';

/**
 * Words of imported products in the spellings of other systems: strain types, units, categories, descriptions in HTML.
 * A word that is not known stays, for the schema to refuse. Pure.
 */

/** A word without case, punctuation and spaces. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]+/g, '');
}

function tableOf(words: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(words).flatMap(([meaning, others]) =>
      [meaning, ...others].map((word) => [plain(word), meaning] as const),
    ),
  );
}

const strainWords = tableOf({
  sativa: ['s', 'sat'],
  indica: ['i', 'ind'],
  hybrid: ['h', 'hyb', 'balanced', 'balanced hybrid', 'hybrid 50/50', '50/50'],
  'hybrid-sativa': [
    ...[
      'sativa hybrid',
      'sativa dominant',
      'sativa dominant hybrid',
      'sativa leaning',
      'sativa leaning hybrid',
    ],
    ...['hybrid sativa dominant', 'sativa-dom', 'sh', 's/h'],
  ],
  'hybrid-indica': [
    ...[
      'indica hybrid',
      'indica dominant',
      'indica dominant hybrid',
      'indica leaning',
      'indica leaning hybrid',
    ],
    ...['hybrid indica dominant', 'indica-dom', 'ih', 'i/h'],
  ],
  cbd: ['high cbd', 'cbd dominant', 'hemp'],
  mixed: ['mix', 'blend', 'assorted', 'variety'],
  none: ['n/a', 'na', 'not applicable', 'unknown', 'no strain', 'null'],
});

const unitWords = tableOf({
  gram: ['g', 'gr', 'grams', 'weight', 'by weight', 'bulk'],
  item: ['items', 'each', 'ea', 'unit', 'units', 'piece', 'pieces', 'pc', 'count', 'ct', 'package', 'pkg'],
});

/** Words for the same category. A shop calls its own category by one of them. */
const categoryWords: readonly (readonly string[])[] = [
  ['flower', 'flowers', 'bud', 'buds', 'cannabis flower', 'usable marijuana', 'dried flower'],
  ['pre-rolls', 'pre-roll', 'prerolled', 'pre-rolled', 'joints', 'joint'],
  [
    ...[
      'vaporizers',
      'vaporizer',
      'vapes',
      'vape',
      'vape cartridges',
      'vape cartridge',
      'cartridges',
      'cartridge',
    ],
    ...['carts', 'vape pens', 'vape pen'],
  ],
  ['concentrates', 'concentrate', 'extracts', 'extract', 'dabs'],
  ['edibles', 'edible', 'infused edibles', 'infused edible'],
  ['drinks', 'drink', 'beverages', 'beverage', 'infused beverages'],
  ['tinctures', 'tincture', 'sublingual', 'sublinguals'],
  ['topicals', 'topical', 'body care'],
  ['accessories', 'accessory', 'gear', 'paraphernalia', 'merchandise', 'merch'],
  ['seeds', 'seed'],
  ['clones', 'clone', 'plants', 'plant', 'immature plants'],
];

const categoryGroups = new Map(
  categoryWords.flatMap((words) => words.map((word) => [plain(word), words] as const)),
);

/** Other words for a category, without the name itself. */
export function otherCategoryNames(name: string): readonly string[] {
  return (categoryGroups.get(plain(name)) ?? []).filter((word) => word !== name.trim().toLowerCase());
}

type Sent = Readonly<Record<string, unknown>>;

/** A body with the words that the interface expects, and its description in Markdown. */
export function readOtherWords(body: Sent): Sent {
  return {
    ...body,
    ...known(body, 'strainType', strainWords),
    ...known(body, 'unit', unitWords),
    ...(typeof body.description === 'string' && { description: markdownOf(body.description) }),
  };
}

function known(body: Sent, field: string, words: ReadonlyMap<string, string>): Sent {
  const sent = body[field];
  const meaning = typeof sent === 'string' ? words.get(plain(sent)) : undefined;
  return meaning === undefined ? {} : { [field]: meaning };
}

const tag =
  /<\/?(?:p|br|div|span|b|strong|i|em|u|s|ul|ol|li|h[1-6]|a|img|table|thead|tbody|tr|td|th|hr|blockquote|font|small|sup|sub|script|style|iframe)(?:\s[^>]*)?\/?>/i;
const entity =
  /&(?:amp|lt|gt|quot|apos|nbsp|rsquo|lsquo|rdquo|ldquo|ndash|mdash|hellip|bull|#\d{1,6}|#x[0-9a-f]{1,5});/i;
const safeAddress = /^(?:https?:\/\/|mailto:|tel:)/i;

const converter = lazily(() => {
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
});

/** A description in Markdown. HTML is converted; a text without tags and entities stays as it is. */
export function markdownOf(text: string): string {
  if (!tag.test(text) && !entity.test(text)) return text;
  return converter()
    .turndown(text)
    .replace(/\u00a0/g, ' ')
    .trim();
}
