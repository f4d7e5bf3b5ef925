import { Anchor } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { useEdit } from '../../parts/use-edit.ts';
import { hasCheckDigit } from '../../scanner/scan-codes.ts';
import { t } from '../../words/words.ts';
import { NewPhotosCard, SentPhotos } from './new-photos.tsx';
import { OptionRows } from './option-rows.tsx';
import { blankOption, blankProduct, type OptionDraft, optionBody } from './product-draft.ts';
import { DescriptionField, PotencyFields, ProductFields } from './product-fields.tsx';
import { MoreFields } from './product-more-fields.tsx';
import { categoriesQuery, contentUnit, type Product } from './product-words.ts';
import { useNewPhotos } from './use-new-photos.ts';

const firstOptions: OptionDraft[] = [blankOption('first')];

/** Creates a product with its options and photos. The menu switches are on its own screen. */
export function Component() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const edit = useEdit(blankProduct);
  const [parameters] = useSearchParams();
  // An unknown code that was scanned begins a product.
  const [begun] = useState(() => {
    const upc = parameters.get('upc') ?? '';
    return hasCheckDigit(upc) ? firstOptions.map((option) => ({ ...option, upc })) : firstOptions;
  });
  const [options, setOptions] = useState<OptionDraft[]>(begun);
  const settleOptions = useUnsavedWork(options !== begun);
  const photos = useNewPhotos();
  const settlePhotos = useUnsavedWork(photos.photos.length > 0);
  /** The product is there, and its photos are on their way: it is not created again. */
  const [made, setMade] = useState<Product | null>(null);
  const categories = useQuery(categoriesQuery);
  const category = categories.data?.find(({ name }) => name === edit.draft.category);
  const create = async () => {
    const { inventoryType: _, brandName, name, category: named, ...draft } = edit.draft;
    const product = await dataOf(
      api.POST('/staff/v1/products', {
        body: {
          ...draft,
          // Missing fields are left out, so the service names them.
          ...({ name: name || undefined, category: named || undefined } as {
            name: string;
            category: string;
          }),
          brandName: brandName.trim() || null,
          photos: [],
          options: options.map(optionBody),
        },
      }),
    );
    notifyDone(t`${product.name} is created. It is not on the menu yet.`);
    for (const key of ['products', 'brands', 'product-sub-categories']) {
      void queryClient.invalidateQueries({ queryKey: [key] });
    }
    edit.settle();
    settleOptions();
    if (photos.photos.length > 0) setMade(product);
    await sendPhotos(product);
  };
  const sendPhotos = async (product: Product) => {
    if (!(await photos.send(product.id))) return;
    void queryClient.invalidateQueries({ queryKey: ['products'] });
    settlePhotos();
    await navigate(`/catalog/products/${product.id}`);
  };
  if (made) {
    return (
      <Page>
        <PageHeader title={t`New product`} />
        <SentPhotos product={made} photos={photos.photos} onAgain={() => void sendPhotos(made)} />
      </Page>
    );
  }
  return (
    <Page>
      <PageHeader title={t`New product`}>
        <Anchor component={Link} to="/catalog" size="sm" underline="always">
          {t`Products`}
        </Anchor>
      </PageHeader>
      <ServerForm onSubmit={create} onCancel={() => void navigate('/catalog')} submit={t`Create product`}>
        <ProductFields {...edit} isNew />
        <SectionCard title={t`Options`} hint={t`What customers can buy, in menu order.`}>
          <OptionRows
            options={options}
            onChange={setOptions}
            contentUnit={category ? contentUnit[category.cannabisType] : null}
          />
        </SectionCard>
        <NewPhotosCard {...photos} />
        <DescriptionField {...edit} />
        <PotencyFields {...edit} />
        <MoreFields {...edit} />
      </ServerForm>
    </Page>
  );
}
