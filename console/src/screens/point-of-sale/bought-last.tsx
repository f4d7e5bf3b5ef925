import { Button, Group, Kbd, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { isDialogOpen } from '../../parts/open-dialog.ts';
import { saleOptions } from '../../parts/sale-options.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyError, notifyRefusal } from '../../parts/toasts.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import type { CartChange, Customer } from './cart.ts';

const againKey = 'F6';

type Line = Schema['StaffOrder']['lineItems'][number];

/** What the customer bought last; one key puts it into the cart again, at the prices of today. */
export function BoughtLast({
  customer,
  onChange,
}: {
  customer: Customer;
  onChange: (change: CartChange) => void;
}) {
  const queryClient = useQueryClient();
  const { data: orders } = useQuery({
    queryKey: ['orders', { search: customer.hashId }, 'last'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/v1/orders', { params: { query: { search: customer.hashId } }, signal })),
    staleTime: 60_000,
  });
  const last = orders?.find(({ status }) => status === 'fulfilled');
  const add = async ({ productId, optionId, quantity, productName }: Line) => {
    const product = await queryClient.fetchQuery({
      queryKey: ['products', productId],
      queryFn: () => dataOf(api.GET('/staff/v1/products/{productId}', { params: { path: { productId } } })),
    });
    const option = saleOptions([product]).find(({ productOptionId }) => productOptionId === optionId);
    if (!product.isActive || option === undefined) {
      return notifyRefusal(t`It is no longer for sale.`, productName);
    }
    if (option.loose) return notifyRefusal(t`Weigh it out: it is sold by weight.`, productName);
    for (let units = 0; units < quantity; units += 1) onChange({ type: 'add', option });
  };
  const addAll = async () => {
    for (const line of last?.lineItems ?? []) await add(line).catch(notifyError);
  };
  const present = useRef(addAll);
  useEffect(() => {
    present.current = addAll;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== againKey || isDialogOpen()) return;
      event.preventDefault();
      void present.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  if (last === undefined) return null;
  const goods = last.lineItems.map(({ quantity, productName }) => `${quantity} × ${productName}`).join('; ');
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" role="group" aria-label={t`Bought last`}>
      <Text size="xs" lineClamp={2}>
        {rich`Bought last, ${<ShopTime at={last.fulfilledAt ?? last.createdAt} style="date" />}: ${goods}`}
      </Text>
      <Button
        variant="default"
        miw="max-content"
        onClick={() => void addAll()}
        rightSection={<Kbd size="xs">{againKey}</Kbd>}
      >
        {t`Add again`}
      </Button>
    </Group>
  );
}
