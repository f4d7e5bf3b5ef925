import { failure } from '../../kernel/failure.ts';
import { Text } from '../../platform/http/schemas.ts';

export const NewPassword = Text({
  min: 10,
  max: 200,
  description: 'At least 10 characters; not a common one, a pattern or own words',
});

/*
 * What a password must not be, after NIST SP 800-63B: one that others use too, a pattern, or the person's own words. It says
 * nothing of capitals, digits or signs: such rules make people choose the same few passwords.
 */

/** Why a password is refused. */
const passwordRules = ['common', 'pattern', 'own-words'] as const;
export type PasswordRule = (typeof passwordRules)[number];

const sentenceOf: Readonly<Record<PasswordRule, string>> = {
  common: 'is, with or without digits and signs around it, on the list of common and leaked passwords',
  pattern: 'repeats a few characters, or goes through them in order',
  'own-words': 'is little more than your email, your name or the name of the organization',
};

/** A piece that repeats is a pattern if it is shorter than a password must be. */
const pieceLengthMin = 10;
/** Shorter own words occur in passwords by chance. */
const ownWordLengthMin = 3;
/** Letters that must be left beside own words. */
const lettersBesideMin = 5;
/** Shorter ones are on the list as well, and occur within random passwords. */
const commonCoreLengthMin = 4;

/**
 * Fails with PASSWORD_REFUSED, whose meta names the rule. `own` are the texts of the account: email, names, organization.
 */
export async function refuseWeakPassword(password: string, own: readonly string[]): Promise<void> {
  const rule = await brokenRule(password, own);
  if (rule === null) return;
  throw failure('PASSWORD_REFUSED', `The new password ${sentenceOf[rule]}: choose another one.`, { rule });
}

/** The first rule that a password breaks; null: none. Capitals and forms of the same character make no difference. */
export async function brokenRule(password: string, own: readonly string[]): Promise<PasswordRule | null> {
  const text = folded(password);
  if (isPattern(text)) return 'pattern';
  if (isOwnWords(text, own)) return 'own-words';
  const common = await commonPasswords();
  const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  if (common.has(text) || (core.length >= commonCoreLengthMin && common.has(core))) return 'common';
  return null;
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** "abcabcabca", "aaaaaaaaaa", "abcdefghij", "9876543210". */
function isPattern(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0)!);
  const isOrdered = (step: number) =>
    codes.every((code, index) => index === 0 || code - codes[index - 1]! === step);
  if (isOrdered(1) || isOrdered(-1)) return true;
  for (let piece = 1; piece < pieceLengthMin && piece * 2 <= codes.length; piece++) {
    if (codes.every((code, index) => index < piece || code === codes[index - piece])) return true;
  }
  return false;
}

function isOwnWords(text: string, own: readonly string[]): boolean {
  const words = own
    .flatMap((part) => [folded(part), ...folded(part).split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length >= ownWordLengthMin)
    // The longest first: what is left of "harborlight" without "harbor" says nothing.
    .toSorted((a, b) => b.length - a.length);
  let rest = text;
  for (const word of words) rest = rest.replaceAll(word, ' ');
  return rest !== text && rest.replace(/[^\p{L}]/gu, '').length < lettersBesideMin;
}

let common: Promise<ReadonlySet<string>> | undefined;

/** Loaded with the first new password: 49,000 texts that most processes never need. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'] as readonly string[]),
  );
  return common;
}
