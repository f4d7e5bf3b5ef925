import { useState } from 'react';
import { useUnsavedWork } from './unsaved-work.ts';

/** A draft of a record being edited: only the differences from `saved` are sent. */
export interface Edit<Value extends object> {
  readonly draft: Value;
  readonly set: <Name extends keyof Value>(name: Name, value: Value[Name]) => void;
  /** The changed fields, for a PATCH; empty: nothing to save. */
  readonly changes: Partial<Value>;
  readonly isDirty: boolean;
  /** Call after saving, before leaving the screen: no question appears. */
  readonly settle: () => void;
  readonly reset: () => void;
}

/** Holds only changes: an untouched field follows `saved`, also after a reload. With changes, leaving the page asks first. */
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
