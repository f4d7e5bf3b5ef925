import { type Finding, findAll, type Rule } from './project-files.ts';

/*
 * Words of the trade. An order is also how rows follow each other, a register a list and an option a choice: of these only forms count
 * that nothing but the trade has.
 */
const words = [
  ...['budtender', 'cannabis', 'cart', 'customer', 'deliveries', 'delivery', 'discount', 'inventories'],
  ...[
    'inventory',
    'kiosk',
    'loyalty',
    'menu',
    'photo',
    'pickup',
    'price',
    'product',
    'promotion',
    'purchase',
  ],
  ...['refund', 'shop', 'stock', 'strain', 'tax', 'taxes', 'vendor'],
];
const capitalized = words.map((word) => word[0]!.toUpperCase() + word.slice(1));

/** A word by itself, or as a part of a name in camel case, snake case or kebab case. */
const businessWord = new RegExp(
  `(?<![a-z])(?:${[...words, ...capitalized].join('|')})s?(?![a-z])|(?<=[a-z])(?:${capitalized.join('|')})s?(?![a-z])|` +
    String.raw`\borders\b(?! by)|[oO]rder(?:s\b|[-_.]?(?:[iI]d|[tT]oken)\b)`,
  'g',
);

/** Catalogs name what all layers speak of; the words of properties are texts of the contract. */
const catalogs =
  /^src\/kernel\/(?:[\w-]+-catalog|duty-errors|record-errors|refusal-errors|request-errors|staff-roles)\.ts$/;

/**
 * The platform and the kernel serve any trade: limits, headers, names of fields, tables and words of a slice are handed in by its
 * declaration. Comments may give examples.
 */
export const platformKnowsNoBusiness: Rule = (files) =>
  files
    .filter(({ path, isTest }) => /^src\/(platform|kernel)\//.test(path) && !isTest && !catalogs.test(path))
    .flatMap((file): Finding[] =>
      findAll(
        file,
        file.code,
        businessWord,
        ([word]) => `"${word}" is a word of the shop: let the slice declare it and hand it in.`,
      ),
    );
