import { maskEmails } from '../../kernel/mask-emails.ts';

/** The longest message that the log keeps. */
export const loggedMessageMax = 300;

/** What a caller has sent, where a message repeats it. */
const sentValues: readonly RegExp[] = [
  // Quoted texts.
  /"[^"]*"?/g,
  // In curly quotation marks, by number: the program is a text of Latin-1 (scripts/prepare.mjs).
  /\u201c[^\u201d]*\u201d?/g,
  // Phone numbers.
  /\+?\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}/g,
  /\+\d{7,}/g,
  // ZIP codes.
  /(?<=\bpostalCode )\S+/g,
];

/** What a customer has bought is between the shop and the customer. */
const withoutFigures = /^(Over the purchase limit).*/s;

/**
 * The message of a refusal as the log keeps it: without quoted values, addresses and figures of a customer, and of bounded
 * length.
 */
export function loggedMessage(message: string): string {
  let kept = maskEmails(message.replace(withoutFigures, '$1'), '…', true);
  for (const pattern of sentValues) kept = kept.replace(pattern, '…');
  return kept.length > loggedMessageMax ? `${kept.slice(0, loggedMessageMax - 1)}…` : kept;
}
