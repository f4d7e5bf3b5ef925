/** All rows of a list, page by page, for lists that are short enough to choose from (vendors). `isEnough` stops early. */
export async function allPages<Row extends { readonly id: number }>(
  page: (startingAfter: number | undefined) => Promise<readonly Row[]>,
  isEnough: (rows: readonly Row[]) => boolean = () => false,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const next = await page(rows.at(-1)?.id);
    rows.push(...next);
    if (next.length < 50 || isEnough(next)) return rows;
  }
}
