/** The result of a look-up of a code or words: the match, or the error. */
export type LookUpResult<Found> =
  | { readonly text: string; readonly found: Found }
  | { readonly text: string; readonly error: unknown };

/**
 * Looks up texts concurrently and reports each result exactly once, in the order of the texts. `onPending` gets the number of
 * texts without a result.
 */
export function lookUpQueue<Found>({
  lookUp,
  tell,
  onPending,
  atOnce = 4,
}: {
  lookUp: (text: string) => Promise<Found>;
  tell: (result: LookUpResult<Found>) => void;
  onPending: (count: number) => void;
  atOnce?: number;
}): { readonly add: (text: string) => void } {
  const entries: { readonly text: string; hasBegun: boolean; result: LookUpResult<Found> | null }[] = [];
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
