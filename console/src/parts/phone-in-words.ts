/** A US phone number in groups: `+15105550188` → `(510) 555-0188`; other numbers as stored. */
export function phoneInWords(phone: string | null | undefined): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone ?? '') ?? [];
  return area === undefined ? (phone ?? '–') : `(${area}) ${exchange}-${line}`;
}
