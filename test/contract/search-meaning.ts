import type { SeededRandom } from '../../seed/seeded-random.ts';
import type { TestReply } from '../harness/test-service.ts';

/** What searches find, said of one text or person at a time. */

/** As a list shows it. */
export type Row = TestReply['data'];

/** Some characters from the midst of a text, in another case, at times with space around. */
export function pieceOf(text: string, random: SeededRandom): string {
  const from = random.integer(0, Math.max(0, text.length - 1));
  const piece = text.slice(from, from + random.integer(1, 7));
  return random.chance(0.2) ? ` ${inOtherCase(piece, random)} ` : inOtherCase(piece, random);
}

/** Where a text begins. */
export function startOf(text: string, random: SeededRandom, least = 1): string {
  return text.slice(0, random.integer(Math.min(least, text.length), text.length));
}

function inOtherCase(text: string, random: SeededRandom): string {
  return random.pick([text, text.toLowerCase(), text.toUpperCase()]);
}

/** Whether a text has another one in it, without regard to case. */
export function containsText(text: string, piece: string): boolean {
  return text.toLowerCase().includes(piece.toLowerCase());
}

/** Without case, and without accents. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .trim()
    .toLowerCase();
}

export const wordsOf = (typed: string): string[] => typed.split(/[\s,]+/).filter((word) => word !== '');

/** Whether a name begins with what was typed; apostrophes, hyphens and spaces do not count (D85). */
function nameBegins(name: string, typed: readonly string[]): boolean {
  const [whole, start] = [name, typed.join(' ')].map((it) => plain(it).replace(/[^\p{L}\p{N}]/gu, ''));
  return start !== '' && whole!.startsWith(start!);
}

/** A person by the beginning of an email, phone number, hash id, of one name, or of both in either order. */
export const meansPerson = {
  values: ({ firstName, lastName, email, phone, hashId }: Row, random: SeededRandom): string => {
    const [first, last] = [startOf(firstName, random, 2), startOf(lastName, random, 2)];
    const typed = [
      ...[first, last, `${first} ${last}`, `${last}, ${first}`, plain(first), plain(`${last} ${first}`)],
      ...(email ? [startOf(email, random, 2)] : []),
      ...(phone ? [startOf(phone, random, 5), startOf(phone.slice(2), random, 3), phone.slice(1)] : []),
      startOf(hashId, random, 2),
    ].filter((text) => text.trim().length >= 2);
    return typed.length === 0 ? 'zz' : inOtherCase(random.pick(typed), random);
  },
  keeps: ({ firstName, lastName, email, phone, hashId }: Row, typed: string): boolean => {
    const text = typed.trim();
    const words = wordsOf(text);
    const names: readonly [string, string][] = [
      [firstName, lastName],
      [lastName, firstName],
    ];
    return (
      names.some(
        ([one, other]) =>
          nameBegins(one, words) ||
          words.some(
            (_, at) => at > 0 && nameBegins(one, words.slice(0, at)) && nameBegins(other, words.slice(at)),
          ),
      ) ||
      (words.length === 1 &&
        ((email?.toLowerCase().startsWith(text.toLowerCase()) ?? false) ||
          hashId.startsWith(text.toUpperCase()))) ||
      phoneBegins(phone, text)
    );
  },
};

/** A number without a country is of the US. */
function phoneBegins(phone: string | null, typed: string): boolean {
  const digits = typed.replace(/\D/g, '');
  if (phone === null || digits.length < 3 || /[^+\d\s().-]/.test(typed)) return false;
  const international = typed.startsWith('+') ? digits : `1${digits.replace(/^1/, '')}`;
  return phone.startsWith(`+${international}`);
}

/** An order by its number, with `#` or without, by its id, or by how the name begins that was left with it. */
export function meansOrder({ id, number, customerName }: Row, typed: string): boolean {
  const text = typed.trim().toLowerCase();
  return (
    text === id ||
    text.replace(/^#/, '') === String(number) ||
    (customerName !== null && nameBegins(customerName, wordsOf(typed)))
  );
}

const isSaid = (text: string | null | undefined): text is string => text !== null && text !== undefined;

/** The texts of a product that words are looked for in, with what menus show of an option without a name. */
export function productTexts({ name, brand, strain, sku, unit, options }: Row): string[] {
  return [
    ...[name, brand?.name, strain, sku],
    ...options.flatMap((option: Row) => [
      option.name,
      `${option.amount} ${unit}${option.amount === 1 ? '' : 's'}`,
      ...(unit === 'gram' ? [`${option.amount}g`] : []),
      option.upc,
    ]),
  ]
    .filter(isSaid)
    .map((text) => text.toLowerCase());
}

const spokenWords = (typed: string): string[] => typed.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether each word is in one of the texts. */
export function hasWords(texts: readonly string[], typed: string): boolean {
  return spokenWords(typed).every((word) => texts.some((text) => containsText(text, word)));
}

/** A whole code comes first, then a name that begins with what was typed, then the others. */
export function rankOf(row: Row, typed: string): number {
  const whole = spokenWords(typed).join(' ');
  const codes = [row.sku, ...row.options.map(({ upc }: Row) => upc)].filter(isSaid);
  if (codes.some((code) => code.toLowerCase() === whole)) return 0;
  return row.name.toLowerCase().startsWith(whole) && hasWords(productTexts(row), typed) ? 1 : 2;
}

/** Whether products are found: those with all words, or, if there are none, those with one letter that differs. */
export function isFoundByWords(typed: string, hasLabel: (row: Row, label: string) => boolean) {
  const words = spokenWords(typed);
  const isRight = (row: Row): boolean => hasWords(productTexts(row), typed) || hasLabel(row, words.join(' '));
  const isNearly = (row: Row): boolean =>
    words.some(
      (word, at) =>
        word.length >= 4 &&
        word.length <= 32 &&
        words.every(
          (other, index) => index === at || productTexts(row).some((text) => text.includes(other)),
        ) &&
        productTexts(row).some((text) => hasNearly(text, word)),
    );
  return (row: Row, rows: readonly Row[]): boolean =>
    isRight(row) || (!rows.some((other) => isRight(other)) && isNearly(row));
}

/** Whether a text has a piece that becomes the word by one letter more, less or another, or by two turned round. */
function hasNearly(text: string, word: string): boolean {
  return [...text].some((_, from) =>
    [-1, 0, 1].some((by) => isOneOff(text.slice(from, from + word.length + by), word)),
  );
}

function isOneOff(piece: string, word: string): boolean {
  let from = 0;
  while (from < word.length && piece[from] === word[from]) from++;
  const [rest, wanted] = [piece.slice(from), word.slice(from)];
  if (rest.length === wanted.length) {
    const isTurned = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
    return rest.slice(1) === wanted.slice(1) || isTurned;
  }
  return rest.length > wanted.length ? rest.slice(1) === wanted : rest === wanted.slice(1);
}

/** A text with one letter that is wrong, missing or too many. */
export function wronglyTyped(text: string, random: SeededRandom): string {
  const at = random.integer(0, Math.max(0, text.length - 1));
  return random.pick([
    `${text.slice(0, at)}q${text.slice(at + 1)}`,
    `${text.slice(0, at)}${text.slice(at + 1)}`,
    `${text.slice(0, at)}q${text.slice(at)}`,
  ]);
}

/** Whether a product is left by the filters beside the search. */
export function hasOtherFilters(
  row: Row,
  { active, productCategoryId, productSubCategoryId }: Readonly<Record<string, string | number | boolean>>,
): boolean {
  return (
    (active === undefined || row.isActive === active) &&
    (productCategoryId === undefined || row.primaryCategory.id === productCategoryId) &&
    (productSubCategoryId === undefined ||
      row.subCategories.some(({ id }: Row) => id === productSubCategoryId))
  );
}

/** The texts of a package that words are looked for in. */
export const packageTexts = ({ label, externalProductName, product }: Row): string[] =>
  [label, externalProductName, product?.name].filter(isSaid);

/** The texts of a product on the menu that searches look at. */
export const menuWords = (row: Row): string[] =>
  [
    row.name,
    row.brand?.name,
    row.strainType,
    row.primaryCategory.name,
    ...[...row.subCategories, ...row.tags, ...row.options].map(({ name }: Row) => name),
    ...row.options.map(({ upc }: Row) => upc),
  ].filter(isSaid);
