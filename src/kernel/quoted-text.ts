const longest = 60;

/** Foreign text for a message: quoted, on one line, and shortened. */
export function quotedText(text: string): string {
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
}
