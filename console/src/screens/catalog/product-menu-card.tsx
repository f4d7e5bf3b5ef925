import { Button, Select, Stack, Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { shopNow } from '../../parts/shop-now.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { type Product, productQuery } from './product-words.ts';

const switches = [
  { name: 'isActive', label: t`On the menu`, hint: t`Shown on the menu and for sale right away` },
  { name: 'isFeatured', label: t`Featured`, hint: t`Menus can show it first` },
  { name: 'isCompliant', label: t`Compliant`, hint: t`Meets state law` },
] as const;

type Shown = Partial<Pick<Product, (typeof switches)[number]['name'] | 'weightTolerance'>>;

/** Grams above a size that cost nothing more. */
const tolerances = ['0', '0.01', '0.02', '0.03', '0.05', '0.1', '0.2', '0.5'] as const;

/** The menu switches of a product; each is saved when toggled. */
export function ProductMenuCard({ product, mayEdit }: { product: Product; mayEdit: boolean }) {
  const queryClient = useQueryClient();
  const change = useWrite({
    mutationFn: (body: Shown) =>
      dataOf(
        api.PATCH('/staff/v1/products/{productId}', { params: { path: { productId: product.id } }, body }),
      ),
    onSuccess: (saved) => {
      queryClient.setQueryData(productQuery(product.id).queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: ['products'] });
    },
    onError: notifyError,
  });
  return (
    <SectionCard title={t`Menu`}>
      <Stack gap="sm">
        {switches.map(({ name, label, hint }) => (
          <Switch
            key={name}
            label={label}
            description={hint}
            disabled={!mayEdit || change.isPending}
            checked={
              change.variables?.[name] !== undefined && change.isPending
                ? change.variables[name]
                : product[name]
            }
            onChange={(event) => change.mutate({ [name]: event.currentTarget.checked })}
          />
        ))}
        {product.unit === 'gram' && product.inventoryType !== 'option' && (
          <Switch
            label={t`Sold by weight`}
            description={t`Weighed at the counter; its sizes set the price`}
            disabled={!mayEdit || change.isPending}
            checked={product.weightTolerance !== null}
            onChange={(event) =>
              change.mutate({ weightTolerance: event.currentTarget.checked ? tolerances[0] : null })
            }
          />
        )}
        {product.weightTolerance !== null && (
          <Select
            label={t`Free above a size`}
            disabled={!mayEdit || change.isPending}
            data={[...new Set([...tolerances, product.weightTolerance])].map((value) => ({
              value,
              label: t`${value} g`,
            }))}
            value={product.weightTolerance}
            onChange={(value) => value !== null && change.mutate({ weightTolerance: value })}
          />
        )}
        <Text size="xs" c="dimmed">
          {rich`Added ${<ShopTime at={product.createdAt} style="date" />}, changed ${<ShopTime at={product.updatedAt} />}`}
        </Text>
        {mayEdit && product.deletedAt === null && <DeleteProduct product={product} />}
      </Stack>
    </SectionCard>
  );
}

function DeleteProduct({ product }: { product: Product }) {
  const [isAsking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await dataOf(
      api.PUT('/staff/v1/products/{productId}', {
        params: { path: { productId: product.id } },
        body: { deletedAt: new Date(shopNow()).toISOString() },
      }),
    );
    notifyDone(t`${product.name} is deleted.`);
    await navigate('/catalog');
    queryClient.removeQueries({ queryKey: productQuery(product.id).queryKey });
    void queryClient.invalidateQueries({ queryKey: ['products'] });
  };
  return (
    <>
      <Button variant="subtle" color="red" size="compact-sm" onClick={() => setAsking(true)}>
        {t`Delete product`}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t`Delete ${product.name}?`}
        action={t`Delete product`}
        isDangerous
        onConfirm={remove}
        onClose={() => setAsking(false)}
      >
        {t`This permanently removes it from the menu and the catalog. Existing orders do not change. A product with stock cannot be deleted.`}
      </ConfirmDialog>
    </>
  );
}
