import { Autocomplete, Select, SimpleGrid, Stack, Tabs, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { notLoaded } from '../../parts/load-failure.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field } from '../../parts/server-form.tsx';
import { LongTextField, TextField } from '../../parts/text-field.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import classes from './catalog.module.css';
import { MarkdownText } from './markdown-text.tsx';
import type { ProductDraft } from './product-draft.ts';
import {
  brandsQuery,
  categoriesQuery,
  inventoryLabels,
  type Product,
  strainLabels,
  subCategoriesQuery,
} from './product-words.ts';

/** The details of a product: names, place on the menu, stock tracking. */
export function ProductFields({ draft, set, isNew }: Edit<ProductDraft> & { isNew: boolean }) {
  return (
    <SectionCard title={t`Product`}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextField
          path="name"
          label={t`Name`}
          description={t`Without the brand name`}
          required
          value={draft.name}
          onChange={(value) => set('name', value)}
        />
        <BrandField draft={draft} set={set} />
        <CategoryFields draft={draft} set={set} />
        <Field path="strainType">
          {(error) => (
            <Select
              label={t`Strain`}
              error={error}
              data={Object.entries(strainLabels).map(([value, label]) => ({ value, label }))}
              value={draft.strainType}
              onChange={(value) => value && set('strainType', value as Product['strainType'])}
            />
          )}
        </Field>
        <Field path="unit">
          {(error) => (
            <Select
              label={t`Sold by`}
              error={error}
              data={[
                { value: 'item', label: t`Item` },
                { value: 'gram', label: t`Gram, weighed at sale` },
              ]}
              value={draft.unit}
              onChange={(value) => value && set('unit', value as Product['unit'])}
            />
          )}
        </Field>
        {!isNew && (
          <Field path="inventoryType">
            {(error) => (
              <Select
                label={t`Stock tracking`}
                description={t`Can change only while there is no stock`}
                error={error}
                data={Object.entries(inventoryLabels).map(([value, label]) => ({ value, label }))}
                value={draft.inventoryType}
                onChange={(value) => value && set('inventoryType', value as Product['inventoryType'])}
              />
            )}
          </Field>
        )}
      </SimpleGrid>
    </SectionCard>
  );
}

type FieldsOf = Pick<Edit<ProductDraft>, 'draft' | 'set'>;

function BrandField({ draft, set }: FieldsOf) {
  const brands = useQuery(brandsQuery);
  return (
    <Field path="brandName">
      {(error) => (
        <Autocomplete
          label={t`Brand`}
          description={t`A new name creates a brand`}
          placeholder={t`None`}
          error={error}
          data={[...new Set((brands.data ?? []).map(({ name }) => name))]}
          limit={30}
          value={draft.brandName}
          onChange={(value) => set('brandName', value)}
        />
      )}
    </Field>
  );
}

function CategoryFields({ draft, set }: FieldsOf) {
  const categories = useQuery(categoriesQuery);
  const subCategories = useQuery(subCategoriesQuery);
  const names = [...new Set([draft.category, ...(categories.data ?? []).map(({ name }) => name)])].filter(
    Boolean,
  );
  return (
    <>
      <Field path="category">
        {(error) => (
          <Select
            label={t`Category`}
            required
            searchable
            // Typing and Enter choose.
            selectFirstOptionOnChange
            error={error ?? notLoaded(categories)}
            data={choicesOr(names, categories, createHints.categories)}
            value={draft.category || null}
            onChange={(value) => value && set('category', value)}
            onKeyDown={(event) => {
              // What is pasted or scanned at once opens the list before it can mark its first option.
              const isMarked = event.currentTarget.getAttribute('aria-activedescendant') !== null;
              const typed = event.currentTarget.value.trim().toLowerCase();
              const first = names.find((name) => name.toLowerCase().includes(typed));
              if (event.key !== 'Enter' || isMarked || typed === '' || !first || first === draft.category)
                return;
              event.preventDefault();
              set('category', first);
            }}
          />
        )}
      </Field>
      <Field path="subCategories">
        {(error) => (
          <TagsInput
            label={t`Sub-categories`}
            error={error}
            data={(subCategories.data ?? []).map(({ name }) => name)}
            value={draft.subCategories}
            onChange={(value) => set('subCategories', value)}
          />
        )}
      </Field>
    </>
  );
}

/** The description, as source and as preview. */
export function DescriptionField({ draft, set }: FieldsOf) {
  return (
    <SectionCard title={t`Description`}>
      <Tabs defaultValue="write" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="write">{t`Write`}</Tabs.Tab>
          <Tabs.Tab value="preview">{t`Preview`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="write">
          <LongTextField
            path="description"
            aria-label={t`Description`}
            description={t`Markdown: # heading, **bold**, *italic*, - list, [words](address). HTML is shown as text.`}
            minRows={5}
            maxRows={18}
            value={draft.description}
            onChange={(value) => set('description', value)}
          />
        </Tabs.Panel>
        <Tabs.Panel value="preview">
          <div className={classes.description}>
            <MarkdownText source={draft.description} />
          </div>
        </Tabs.Panel>
      </Tabs>
    </SectionCard>
  );
}

const amounts = [
  { name: 'Amount', label: t`Total` },
  { name: 'AmountEach', label: t`Per unit` },
  { name: 'AmountRangeLow', label: t`From` },
  { name: 'AmountRangeHigh', label: t`To` },
] as const;

/** THC and CBD content; an amount needs its unit. */
export function PotencyFields({ draft, set }: FieldsOf) {
  return (
    <SectionCard title={t`THC and CBD`}>
      <Stack gap="sm">
        {(['thc', 'cbd'] as const).map((substance) => (
          <SimpleGrid key={substance} cols={{ base: 2, sm: 5 }}>
            {amounts.map(({ name, label }) => {
              const path = `${substance}${name}` as const;
              return (
                <TextField
                  key={path}
                  path={path}
                  label={`${substance.toUpperCase()} ${label.toLowerCase()}`}
                  inputMode="decimal"
                  className="numbers"
                  value={draft[path]}
                  onChange={(value) => set(path, value.trim() || null)}
                />
              );
            })}
            <Field path={`${substance}Unit`}>
              {(error) => (
                <Select
                  label={t`${substance.toUpperCase()} unit`}
                  error={error}
                  data={['%', 'mg']}
                  clearable
                  allowDeselect
                  value={draft[`${substance}Unit`]}
                  onChange={(value) => set(`${substance}Unit`, value as Product['thcUnit'])}
                />
              )}
            </Field>
          </SimpleGrid>
        ))}
      </Stack>
    </SectionCard>
  );
}
