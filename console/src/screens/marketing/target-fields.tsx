import { MultiSelect, SimpleGrid } from '@mantine/core';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { t } from '../../words/words.ts';
import type { Targets } from './discount-draft.ts';
import type { TargetNames } from './discount-sentence.ts';
import { GoodsPicker } from './goods-picker.tsx';
import { useTargetLists } from './use-target-names.ts';

/** The target products: all in any of the lists; every product if all lists are empty. */
export function TargetFields({
  targets,
  onChange,
  names,
}: {
  targets: Targets;
  onChange: (targets: Targets) => void;
  names: TargetNames;
}) {
  const { categories, brands, tags } = useTargetLists();
  const list = (
    name: 'categoryIds' | 'brandIds' | 'tagIds',
    label: string,
    made: 'categories' | 'brands' | 'tags',
    rows: readonly { id: number; name: string }[] | undefined,
  ) => (
    <MultiSelect
      label={label}
      placeholder={targets[name].length === 0 ? t`Any` : undefined}
      data={choicesOr(
        (rows ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        { data: rows, error: null },
        createHints[made],
      )}
      searchable
      limit={100}
      hidePickedOptions
      value={rows ? targets[name].map(String) : []}
      onChange={(values) => onChange({ ...targets, [name]: values.map(Number) })}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {list('categoryIds', t`Categories`, 'categories', categories)}
      {list('brandIds', t`Brands`, 'brands', brands)}
      {list('tagIds', t`Tags`, 'tags', tags)}
      <GoodsPicker
        of="products"
        label={t`Products`}
        ids={targets.productIds}
        nameOf={names.product}
        onChange={(productIds) => onChange({ ...targets, productIds })}
      />
      <GoodsPicker
        of="options"
        label={t`Single options`}
        ids={targets.optionIds}
        nameOf={names.option}
        onChange={(optionIds) => onChange({ ...targets, optionIds })}
      />
    </SimpleGrid>
  );
}
