import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import type { Order } from './order-words.ts';
import { isConflict, useOrderStep } from './use-order-step.ts';

/** Prices everything of a draft or new order with current prices, after showing what it would come to. */
export function RepriceDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const step = useOrderStep();
  const params = { path: { orderId: order.id } };
  const preview = useQuery({
    queryKey: ['orders', order.id, 'reprice', order.updatedAt],
    queryFn: ({ signal }) =>
      dataOf(api.POST('/staff/v1/orders/{orderId}/reprice/preview', { params, signal })),
    gcTime: 0,
  });
  const reprice = useWrite({
    mutationFn: () =>
      step(order.id, () => dataOf(api.POST('/staff/v1/orders/{orderId}/reprice', { params }))),
    onSuccess: () => {
      notifyDone(t`The order has current prices.`);
      onClose();
    },
    onError: (error) => isConflict(error) || notifyError(error),
  });
  return (
    <Modal opened onClose={onClose} title={t`Use current prices`} size="lg">
      <Stack>
        <Text>{t`Every line gets current prices, discounts, taxes and fees. An edit keeps those of the order.`}</Text>
        {preview.error && <LoadFailure error={preview.error} onRetry={() => preview.refetch()} />}
        {preview.isPending && <Skeleton height={96} />}
        {preview.data && (
          <Stack gap="xs">
            {changedLines(order, preview.data.order).map(({ id, name, before, after }) => (
              <Group key={id} justify="space-between" wrap="nowrap">
                <Text>{name}</Text>
                <Text className="numbers">{t`${dollars(before)}, then ${dollars(after)}`}</Text>
              </Group>
            ))}
            <Group justify="space-between" wrap="nowrap">
              <Text fw={600}>{t`Total`}</Text>
              <Text className="numbers" fw={600}>
                {preview.data.difference === 0
                  ? t`${dollars(order.customerGrandTotal)}, as before`
                  : t`${dollars(preview.data.customerGrandTotalBefore)}, then ${dollars(preview.data.order.customerGrandTotal)}`}
              </Text>
            </Group>
          </Stack>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            loading={reprice.isPending}
            disabled={preview.data === undefined}
            onClick={() => reprice.mutate()}
          >
            {t`Use current prices`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The lines whose price after discounts changes. */
function changedLines(before: Order, after: Pick<Order, 'lineItems'>) {
  return before.lineItems.flatMap((line) => {
    const then = after.lineItems.find(({ id }) => id === line.id);
    if (then === undefined || then.finalPrice === line.finalPrice) return [];
    const name = `${line.productName}, ${line.optionName}`;
    return [{ id: line.id, name, before: line.finalPrice, after: then.finalPrice }];
  });
}
