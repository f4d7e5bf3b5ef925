/* Names of people as they are compared (D85). `person_key` of the migrations folds in the same way. */

/** Letters that no decomposition makes plain, in lower case. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', đ: 'd', ø: 'o', ł: 'l', ı: 'i', ħ: 'h', ŧ: 't', ŋ: 'n' },
  // Letters of other alphabets that look like Latin ones (the part of Unicode TS 39 that occurs in names).
  ...{ а: 'a', в: 'b', с: 'c', е: 'e', н: 'h', һ: 'h', і: 'i', ј: 'j', к: 'k', м: 'm', о: 'o', р: 'p' },
  ...{ ԛ: 'q', ѕ: 's', т: 't', у: 'y', ү: 'y', ԝ: 'w', х: 'x', ԁ: 'd', ӏ: 'l' },
  ...{
    α: 'a',
    β: 'b',
    γ: 'y',
    ε: 'e',
    η: 'n',
    ι: 'i',
    κ: 'k',
    μ: 'm',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    χ: 'x',
  },
};
const special = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

/** Accents and marks; punctuation, symbols, spaces and invisible characters. */
const ignored =
  /[\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\s!-/:-@[-`{-~\u00a0-\u00bf\u02b0-\u02ff\u2000-\u206f\u3000-\u303f\ufeff]|[\ufe00-\ufe0f]/gu;

/** A name in lower case, without accents, apostrophes, hyphens, dots, spaces and invisible characters. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(ignored, '')
    .replace(special, (letter) => plainLetters[letter]!);
}

const suffixPattern = /(?<![\s,])[\s,]+(jr|sr|junior|senior|ii|iii|iv|2nd|3rd|4th)\.?\s*$/iu;
const sameSuffix: Readonly<Record<string, string>> = {
  ...{ junior: 'jr', senior: 'sr', '2nd': 'ii', '3rd': 'iii', '4th': 'iv' },
};

interface Named {
  readonly firstName: string;
  readonly lastName: string;
}

/** The parts of a name that are compared, folded; empty where there is none. */
interface ComparedName {
  /** The first given name, and all of them. */
  readonly given: string;
  readonly allGiven: string;
  readonly last: string;
  readonly suffix: string;
}

/** The parts of a person's name that are compared: without suffix and second given names. */
export function comparedName({ firstName, lastName }: Named): ComparedName {
  const [first, suffixOfFirst] = withoutSuffix(firstName.trim());
  const [last, suffixOfLast] = withoutSuffix(lastName.trim());
  return {
    given: foldName(first.split(/[\s\-\u2010\u2011\u2013]+/u)[0] ?? ''),
    allGiven: foldName(first),
    last: foldName(last),
    suffix: suffixOfLast || suffixOfFirst,
  };
}

/**
 * Whether two names may be of one person: equal last names, and equal given names or an equal first one. Different suffixes
 * are different people. A blank name fits every name.
 */
export function namesFit(one: Named, other: Named): boolean {
  const [a, b] = [comparedName(one), comparedName(other)];
  if (a.suffix !== '' && b.suffix !== '' && a.suffix !== b.suffix) return false;
  if (a.allGiven + a.last === '' || b.allGiven + b.last === '') return true;
  // One name alone may stand in either field.
  if (a.allGiven + a.last === b.allGiven + b.last) return true;
  return a.last === b.last && (a.given === b.given || a.allGiven === b.allGiven);
}

function withoutSuffix(name: string): [string, string] {
  const found = suffixPattern.exec(name);
  if (found === null) return [name, ''];
  const suffix = found[1]!.toLowerCase();
  return [name.slice(0, found.index), sameSuffix[suffix] ?? suffix];
}
