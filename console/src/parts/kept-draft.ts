import { useCallback, useMemo, useState } from 'react';
import { useSession } from '../session/session.tsx';
import { t } from '../words/words.ts';
import type { KeptKey } from './use-keyed-write.ts';

/** Work of a day is not taken up a week later: the stock has changed since. */
const keptMs = 3 * 24 * 60 * 60 * 1_000;

interface Kept<Value> {
  readonly value: Value;
  /** When it was typed, in milliseconds. */
  readonly at: number;
}

function read<Value>(key: string, isValue: (value: unknown) => value is Value): Kept<Value> | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Kept<unknown>> | null;
    const isFresh = typeof kept?.at === 'number' && Date.now() - kept.at < keptMs;
    return isFresh && isValue(kept.value) ? { value: kept.value, at: kept.at as number } : null;
  } catch {
    // Damaged, or the browser keeps nothing.
    return null;
  }
}

/**
 * What is typed on a screen and not saved yet, kept in this browser for the staff member: it outlives a reload, another screen and a
 * dead battery. `name` tells drafts apart: `count:3`. `keptAt`: when the draft that was found was typed; null: it is new.
 */
export function useKeptDraft<Value>(name: string, blank: Value, isValue: (value: unknown) => value is Value) {
  const { staff, organization } = useSession();
  const key = `draft:${organization.id}:${staff.id}:${name}`;
  const [state, setState] = useState(() => ({ key, kept: read(key, isValue), isFound: true }));
  // Another name is another draft, found during the same drawing.
  let shown = state;
  if (state.key !== key) {
    shown = { key, kept: read(key, isValue), isFound: true };
    setState(shown);
  }
  const set = useCallback(
    (change: (before: Value) => Value) =>
      setState(({ kept }) => {
        const next = { value: change(kept?.value ?? blank), at: Date.now() };
        keep(key, JSON.stringify(next));
        return { key, kept: next, isFound: false };
      }),
    [key, blank],
  );
  const drop = useCallback(() => {
    keep(key, null);
    setState({ key, kept: null, isFound: false });
  }, [key]);
  return {
    value: shown.kept?.value ?? blank,
    keptAt: shown.isFound ? (shown.kept?.at ?? null) : null,
    set,
    drop,
  };
}

/**
 * The idempotency key with which the draft of this name was sent, kept like it: a page that is loaded again before the answer sends the
 * draft again, and it is done once.
 */
export function useKeptKey(name: string): KeptKey {
  const { staff, organization } = useSession();
  const place = `sent:${organization.id}:${staff.id}:${name}`;
  return useMemo(
    () => ({
      read: () => {
        try {
          return JSON.parse(localStorage.getItem(place) ?? 'null');
        } catch {
          return null;
        }
      },
      write: (sent) => keep(place, sent && JSON.stringify(sent)),
    }),
    [place],
  );
}

/** What a draft says that is found again with such a key. */
export const sentWithoutAnswer = t`They were sent without a response. Send them again: they are saved only once.`;

function keep(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // A browser that keeps nothing still counts and saves.
  }
}
