/** Without characters that people take for one another. */
const characters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** The character that a typing error changes: a sum in which each place has a weight of its own. */
function checkOf(text: string): string {
  const sum = Array.from(text).reduce((total, it, at) => total + it.charCodeAt(0) * (at + 1), 0);
  return characters[sum % characters.length]!;
}

/** Our number of a report: what it is of, its revision, and a check character, such as `1042-1-K`. */
export function externalNumber(subject: string | number, revision: number): string {
  const body = `${subject}-${revision}`;
  return `${body}-${checkOf(body)}`;
}

/** Whether a number has the form and the check character of ours. */
export function isExternalNumber(text: string): boolean {
  const [, body, check] = /^([A-Z]?\d+-\d+)-(.)$/.exec(text) ?? [];
  return body !== undefined && checkOf(body) === check;
}
