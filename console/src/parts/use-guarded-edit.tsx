import { type ReactNode, useState } from 'react';
import { ApiFailure } from '../api.ts';
import { t } from '../words/words.ts';
import { StaleEdit } from './stale-edit.tsx';
import { notifyDone, notifyError } from './toasts.tsx';
import { type Edit, useEdit } from './use-edit.ts';

interface GuardedEdit<Value extends object> extends Edit<Value> {
  /** For a form's `onSubmit`; on a conflict it throws STALE_EDIT, and `conflict` is shown. */
  readonly submit: () => Promise<void>;
  /** Both versions side by side, where they change the same field. */
  readonly conflict: ReactNode;
}

/**
 * An edit that does not overwrite other people's changes. If another person saved different fields meanwhile, it is sent again
 * automatically; if the same fields, both versions are shown and the user decides.
 */
export function useGuardedEdit<Saved extends { readonly updatedAt: string }, Value extends object = Saved>({
  saved,
  editedOf = (it) => it as unknown as Value,
  save,
  load,
  accept,
  shown,
}: {
  saved: Saved;
  /** The edited part of the record; by default all of it. */
  editedOf?: (saved: Saved) => Value;
  save: (changes: Partial<Value>, updatedAt: string) => Promise<Saved>;
  /** Reads the current version. */
  load: () => Promise<Saved>;
  /** Called when the edit is saved or theirs was used. */
  accept: (present: Saved) => void;
  /** A field's label and value. */
  shown: (name: keyof Value & string, value: Value[keyof Value]) => { label: string; value: ReactNode };
}): GuardedEdit<Value> {
  const edit = useEdit(editedOf(saved));
  const [base, setBase] = useState(saved);
  const [theirs, setTheirs] = useState<Saved | null>(null);
  // No changes yet: the loaded version becomes the base of the edit.
  if (!edit.isDirty && base.updatedAt !== saved.updatedAt) setBase(saved);
  const take = (present: Saved) => {
    edit.reset();
    setBase(present);
    setTheirs(null);
    accept(present);
  };
  const send = async (updatedAt: string) => take(await save(edit.changes, updatedAt));
  const names = Object.keys(edit.changes) as (keyof Value & string)[];
  const submit = async () => {
    try {
      await send(base.updatedAt);
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== 'STALE_EDIT') throw error;
      const present = await load();
      const [now, then] = [editedOf(present), editedOf(base)];
      const collides = names.some((name) => JSON.stringify(now[name]) !== JSON.stringify(then[name]));
      if (!collides) return send(present.updatedAt);
      setTheirs(present);
      throw error;
    }
  };
  const conflict = theirs && (
    <StaleEdit
      opened
      fields={names.map((name) => {
        const mine = shown(name, edit.changes[name] as Value[typeof name]);
        return {
          label: mine.label,
          mine: mine.value,
          theirs: shown(name, editedOf(theirs)[name]).value,
          differs: JSON.stringify(edit.changes[name]) !== JSON.stringify(editedOf(theirs)[name]),
        };
      })}
      onClose={() => setTheirs(null)}
      onTakeTheirs={() => take(theirs)}
      onKeepMine={() => {
        setBase(theirs);
        setTheirs(null);
        send(theirs.updatedAt).then(() => notifyDone(t`Your version is saved.`), notifyError);
      }}
    />
  );
  return { ...edit, submit, conflict };
}
