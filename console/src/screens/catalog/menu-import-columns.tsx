import { Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { ColumnMeaning } from '../../parts/column-meaning.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import classes from './catalog.module.css';
import {
  type MenuImport,
  type MenuLook,
  type MenuMapping,
  meaningOf,
  meanings,
  unknownCategories,
  withCategory,
  withMeaning,
} from './menu-import-words.ts';
import { categoriesQuery } from './product-words.ts';

/** The second step: ten products as they would be, doubts by column, and what each column means. */
export function MenuImportColumns({ menu }: { menu: MenuImport }) {
  const path = { menuImportId: menu.id };
  // Not below 'menu-imports': a change of the import would read the look again, which is refused once its file is gone.
  const look = useQuery({
    queryKey: ['menu-import-looks', menu.id, menu.updatedAt] as const,
    queryFn: () => dataOf(api.GET('/staff/v1/menu-imports/{menuImportId}/look', { params: { path } })),
  });
  return (
    <SectionCard
      title={t`2. Columns`}
      hint={t`A preview of the first products. Where one is wrong, correct what its column means.`}
    >
      {look.isPending && <Skeleton height={240} />}
      {look.error && !look.data && <LoadFailure error={look.error} onRetry={() => look.refetch()} />}
      {look.data && (
        <Stack gap="lg">
          <DataTable
            label={t`Preview of the products`}
            list={listed(look.data.products.map((product) => ({ ...product, id: product.line })))}
            columns={productColumns}
            maxHeight={480}
            empty={<EmptyState title={t`No product can be read`}>{t`See what is unclear below.`}</EmptyState>}
          />
          <Doubts look={look.data} />
          {menu.mapping && <Meanings menu={menu} mapping={menu.mapping} look={look.data} />}
        </Stack>
      )}
    </SectionCard>
  );
}

type Shown = MenuLook['products'][number] & { readonly id: number };

function listed<Row>(rows: readonly Row[]) {
  return {
    rows,
    isLoading: false,
    error: null,
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => {},
    retry: () => {},
  };
}

const productColumns: readonly Column<Shown>[] = [
  {
    id: 'name',
    header: t`Product`,
    width: '30%',
    wraps: true,
    cell: ({ name, brandName }) => <TwoLines name={name}>{brandName ?? t`No brand`}</TwoLines>,
  },
  {
    id: 'category',
    header: t`Category`,
    width: 168,
    wraps: true,
    cell: ({ category, strainType, unit }) => (
      <TwoLines name={category}>{t`${strainType}, by the ${unit}`}</TwoLines>
    ),
  },
  { id: 'thc', header: t`THC`, width: 120, wideOnly: true, cell: ({ thc }) => thc ?? '–' },
  {
    id: 'options',
    header: t`Options`,
    wraps: true,
    cell: ({ options }) => (
      <Stack gap={2}>
        {options.slice(0, 6).map((option) => (
          <Text
            key={`${option.name} ${option.amount} ${option.upc} ${option.price}`}
            size="sm"
            className="numbers"
          >
            {option.name ?? t`Each`} <Money cents={option.price} />
            {option.salesPrice !== null && <>{rich`, on sale ${<Money cents={option.salesPrice} />}`}</>}
          </Text>
        ))}
        {options.length > 6 && <Text size="sm">{t`and ${options.length - 6} more`}</Text>}
      </Stack>
    ),
  },
];

function Doubts({ look }: { look: MenuLook }) {
  if (look.doubts.length === 0)
    return <Text size="sm">{t`Nothing is unclear in the first ${look.looked} products.`}</Text>;
  return (
    <div>
      <Text size="sm" fw={600} mb="xs">
        {t`Unclear values by column`}
      </Text>
      <ul>
        {look.doubts.map(({ column, message, count, line }) => (
          <li key={`${column}-${message}`}>
            <Text size="sm" component="span">
              <strong>{column ?? t`The file`}</strong> {message}
              {line !== null && t`, line ${line}`}
              {count > 1 && t` and ${count - 1} more`}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  );
}

const meaningChoices = meanings.map(({ value, label }) => ({ value, label }));

function Meanings({ menu, mapping, look }: { menu: MenuImport; mapping: MenuMapping; look: MenuLook }) {
  const queryClient = useQueryClient();
  const mayMap = useCan('staffMapMenuImport');
  const [draft, setDraft] = useState(mapping);
  const isDirty = draft !== mapping;
  const settle = useUnsavedWork(isDirty);
  const categories = useQuery(categoriesQuery);
  const save = useWrite({
    mutationFn: () =>
      dataOf(
        api.PUT('/staff/v1/menu-imports/{menuImportId}/mapping', {
          params: { path: { menuImportId: menu.id } },
          headers: ifUnchanged(menu.updatedAt),
          body: { mapping: draft },
        }),
      ),
    onSuccess: () => {
      settle();
      notifyDone(t`Reading the products again …`);
    },
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['menu-imports'] }),
  });
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {t`What the columns mean`}
      </Text>
      <div className={classes.meanings}>
        {look.columns.map((column) => (
          <ColumnMeaning
            key={column.name}
            column={column}
            disabled={!mayMap}
            data={meaningChoices}
            value={meaningOf(draft, column.name) || null}
            onChange={(meaning) => setDraft(withMeaning(draft, column.name, meaning))}
          />
        ))}
        {unknownCategories(look).map((word) => (
          <Select
            key={`category ${word}`}
            label={t`Category for “${word}”`}
            placeholder={t`Choose a category of the shop`}
            searchable
            openOnFocus={false}
            disabled={!mayMap}
            data={choicesOr(
              (categories.data ?? []).map((category) => category.name),
              categories,
              createHints.categories,
            )}
            value={chosenCategory(draft, word)}
            onChange={(category) => category && setDraft(withCategory(draft, word, category))}
          />
        ))}
      </div>
      <Group>
        <Button disabled={!mayMap || !isDirty} loading={save.isPending} onClick={() => save.mutate()}>
          {t`Save and look again`}
        </Button>
        {isDirty && (
          <Button variant="default" onClick={() => setDraft(mapping)}>
            {t`Discard`}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function chosenCategory({ columns }: MenuMapping, word: string): string | null {
  const rule = columns.flatMap(({ rules }) => rules).find(({ field }) => field === 'category');
  return rule?.values?.find(({ text }) => text === word)?.value ?? null;
}
