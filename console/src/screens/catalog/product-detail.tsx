import { Anchor, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useGuardedEdit } from '../../parts/use-guarded-edit.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import classes from './catalog.module.css';
import { draftOf, type ProductDraft, shownField } from './product-draft.ts';
import { DescriptionField, PotencyFields, ProductFields } from './product-fields.tsx';
import { ProductMenuCard } from './product-menu-card.tsx';
import { MoreFields } from './product-more-fields.tsx';
import { ProductOptionsForm } from './product-options-form.tsx';
import { ProductPhotosCard } from './product-photos-card.tsx';
import { ProductTagsCard } from './product-tags-card.tsx';
import { type Product, productQuery } from './product-words.ts';

/** One product: details, options, photos and menu visibility. */
export function Component() {
  const productId = Number(useParams().productId);
  const product = useQuery(productQuery(productId));
  useLive(['products', 'tags']);
  return (
    <Page>
      <PageHeader
        title={product.data?.name ?? t`Product`}
        actions={
          product.data && (
            <>
              <Anchor component={Link} size="sm" to={`/print/products/${productId}`}>
                {t`Shelf labels`}
              </Anchor>
              <Anchor component={Link} size="sm" to={`/inventory/ledger?productId=${productId}`}>
                {t`Stock ledger`}
              </Anchor>
            </>
          )
        }
      >
        <Anchor component={Link} to="/catalog" size="sm" underline="always">
          {t`Products`}
        </Anchor>
        {product.data &&
          ['', product.data.brand?.name, product.data.primaryCategory.name]
            .filter((name) => name !== undefined)
            .join(' / ')}
      </PageHeader>
      {product.isPending && <Skeleton height={480} radius="md" />}
      {product.error && !product.data && (
        <LoadFailure error={product.error} onRetry={() => product.refetch()} />
      )}
      {product.data && <ProductEditor product={product.data} />}
    </Page>
  );
}

function ProductEditor({ product }: { product: Product }) {
  const mayEdit = useCan('staffUpdateProduct');
  return (
    <div className={classes.editor}>
      <div className={classes.options}>
        <ProductOptionsForm product={product} mayEdit={mayEdit} />
      </div>
      <div className={classes.aside}>
        <ProductMenuCard product={product} mayEdit={mayEdit} />
        <ProductPhotosCard product={product} mayEdit={mayEdit} />
        <ProductTagsCard productId={product.id} mayEdit={mayEdit} />
      </div>
      <div className={classes.details}>
        <DetailsForm product={product} mayEdit={mayEdit} />
      </div>
    </div>
  );
}

function DetailsForm({ product, mayEdit }: { product: Product; mayEdit: boolean }) {
  const queryClient = useQueryClient();
  const query = productQuery(product.id);
  const edit = useGuardedEdit<Product, ProductDraft>({
    saved: product,
    editedOf: draftOf,
    save: async ({ brandName, ...changes }, updatedAt) => {
      const saved = await dataOf(
        api.PUT('/staff/v1/products/{productId}', {
          params: { path: { productId: product.id } },
          headers: ifUnchanged(updatedAt),
          body: { ...changes, ...(brandName !== undefined && { brandName: brandName.trim() || null }) },
        }),
      );
      queryClient.setQueryData(query.queryKey, saved);
      return saved;
    },
    load: query.queryFn,
    accept: () => {
      for (const key of ['products', 'brands', 'product-sub-categories']) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
    },
    shown: shownField,
  });
  return (
    <>
      <ServerForm
        onSubmit={edit.submit}
        onDone={() => notifyDone(t`The product is saved.`)}
        onStale={() => {}}
        isReadOnly={!mayEdit}
        submit={t`Save product`}
      >
        <ProductFields {...edit} isNew={false} />
        <DescriptionField {...edit} />
        <PotencyFields {...edit} />
        <MoreFields {...edit} />
      </ServerForm>
      {edit.conflict}
    </>
  );
}
