import { ActionIcon, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { cannabisTypes, type LimitDraft, limitUnits } from './limit-words.ts';

type Counted = LimitDraft['counts'][number];

/** The types that count toward the limit: by their content, or converted at a rate. */
export function LimitCounts({ draft, set }: Pick<Edit<LimitDraft>, 'draft' | 'set'>) {
  const { counts } = draft;
  const named = new Set(counts.map(({ cannabisType }) => cannabisType));
  const free = (Object.keys(cannabisTypes) as Counted['cannabisType'][]).filter((type) => !named.has(type));
  const replace = (index: number, changes: Partial<Counted>) =>
    set(
      'counts',
      counts.map((count, at) => (at === index ? { ...count, ...changes } : count)),
    );
  const next = free[0];
  return (
    <Stack gap="sm">
      <div>
        <Text fw={500} size="sm">
          {t`Counted types`}
        </Text>
        <Text size="xs" c="dimmed">
          {t`Other types do not count.`}
        </Text>
      </div>
      {counts.map((count, index) => (
        <CountedType
          key={count.cannabisType}
          count={count}
          index={index}
          types={[count.cannabisType, ...free]}
          onChange={(changes) => replace(index, changes)}
          onRemove={
            counts.length > 1
              ? () =>
                  set(
                    'counts',
                    counts.filter((_, at) => at !== index),
                  )
              : undefined
          }
        />
      ))}
      {next && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          w="fit-content"
          onClick={() => set('counts', [...counts, { cannabisType: next, ...countedBy.itself }])}
        >
          {t`Add a type`}
        </Button>
      )}
    </Stack>
  );
}

/** What each way to count begins with. */
const countedBy = {
  itself: { amount: null, unit: null, countsAs: null, countsAsUnit: null, of: 'content' },
  converted: { amount: '1', unit: 'g', countsAs: '1', countsAsUnit: 'g', of: 'content' },
  thc: { amount: '1', unit: 'mg', countsAs: '1', countsAsUnit: 'mg', of: 'thc' },
} as const satisfies Readonly<Record<string, Partial<Counted>>>;

function CountedType({
  count,
  index,
  types,
  onChange,
  onRemove,
}: {
  count: Counted;
  index: number;
  types: readonly Counted['cannabisType'][];
  onChange: (changes: Partial<Counted>) => void;
  onRemove: (() => void) | undefined;
}) {
  const isConverted = count.amount != null;
  const type = cannabisTypes[count.cannabisType];
  return (
    <Group gap="sm" align="flex-start" role="group" aria-label={t`Counted type ${index + 1}`}>
      <Field path={`counts[${index}].cannabisType`}>
        {(error) => (
          <Select
            aria-label={t`Type`}
            w={248}
            error={error}
            data={types.map((value) => ({ value, label: cannabisTypes[value] }))}
            value={count.cannabisType}
            onChange={(chosen) => chosen && onChange({ cannabisType: chosen as Counted['cannabisType'] })}
          />
        )}
      </Field>
      <Select
        aria-label={t`How ${type} counts`}
        w={152}
        data={[
          { value: 'itself', label: t`by content` },
          { value: 'converted', label: t`converted` },
          { value: 'thc', label: t`by its THC` },
        ]}
        value={count.of === 'thc' ? 'thc' : isConverted ? 'converted' : 'itself'}
        onChange={(way) => onChange(countedBy[way as keyof typeof countedBy])}
      />
      {onRemove && (
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={t`Remove ${type}`} onClick={onRemove}>
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      )}
      {isConverted && <Conversion count={count} index={index} onChange={onChange} />}
    </Group>
  );
}

function Conversion({
  count,
  index,
  onChange,
}: {
  count: Counted;
  index: number;
  onChange: (changes: Partial<Counted>) => void;
}) {
  return (
    <Group gap="xs" w="100%" align="flex-start">
      <Field path={`counts[${index}].amount`}>
        {(error) => (
          <DecimalInput
            aria-label={t`Amount`}
            w={80}
            error={error}
            value={count.amount ?? ''}
            onChange={(amount) => onChange({ amount })}
          />
        )}
      </Field>
      <UnitSelect label={t`Unit`} unit={count.unit} onChange={(unit) => onChange({ unit })} />
      <Text size="sm" lh="36px">
        {t`counts as`}
      </Text>
      <Field path={`counts[${index}].countsAs`}>
        {(error) => (
          <DecimalInput
            aria-label={t`Counts as`}
            w={80}
            error={error}
            value={count.countsAs ?? ''}
            onChange={(countsAs) => onChange({ countsAs })}
          />
        )}
      </Field>
      <UnitSelect
        label={t`Unit that it counts as`}
        unit={count.countsAsUnit}
        onChange={(countsAsUnit) => onChange({ countsAsUnit })}
      />
    </Group>
  );
}

function UnitSelect({
  label,
  unit,
  onChange,
}: {
  label: string;
  unit: Counted['unit'];
  onChange: (unit: NonNullable<Counted['unit']>) => void;
}) {
  return (
    <Select
      aria-label={label}
      w={96}
      data={[...limitUnits]}
      value={unit ?? null}
      onChange={(chosen) => chosen && onChange(chosen as NonNullable<Counted['unit']>)}
    />
  );
}
