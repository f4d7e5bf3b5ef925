/** A run of letters in which an email address could stand. */
const token = /[^\s"'<>()=:,;\\]+/g;

/**
 * A text with a mask in place of what could be an email address: a run with an @ between other letters and, unless `anyHost`, a
 * dot after it. In proportion to the text, whatever it says: a pattern of the whole looked at each run again for each @.
 */
export function maskEmails(text: string, mask: string, anyHost = false): string {
  if (!text.includes('@')) return text;
  return text.replace(token, (run) => (isLikeEmail(run, anyHost) ? mask : run));
}

function isLikeEmail(run: string, anyHost: boolean): boolean {
  const at = run.indexOf('@', 1);
  if (at < 0 || at === run.length - 1) return false;
  return anyHost || run.lastIndexOf('.', run.length - 2) >= at + 2;
}
