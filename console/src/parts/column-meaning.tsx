import { Select } from '@mantine/core';
import { t } from '../words/words.ts';

/** Which field a column of a file fills, above its first texts; null: it is not used. */
export function ColumnMeaning({
  column: { name, samples },
  ...choice
}: {
  column: { readonly name: string; readonly samples: readonly string[] };
  data: { readonly value: string; readonly label: string }[];
  value: string | null;
  onChange: (field: string | null) => void;
  disabled?: boolean;
}) {
  return (
    <Select
      label={name}
      description={samples.join(' · ') || t`Empty`}
      placeholder={t`Not used`}
      clearable
      searchable
      openOnFocus={false}
      {...choice}
    />
  );
}
