import { Modal, SimpleGrid, Table, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { MomentInput } from '../../parts/moment-input.tsx';
import { Money } from '../../parts/money.tsx';
import { priceOfOne } from '../../parts/sale-options.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { plural, t } from '../../words/words.ts';
import type { ListedProduct } from './product-words.ts';
import { reducedCents } from './reduced-cents.ts';

/**
 * Sale prices of many products from one moment to another: a discount that every cart gets by itself and the menu shows, with each price
 * before and after. It ends by itself.
 */
export function SalePricesDialog({
  products,
  onClose,
}: {
  products: readonly ListedProduct[];
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(t`On sale`);
  const [percent, setPercent] = useState('');
  const [startsAt, setStartsAt] = useState<string | null>(null);
  const [endsAt, setEndsAt] = useState<string | null>(null);
  const isReady = Number(percent) > 0 && Number(percent) <= 100 && endsAt !== null && name.trim() !== '';
  const save = () =>
    dataOf(
      api.POST('/staff/v1/discounts', {
        body: {
          ...{ name: name.trim(), kind: 'line', type: 'percent', amount: percent, trigger: 'automatic' },
          ...{ stackable: true, targets: { productIds: products.map(({ id }) => id) } },
          conditions: { startsAt, endsAt },
        },
      }),
    );
  return (
    <Modal opened onClose={onClose} title={t`Sale prices`} size="lg">
      <ServerForm
        isReady={isReady}
        onSubmit={save}
        onDone={() => {
          void queryClient.invalidateQueries({ queryKey: ['discounts'] });
          notifyDone(t`The sale prices are set. They begin and end by themselves.`);
          onClose();
        }}
        onCancel={onClose}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field path="name">
            {(error) => (
              <TextInput
                label={t`Name for customers`}
                error={error}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field path="amount">
            {(error) => (
              <DecimalInput
                label={t`Percent off`}
                required
                data-autofocus
                error={error}
                value={percent}
                onChange={setPercent}
              />
            )}
          </Field>
          <MomentInput
            label={t`From`}
            description={t`Leave empty to start now`}
            moment={startsAt}
            onChange={setStartsAt}
          />
          <MomentInput label={t`Until`} required moment={endsAt} onChange={setEndsAt} />
        </SimpleGrid>
        <Text size="sm">
          {plural(products.length, { one: t`1 product`, other: t`${products.length} products` })}
        </Text>
        <PricesBeforeAndAfter products={products} percent={percent} />
      </ServerForm>
    </Modal>
  );
}

function PricesBeforeAndAfter({
  products,
  percent,
}: {
  products: readonly ListedProduct[];
  percent: string;
}) {
  return (
    <Table.ScrollContainer minWidth={320} mah={320}>
      <Table aria-label={t`Prices before and after`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Product`}</Table.Th>
            <Table.Th ta="end">{t`Now`}</Table.Th>
            <Table.Th ta="end">{t`On sale`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {products.flatMap((product) =>
            product.options.map((option) => (
              <Table.Tr key={option.id}>
                <Table.Td>
                  {product.name}, {option.name}
                </Table.Td>
                <Table.Td ta="end">
                  <Money cents={priceOfOne(option)} />
                </Table.Td>
                <Table.Td ta="end">
                  <Money cents={reducedCents(priceOfOne(option), percent)} />
                </Table.Td>
              </Table.Tr>
            )),
          )}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
