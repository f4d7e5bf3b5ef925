import { ActionIcon, Button, SimpleGrid, Stack, TagsInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { DayInput } from '../../parts/day-input.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ListField } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import classes from './catalog.module.css';
import type { ProductDraft } from './product-draft.ts';

type FieldsOf = Pick<Edit<ProductDraft>, 'draft' | 'set'>;

/** What describes a product further: strain, SKU, effects, flavours, terpenes and lab results. */
export function MoreFields({ draft, set }: FieldsOf) {
  return (
    <SectionCard title={t`Strain, terpenes and lab results`}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextField
            path="strain"
            label={t`Name of the strain`}
            value={draft.strain}
            onChange={(value) => set('strain', value || null)}
          />
          <TextField
            path="sku"
            label={t`SKU`}
            value={draft.sku}
            onChange={(value) => set('sku', value || null)}
          />
          <WordsField label={t`Effects`} name="effects" words={draft.effects} set={set} />
          <WordsField label={t`Flavors`} name="flavours" words={draft.flavours} set={set} />
        </SimpleGrid>
        <TerpeneRows draft={draft} set={set} />
        <LabResultRows draft={draft} set={set} />
      </Stack>
    </SectionCard>
  );
}

function WordsField({
  label,
  name,
  words,
  set,
}: {
  label: string;
  name: 'effects' | 'flavours';
  words: string[];
  set: FieldsOf['set'];
}) {
  return (
    <ListField path={name} items={words}>
      {(error) => (
        <TagsInput label={label} error={error} value={words} onChange={(value) => set(name, value)} />
      )}
    </ListField>
  );
}

/** The list with another entry in a place. */
function withAt<Entry>(list: readonly Entry[], at: number, entry: Entry): Entry[] {
  return list.map((it, index) => (index === at ? entry : it));
}

function TerpeneRows({ draft: { terpenes }, set }: FieldsOf) {
  return (
    <Stack gap="sm">
      {terpenes.map((terpene, index) => {
        const which = t`terpene ${index + 1}`;
        const change = (changes: Partial<typeof terpene>) =>
          set('terpenes', withAt(terpenes, index, { ...terpene, ...changes }));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids, and all their values are controlled
          <fieldset key={index} className={`bare ${classes.detailRow}`} aria-label={which}>
            <TextField
              path={`terpenes[${index}].name`}
              label={t`Terpene`}
              aria-label={t`Name of ${which}`}
              value={terpene.name}
              onChange={(name) => change({ name })}
            />
            <TextField
              path={`terpenes[${index}].percent`}
              label={t`Percent`}
              aria-label={t`Percent of ${which}`}
              inputMode="decimal"
              className="numbers"
              value={terpene.percent}
              onChange={(percent) => change({ percent: percent.trim() || null })}
            />
            <RemoveButton
              which={which}
              onClick={() =>
                set(
                  'terpenes',
                  terpenes.filter((_, at) => at !== index),
                )
              }
            />
          </fieldset>
        );
      })}
      <AddButton onClick={() => set('terpenes', [...terpenes, { name: '', percent: null }])}>
        {t`Add a terpene`}
      </AddButton>
    </Stack>
  );
}

function LabResultRows({ draft: { labResults }, set }: FieldsOf) {
  return (
    <Stack gap="sm">
      {labResults.map((result, index) => {
        const which = t`lab result ${index + 1}`;
        const change = (changes: Partial<typeof result>) =>
          set('labResults', withAt(labResults, index, { ...result, ...changes }));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids, and all their values are controlled
          <fieldset key={index} className={`bare ${classes.detailRow}`} aria-label={which}>
            <TextField
              path={`labResults[${index}].lab`}
              label={t`Lab`}
              aria-label={t`Lab of ${which}`}
              value={result.lab}
              onChange={(lab) => change({ lab })}
            />
            <Field path={`labResults[${index}].date`}>
              {(error) => (
                <DayInput
                  label={t`Date`}
                  aria-label={t`Date of ${which}`}
                  error={error}
                  day={result.date}
                  onChange={(date) => change({ date })}
                />
              )}
            </Field>
            <TextField
              path={`labResults[${index}].certificateUrl`}
              label={t`Certificate`}
              aria-label={t`Address of the certificate of ${which}`}
              value={result.certificateUrl}
              onChange={(certificateUrl) => change({ certificateUrl: certificateUrl.trim() || null })}
            />
            <RemoveButton
              which={which}
              onClick={() =>
                set(
                  'labResults',
                  labResults.filter((_, at) => at !== index),
                )
              }
            />
          </fieldset>
        );
      })}
      <AddButton
        onClick={() => set('labResults', [...labResults, { lab: '', date: null, certificateUrl: null }])}
      >
        {t`Add a lab result`}
      </AddButton>
    </Stack>
  );
}

function RemoveButton({ which, onClick }: { which: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="red" aria-label={t`Remove ${which}`} onClick={onClick}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}

function AddButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      className={classes.addRow}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
