import { createContext, use, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** Asks a field whether its input is invalid; the field then shows its error. */
type HasMistake = () => boolean;

interface TypedFields {
  /** Returns the function that unregisters the field. */
  watch(hasMistake: HasMistake): () => void;
}

export const TypedFieldsContext = createContext<TypedFields>({ watch: () => () => {} });

/** The parsed fields of one form: `haveMistakes` checks them before anything is sent. */
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
  // Checks all fields, so each shows its error.
  const haveMistakes = useCallback(
    () => [...fields.current].map((hasMistake) => hasMistake()).includes(true),
    [],
  );
  return { context, haveMistakes };
}

/** For a field that parses text: its form is not sent while it has an error. */
export function useMistakes(hasMistake: HasMistake): void {
  const { watch } = use(TypedFieldsContext);
  const latest = useRef(hasMistake);
  useLayoutEffect(() => {
    latest.current = hasMistake;
  });
  useLayoutEffect(() => watch(() => latest.current()), [watch]);
}

/**
 * The text being typed; null: the field shows `value`. A change of the value from elsewhere, such as a button beside the field,
 * replaces the typed text.
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
