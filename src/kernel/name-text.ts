/**
 * A name as it is kept and looked for: without outer space, and with its letters composed (NFC). Some systems (macOS)
 * write "ü" as a "u" and a mark; nobody sees a difference, so there is none. Case is for whoever compares.
 */
export function nameText(text: string): string {
  return text.trim().normalize('NFC');
}
