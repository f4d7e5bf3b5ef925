import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { emailProblem } from './look-alikes.ts';

/*
 * Emails and phone numbers as they are compared, and the placeholders that people type where a contact is asked for
 * and there is none (D84): no profile is found or made by them.
 */

/** D32: trimmed, lower-case; null when it is not an email address, or could pass for another one. */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  const isEmail = email.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email);
  return isEmail && emailProblem(email) === null ? email : null;
}

/** D32: E.164; numbers without country code are US. Null when the number is impossible. */
function normalizePhone(text: string): string | null {
  const phone = parsePhoneNumberFromString(text, 'US');
  return phone?.isPossible() ? phone.number : null;
}

/** A contact as it was sent, and as it identifies (D32): null for a placeholder (D84). */
interface ReadContact {
  readonly typed: string;
  readonly normalized: string | null;
}

/** Reads an email; null when it is not an email address. */
export function readEmail(text: string): ReadContact | null {
  const email = normalizeEmail(text);
  return email === null ? null : { typed: text.trim(), normalized: isPlaceholderEmail(email) ? null : email };
}

/** Reads a phone number; null when the number is impossible. */
export function readPhone(text: string): ReadContact | null {
  if (isPlaceholderPhone(text)) return { typed: text.trim(), normalized: null };
  const phone = normalizePhone(text);
  return phone === null ? null : { typed: text.trim(), normalized: phone };
}

/** Local parts of such emails, without dots, dashes, digits and what follows a plus sign. */
const emptyNames = new Set([
  'none',
  'noemail',
  'nomail',
  'na',
  'no',
  'noone',
  'nobody',
  'null',
  'noreply',
  'donotreply',
]);

const digitsInTurn = new Set(['1234567890', '0123456789', '9876543210', '0987654321']);

/** Whether a text is a placeholder for a phone number: one digit ten times, or digits in turn, in any format. */
function isPlaceholderPhone(text: string): boolean {
  const plain = text.normalize('NFKC').trim();
  if (!/^[+\d\s().\-/]+$/.test(plain)) return false;
  const digits = plain.replace(/\D/g, '');
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  return /^(\d)\1{9}$/.test(national) || digitsInTurn.has(national);
}

/** Whether an email, in lower case, is a placeholder: `none@…`, `no-email@…`, `na@…`. */
function isPlaceholderEmail(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@')).replace(/\+.*$/, '');
  return emptyNames.has(local.replace(/[^a-z]/g, ''));
}

/**
 * Whether a normalized contact is on the shop's list of placeholders. An entry is a phone number in E.164, an email, or one of its
 * halves: `walkin@` (at any domain) or `@shop.example` (any name at it).
 */
export function isListedPlaceholder(contact: string, listed: readonly string[]): boolean {
  return listed.some(
    (entry) =>
      contact === entry ||
      (entry.endsWith('@') && contact.startsWith(entry)) ||
      (entry.startsWith('@') && contact.endsWith(entry)),
  );
}

/** An entry of the shop's list of placeholders, normalized; null when it is no phone number, email or half of one. */
export function readPlaceholder(text: string): string | null {
  const typed = text.trim().toLowerCase();
  if (!typed.includes('@')) return normalizePhone(typed);
  if (typed.endsWith('@')) return /^[^\s@]+@$/.test(typed) ? typed : null;
  if (typed.startsWith('@')) return /^@[^\s@]+\.[^\s@]+$/.test(typed) ? typed : null;
  return normalizeEmail(typed);
}
