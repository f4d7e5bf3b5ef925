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

/** Whether a name begins with what was typed. */
function nameBegins(name: string, typed: readonly string[]): boolean {
  return plain(name).startsWith(plain(typed.join(' ')));
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
