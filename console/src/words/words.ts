/* The console's words. The English text in the source is the key and the fallback; a catalog has it in another language. */

type Words = Readonly<Record<string, string>>;

interface Language {
  /** In the language itself. */
  readonly name: string;
  /** For amounts, dates and numbers; the shops are in the United States in every language. */
  readonly locale: string;
  readonly words: () => Promise<Words>;
}

export type LanguageCode = 'en' | 'es';

export const languages: Readonly<Record<LanguageCode, Language>> = {
  en: { name: 'English', locale: 'en-US', words: async () => ({}) },
  es: { name: 'Español', locale: 'es-US', words: async () => (await import('./es.json')).default },
};

const storageKey = 'console-language';

/** The language of this page; it changes with a reload. */
export let language: LanguageCode = 'en';
let words: Words = {};
let plurals = new Intl.PluralRules('en');

/** The locale of amounts, dates and numbers. */
export const locale = (): string => languages[language].locale;

const isKnown = (code: string | null | undefined): code is LanguageCode =>
  code != null && Object.hasOwn(languages, code);

/** The language chosen in this browser, otherwise the first known one of the browser's own, otherwise English. */
export function wantedLanguage(stored: string | null, browsers: readonly string[]): LanguageCode {
  if (isKnown(stored)) return stored;
  return browsers.map((it) => it.split('-', 1)[0]).find(isKnown) ?? 'en';
}

/** The choice of this browser; null: none, or the browser keeps nothing. */
function storedLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** Sets language and catalog at once. */
export function speak(code: LanguageCode, catalog: Words): void {
  language = code;
  words = catalog;
  plurals = new Intl.PluralRules(languages[code].locale);
}

/** Keeps the choice in this browser, and shows the page in the language. Unsaved work is asked about, as before every reload. */
export function chooseLanguage(code: LanguageCode): void {
  localStorage.setItem(storageKey, code);
  window.location.reload();
}

/** The text in the page's language with its places, `{0}`. Behind `¦` stands what a word of two meanings means here. */
export function translated(texts: readonly string[]): string {
  const key = texts.reduce((before, text, at) => `${before}{${at - 1}}${text}`);
  return words[key] ?? key.split('¦', 1)[0]!;
}

/** A word that the service or the SDK has, in the page's language: those of the catalog; others stay as they are. */
export const said = (text: string): string => words[text] ?? text;

/** Null is nothing, as in an element. */
type Value = string | number | null | undefined;

/** The text in the page's language: t`Open with ${dollars(float)}`. Every visible text goes through it, `plural` or `rich`. */
export function t(texts: TemplateStringsArray, ...values: readonly Value[]): string {
  const text = translated(texts);
  return values.length === 0 ? text : text.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)] ?? ''));
}

/** The form for a count: `plural(count, { one: t`1 order`, other: t`${count} orders` })`. */
export function plural(
  count: number,
  forms: { readonly other: string } & { readonly [form in Intl.LDMLPluralRule]?: string },
): string {
  return forms[plurals.select(count)] ?? forms.other;
}

/** Chooses the language and loads its catalog; without it the page is in English. */
export async function loadWords(): Promise<void> {
  const wanted = wantedLanguage(storedLanguage(), navigator.languages);
  await languages[wanted].words().then(
    (its) => speak(wanted, its),
    () => {},
  );
  document.documentElement.lang = language;
}
