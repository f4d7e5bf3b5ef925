/**
 * The canonical form of a name for storage and search: trimmed and in NFC. Some systems (macOS) write "ü" as a "u" and
 * a combining mark; both look equal, so they are equal. The caller handles case.
 */
export function nameText(text: string): string {
  return text.trim().normalize('NFC');
}
