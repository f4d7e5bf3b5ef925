const longest = 60;

/** Text of others as a message shows it: in quotes, on one line, and not too long. */
export function quotedText(text: string): string {
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
}
