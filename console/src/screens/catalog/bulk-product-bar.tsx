import { Alert, Button, List, Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { messageOf } from '../../parts/load-failure.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import classes from './catalog.module.css';
import type { ListedProduct as Product } from './product-words.ts';
import { SalePricesDialog } from './sale-prices-dialog.tsx';

type Change = { readonly isActive?: boolean; readonly isFeatured?: boolean };

const changes: readonly { readonly label: string; readonly done: string; readonly change: Change }[] = [
  { label: t`Put on the menu`, done: t`put on the menu`, change: { isActive: true } },
  { label: t`Take off the menu`, done: t`taken off the menu`, change: { isActive: false } },
  { label: t`Feature`, done: t`featured`, change: { isFeatured: true } },
  { label: t`Stop featuring`, done: t`no longer featured`, change: { isFeatured: false } },
];

interface Refused {
  readonly product: Product;
  readonly why: string;
}

/** Applies a change to all selected products, one by one, and lists the refused ones with reasons. */
export function BulkProductBar({
  chosen,
  onDone,
}: {
  chosen: readonly Product[];
  /** The products that stay selected: the refused ones. */
  onDone: (left: readonly Product[]) => void;
}) {
  const queryClient = useQueryClient();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [count, setCount] = useState(0);
  const [isPricing, setPricing] = useState(false);
  const maySell = useCan('createDiscount');
  const apply = useWrite({
    mutationFn: async ({ change, done }: (typeof changes)[number]) => {
      const failed: Refused[] = [];
      setCount(0);
      for (const product of chosen) {
        const params = { path: { productId: product.id } };
        try {
          await dataOf(api.PATCH('/staff/v1/products/{productId}', { params, body: change }));
        } catch (error) {
          failed.push({ product, why: messageOf(error) });
        }
        setCount((before) => before + 1);
      }
      return { failed, done };
    },
    onSuccess: ({ failed, done }) => {
      void queryClient.invalidateQueries({ queryKey: ['products'] });
      setRefused(failed);
      const good = chosen.length - failed.length;
      if (good > 0) notifyDone(t`${good} of ${chosen.length} ${done}.`);
      if (failed.length === 0) onDone([]);
    },
  });
  return (
    <section className={classes.bulk} aria-label={t`Change the selected products`}>
      <Text size="sm" fw={600} className="numbers" aria-live="polite" mr="sm">
        {apply.isPending ? t`${count} of ${chosen.length} done` : t`${chosen.length} chosen`}
      </Text>
      {changes.map((change) => (
        <Button
          key={change.label}
          size="compact-sm"
          variant="default"
          disabled={apply.isPending}
          onClick={() => apply.mutate(change)}
        >
          {change.label}
        </Button>
      ))}
      {maySell && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={apply.isPending}
          onClick={() => setPricing(true)}
        >
          {t`Sale prices`}
        </Button>
      )}
      {isPricing && <SalePricesDialog products={chosen} onClose={() => setPricing(false)} />}
      <Button
        size="compact-sm"
        variant="subtle"
        ml="auto"
        disabled={apply.isPending}
        onClick={() => onDone([])}
      >
        {t`Clear selection`}
      </Button>
      <RefusedDialog
        refused={refused}
        onClose={() => {
          onDone(refused.map(({ product }) => product));
          setRefused([]);
        }}
      />
    </section>
  );
}

function RefusedDialog({ refused, onClose }: { refused: readonly Refused[]; onClose: () => void }) {
  return (
    <Modal opened={refused.length > 0} onClose={onClose} title={t`${refused.length} refused`} size="lg">
      <Alert color="yellow" mb="md">
        {t`The other products are changed. These stay selected.`}
      </Alert>
      <List size="sm" spacing="xs">
        {refused.map(({ product, why }) => (
          <List.Item key={product.id}>
            <Text span inherit fw={600}>
              {product.name}
            </Text>
            : {why}
          </List.Item>
        ))}
      </List>
    </Modal>
  );
}
