/** A code or words that were looked up: what was found, or why it could not be asked. */
export type LookedUp<Found> =
  | { readonly text: string; readonly found: Found }
  | { readonly text: string; readonly error: unknown };

/**
 * Looks up texts, several at once, and tells the results in the order in which the texts came, each exactly once. `onPending`
 * hears how many have no result yet.
 */
export function lookUpQueue<Found>({
  lookUp,
  tell,
  onPending,
  atOnce = 4,
}: {
  lookUp: (text: string) => Promise<Found>;
  tell: (result: LookedUp<Found>) => void;
  onPending: (count: number) => void;
  atOnce?: number;
}): { readonly add: (text: string) => void } {
  const entries: { readonly text: string; hasBegun: boolean; result: LookedUp<Found> | null }[] = [];
  const goOn = (): void => {
    while (entries[0]?.result) tell(entries.shift()!.result!);
    onPending(entries.length);
    const underWay = entries.filter(({ hasBegun, result }) => hasBegun && result === null).length;
    for (const entry of entries.filter(({ hasBegun }) => !hasBegun).slice(0, atOnce - underWay)) {
      const { text } = entry;
      entry.hasBegun = true;
      lookUp(text)
        .then(
          (found) => ({ text, found }),
          (error: unknown) => ({ text, error }),
        )
        .then((result) => {
          entry.result = result;
          goOn();
        });
    }
  };
  return {
    add: (text) => {
      entries.push({ text, hasBegun: false, result: null });
      goOn();
    },
  };
}
