import { Checkbox } from '@mantine/core';
import { useFieldError } from '../../parts/server-form.tsx';
import { t } from '../../words/words.ts';
import type { Portion } from './receive-portions.ts';

/** Shown once the service has refused an amount for a package with a label: its manifest may say less. */
export function MoreIsMeant({
  portion,
  path,
  onChange,
}: {
  portion: Portion;
  path: string;
  onChange: (changes: Partial<Portion>) => void;
}) {
  const isRefused = useFieldError(path) !== undefined;
  if (portion.label.trim() === '' || !(isRefused || portion.confirmExcess)) return null;
  return (
    <Checkbox
      label={t`More than the manifest says`}
      checked={portion.confirmExcess ?? false}
      onChange={(event) => onChange({ confirmExcess: event.currentTarget.checked })}
    />
  );
}
