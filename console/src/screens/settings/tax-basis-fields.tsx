import { ActionIcon, Button, Group, Input, Select, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { Field } from '../../parts/server-form.tsx';
import { t } from '../../words/words.ts';
import type { Tax } from './tax-words.ts';

type Basis = NonNullable<Tax['basis']>;
type Bracket = NonNullable<Basis['brackets']>[number];

const kinds: readonly { readonly value: 'price' | Basis['kind']; readonly label: string }[] = [
  { value: 'price', label: t`The price: one rate` },
  { value: 'potency', label: t`The price: rates by THC` },
  { value: 'thc-mg', label: t`Milligrams of THC` },
  { value: 'grams', label: t`Grams` },
];

const anyPotency: Bracket = { aboveThcPercent: null, upToThcPercent: null, rate: '' };

/** A new basis of a kind; null: one rate of the price. */
function basisOf(kind: string): Basis | null {
  if (kind === 'price') return null;
  return kind === 'potency'
    ? {
        kind,
        brackets: [
          { ...anyPotency, upToThcPercent: '' },
          { ...anyPotency, aboveThcPercent: '' },
        ],
      }
    : { kind: kind as Basis['kind'], cents: '' };
}

/** What a tax is charged on, and how much it is where that is not one rate of the price. */
export function TaxBasisFields({
  basis,
  onChange,
}: {
  basis: Tax['basis'];
  onChange: (basis: Tax['basis']) => void;
}) {
  return (
    <Field path="basis">
      {(error) => (
        <Stack gap="xs">
          <Select
            label={t`Charged on`}
            description={
              basis !== null &&
              t`A product that does not state what this needs cannot be sold where it is charged`
            }
            data={kinds}
            value={basis?.kind ?? 'price'}
            onChange={(kind) => kind !== null && onChange(basisOf(kind))}
          />
          {basis?.cents !== undefined && (
            <DecimalInput
              label={basis.kind === 'grams' ? t`Cents for each gram` : t`Cents for each milligram of THC`}
              rightSection="¢"
              value={basis.cents}
              onChange={(cents) => onChange({ ...basis, cents })}
            />
          )}
          {basis?.brackets !== undefined && (
            <Brackets brackets={basis.brackets} onChange={(brackets) => onChange({ ...basis, brackets })} />
          )}
          {error && <Input.Error>{error}</Input.Error>}
        </Stack>
      )}
    </Field>
  );
}

/** The rows share their bounds: where one ends, the next begins. */
function Brackets({
  brackets,
  onChange,
}: {
  brackets: readonly Bracket[];
  onChange: (brackets: Bracket[]) => void;
}) {
  const joined = (rows: readonly Bracket[]) =>
    rows.map((row, index) => ({
      ...row,
      aboveThcPercent: index === 0 ? null : rows[index - 1]!.upToThcPercent,
      upToThcPercent: index === rows.length - 1 ? null : (row.upToThcPercent ?? ''),
    }));
  const set = (at: number, changes: Partial<Bracket>) =>
    onChange(joined(brackets.map((row, index) => (index === at ? { ...row, ...changes } : row))));
  return (
    <>
      {brackets.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bracket is its place
        <Group key={index} align="end" gap="xs" wrap="nowrap">
          {row.upToThcPercent === null ? (
            <DecimalInput
              label={t`THC above`}
              rightSection="%"
              disabled
              value={row.aboveThcPercent ?? '0'}
              onChange={() => undefined}
            />
          ) : (
            <DecimalInput
              label={t`THC up to`}
              aria-label={t`THC up to, row ${index + 1}`}
              rightSection="%"
              value={row.upToThcPercent}
              onChange={(upToThcPercent) => set(index, { upToThcPercent })}
            />
          )}
          <DecimalInput
            label={t`Rate`}
            aria-label={t`Rate, row ${index + 1}`}
            rightSection="%"
            value={row.rate}
            onChange={(rate) => set(index, { rate })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            mb={4}
            aria-label={t`Remove row ${index + 1}`}
            disabled={brackets.length === 1}
            onClick={() => onChange(joined(brackets.filter((_, at) => at !== index)))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => onChange(joined([...brackets, { ...anyPotency }]))}
      >
        {t`Add a row`}
      </Button>
    </>
  );
}
