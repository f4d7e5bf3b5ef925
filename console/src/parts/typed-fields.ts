import { createContext, use, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** Asks a field whether there stands what it cannot read. A field that says so shows it. */
type HasMistake = () => boolean;

interface TypedFields {
  /** Answers how to be forgotten. */
  watch(hasMistake: HasMistake): () => void;
}

export const TypedFieldsContext = createContext<TypedFields>({ watch: () => () => {} });

/** The fields of one form that read what is typed: `haveMistakes` asks them before anything is sent. */
export function useTypedFields(): { readonly context: TypedFields; readonly haveMistakes: () => boolean } {
  const fields = useRef(new Set<HasMistake>());
  const context = useMemo<TypedFields>(
    () => ({
      watch: (hasMistake) => {
        fields.current.add(hasMistake);
        return () => void fields.current.delete(hasMistake);
      },
    }),
    [],
  );
  // All are asked, for each to show its own.
  const haveMistakes = useCallback(
    () => [...fields.current].map((hasMistake) => hasMistake()).includes(true),
    [],
  );
  return { context, haveMistakes };
}

/** Of a field that reads what is typed: its form is not sent while it has a mistake. */
export function useMistakes(hasMistake: HasMistake): void {
  const { watch } = use(TypedFieldsContext);
  const latest = useRef(hasMistake);
  useLayoutEffect(() => {
    latest.current = hasMistake;
  });
  useLayoutEffect(() => watch(() => latest.current()), [watch]);
}

/**
 * What is being typed, as it is typed; null: the field shows `value`. What somebody else makes of the value, a button
 * beside the field say, takes the place of what was typed.
 */
export function useTyped(value: unknown): [string | null, (typed: string | null) => void] {
  const [typed, setTyped] = useState<string | null>(null);
  const before = useRef(value);
  const isOwnChange = useRef(false);
  useLayoutEffect(() => {
    if (value !== before.current && !isOwnChange.current) setTyped(null);
    before.current = value;
    isOwnChange.current = false;
  });
  const type = (next: string | null): void => {
    isOwnChange.current = next !== typed;
    setTyped(next);
  };
  return [typed, type];
}
