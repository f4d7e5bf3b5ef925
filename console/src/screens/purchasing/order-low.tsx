import { Alert, Anchor, Button, Group, Paper, Select, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { isDecimalText } from '../../parts/decimal-text.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { failedWrite } from '../../parts/unanswered.ts';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useWrite } from '../../parts/use-write.ts';
import { plural, t } from '../../words/words.ts';
import classes from './order-low.module.css';
import { vendorsQuery } from './purchase-words.ts';

type Suggestion = Schema['PurchaseSuggestion'];

const weeksChoices = ['1', '2', '3', '4', '6', '8', '12'];

/** Orders what is low: suggested quantities by vendor, to be changed, and a purchase order of each vendor. */
export function Component() {
  const [filters, setFilters] = useFilters(['weeks']);
  const weeks = weeksChoices.find((it) => it === filters.weeks) ?? '2';
  const found = useQuery({
    queryKey: ['purchase-suggestions', weeks],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/staff/v1/purchase-suggestions', { params: { query: { weeks: Number(weeks) } }, signal }),
      ),
    // What is typed belongs to what was suggested then.
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const items = found.data?.items ?? [];
  const groups = byVendor(items);
  return (
    <Page>
      <PageHeader
        title={t`Reorder low stock`}
        actions={
          <Select
            label={t`The stock is to last for`}
            data={weeksChoices.map((value) => ({
              value,
              label: plural(Number(value), { one: t`${value} week`, other: t`${value} weeks` }),
            }))}
            value={weeks}
            onChange={(value) => setFilters({ weeks: value })}
          />
        }
      >
        {t`Quantities are what sold in four weeks, for the weeks you want, less what is in stock and on order.`}
      </PageHeader>
      {found.isPending && <Skeleton height={400} radius="md" />}
      {found.error && !found.data && <LoadFailure error={found.error} onRetry={() => found.refetch()} />}
      {found.data && items.length === 0 && (
        <EmptyState
          title={t`Nothing is low`}
        >{t`Everything that sells is in stock for these weeks.`}</EmptyState>
      )}
      {groups.map(([vendorId, rows]) => (
        <VendorOrder key={`${weeks} ${vendorId}`} vendorId={vendorId} rows={rows} />
      ))}
      {found.data && found.data.count > items.length && (
        <Text size="sm" c="dimmed">
          {t`The ${items.length} most urgent of ${found.data.count} items. Order these first, then open this page again.`}
        </Text>
      )}
    </Page>
  );
}

/** The suggestions of each vendor, the most urgent first; what was never bought is last. */
function byVendor(items: readonly Suggestion[]): readonly [number | null, Suggestion[]][] {
  const groups = new Map<number | null, Suggestion[]>();
  for (const item of items) {
    const { inventoryVendorId: id } = item;
    groups.set(id, [...(groups.get(id) ?? []), item]);
  }
  return [...groups].sort(([one], [other]) => Number(one === null) - Number(other === null));
}

interface Typed {
  readonly amount: string;
  readonly cost: string;
}

const keyOf = ({ productId, productOptionId }: Suggestion) => `${productId} ${productOptionId ?? ''}`;
const isNothing = (amount: string) => /^0*\.?0*$/.test(amount);

/** The order of one vendor, or of goods that were never bought. */
function VendorOrder({ vendorId, rows }: { vendorId: number | null; rows: readonly Suggestion[] }) {
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState(vendorId);
  const [typed, setTyped] = useState<ReadonlyMap<string, Typed>>(
    () => new Map(rows.map((row) => [keyOf(row), { amount: row.suggested, cost: row.costPerUnit ?? '' }])),
  );
  const [isTouched, setTouched] = useState(false);
  const lines = rows
    .map((row) => ({ row, ...typed.get(keyOf(row))! }))
    .filter(({ amount }) => !isNothing(amount));
  const isComplete = lines.every(({ amount, cost }) => isDecimalText(amount) && isDecimalText(cost));
  const create = useWrite({
    mutationFn: () =>
      dataOf(
        api.POST('/staff/v1/purchase-orders', {
          body: {
            inventoryVendorId: chosen!,
            expectedAt: null,
            lineItems: lines.map(({ row: { productId, productOptionId }, amount, cost }) => ({
              ...{ productId, productOptionId, amount, costPerUnit: cost },
            })),
          },
        }),
      ),
    onSuccess: () => {
      setTouched(false);
      notifyDone(t`The purchase order is created.`);
      void queryClient.invalidateQueries({ queryKey: ['purchase-orders'] });
    },
  });
  useUnsavedWork(isTouched);
  const change = (row: Suggestion, changes: Partial<Typed>) => {
    setTouched(true);
    setTyped((before) => new Map(before).set(keyOf(row), { ...before.get(keyOf(row))!, ...changes }));
  };
  const title = rows[0]?.vendorName ?? t`Not bought before`;
  if (create.data) {
    return (
      <SectionCard title={title}>
        <Anchor component={Link} to={`/purchasing/${create.data.id}`}>
          {t`The purchase order is created. Open it`}
        </Anchor>
      </SectionCard>
    );
  }
  const failed = create.error && failedWrite(create.error, t`The purchase order is not created`);
  return (
    <SectionCard title={title}>
      {vendorId === null && <VendorChoice vendorId={chosen} onChange={setChosen} />}
      <ul className={classes.lines}>
        {rows.map((row) => (
          <Line
            key={keyOf(row)}
            row={row}
            typed={typed.get(keyOf(row))!}
            onChange={(changes) => change(row, changes)}
          />
        ))}
      </ul>
      {failed && (
        <Alert color="red" role="alert" title={failed.title} mt="sm">
          {failed.message}
        </Alert>
      )}
      <Group justify="flex-end" mt="md">
        <Button
          h={44}
          loading={create.isPending}
          disabled={chosen === null || lines.length === 0 || !isComplete}
          onClick={() => create.mutate()}
        >
          {plural(lines.length, {
            one: t`Create an order with 1 line`,
            other: t`Create an order with ${lines.length} lines`,
          })}
        </Button>
      </Group>
    </SectionCard>
  );
}

function VendorChoice({
  vendorId,
  onChange,
}: {
  vendorId: number | null;
  onChange: (vendorId: number) => void;
}) {
  const vendors = useQuery(vendorsQuery);
  return (
    <Select
      label={t`Vendor`}
      searchable
      mb="md"
      maw={360}
      data={choicesOr(
        (vendors.data ?? [])
          .filter(({ archivedAt }) => archivedAt === null)
          .map(({ id, name }) => ({ value: String(id), label: name })),
        vendors,
        createHints.vendors,
      )}
      value={vendorId === null ? null : String(vendorId)}
      onChange={(id) => id && onChange(Number(id))}
    />
  );
}

function Line({
  row,
  typed,
  onChange,
}: {
  row: Suggestion;
  typed: Typed;
  onChange: (changes: Partial<Typed>) => void;
}) {
  const name = row.optionName === null ? row.productName : `${row.productName} · ${row.optionName}`;
  return (
    <Paper component="li" className={classes.line} aria-label={name}>
      <div>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" className="numbers">
          {t`${row.sold} sold in four weeks, ${row.onHand} in stock, ${row.onOrder} on order`}
        </Text>
      </div>
      <DecimalInput
        label={t`Quantity`}
        aria-label={t`Quantity of ${name}`}
        value={typed.amount}
        onChange={(amount) => onChange({ amount })}
      />
      <DecimalInput
        label={t`Unit cost`}
        aria-label={t`Unit cost of ${name}`}
        leftSection="$"
        value={typed.cost}
        onChange={(cost) => onChange({ cost })}
      />
    </Paper>
  );
}
