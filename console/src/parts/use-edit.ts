import { useState } from 'react';
import { useUnsavedWork } from './unsaved-work.ts';

/** A draft of something that is edited: what differs from `saved` is what is sent. */
export interface Edit<Value extends object> {
  readonly draft: Value;
  readonly set: <Name extends keyof Value>(name: Name, value: Value[Name]) => void;
  /** The fields that differ, for a PATCH; none: there is nothing to save. */
  readonly changes: Partial<Value>;
  readonly isDirty: boolean;
  /** It is saved as it stands, and its screen is left: nobody is asked. */
  readonly settle: () => void;
  readonly reset: () => void;
}

/**
 * Holds changes only: a field that was not touched follows `saved`, also when that is loaded again. While there are some,
 * whoever leaves the page is asked first.
 */
export function useEdit<Value extends object>(saved: Value): Edit<Value> {
  const [touched, setTouched] = useState<Partial<Value>>({});
  const changes = Object.fromEntries(
    Object.entries(touched).filter(([name, value]) => !isSame(value, saved[name as keyof Value])),
  ) as Partial<Value>;
  const isDirty = Object.keys(changes).length > 0;
  const settle = useUnsavedWork(isDirty);
  return {
    draft: { ...saved, ...touched },
    set: (name, value) => setTouched((present) => ({ ...present, [name]: value })),
    changes,
    isDirty,
    settle,
    reset: () => {
      settle();
      setTouched({});
    },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
