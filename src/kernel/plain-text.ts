/** A text in lower case, without accents and outer space: as searches and sorts compare it. */
export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .trim();
}
