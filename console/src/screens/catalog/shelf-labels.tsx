import { Button, Skeleton } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { Barcode } from '../../parts/barcode.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { priceOfOne } from '../../parts/sale-options.ts';
import { type LabelFact, LabelSheet } from '../../printing/label-sheet.tsx';
import { labResultInWords, potencyInWords } from '../../printing/label-words.ts';
import { useLabelShop } from '../../printing/use-label-shop.ts';
import { t } from '../../words/words.ts';
import classes from '../orders/order-print.module.css';
import { type Product, productQuery, strainLabels } from './product-words.ts';

/** A label for the shelf for each option of a product, without the console frame. */
export function Component() {
  const productId = Number(useParams().productId);
  const shop = useLabelShop();
  const product = useQuery(productQuery(productId));
  const isReady = shop.data !== undefined && product.data !== undefined;
  const title = product.data && t`Shelf labels of ${product.data.name}`;
  useEffect(() => {
    if (title && shop.data) document.title = `${title} · ${shop.data.name}`;
  }, [title, shop.data]);
  const error = shop.error ?? product.error;
  const retry = () => {
    void shop.refetch();
    void product.refetch();
  };
  return (
    <main>
      <div className={classes.bar}>
        <Button component={Link} to={`/catalog/products/${productId}`} variant="default">
          {t`Back to the product`}
        </Button>
        <Button
          leftSection={<IconPrinter size={18} aria-hidden />}
          disabled={!isReady}
          onClick={() => window.print()}
        >
          {t`Print`}
        </Button>
      </div>
      <h1 className="unseen">{title ?? t`Shelf labels`}</h1>
      {!isReady && !error && <Skeleton height={320} maw={360} mx="auto" mt="lg" />}
      {!isReady && error && <LoadFailure error={error} onRetry={retry} />}
      {isReady && <Labels product={product.data} shop={shop.data} />}
    </main>
  );
}

/** Code 128 has these characters; more of them no reader of a counter takes in one look. */
const hasBarcode = /^[\x20-\x7e]{1,48}$/;

function Labels({
  product,
  shop: { name, labels },
}: {
  product: Product;
  shop: NonNullable<ReturnType<typeof useLabelShop>['data']>;
}) {
  const { fields, notice } = labels.shelf;
  const terpenes = product.terpenes.map((it) => (it.percent ? `${it.name} ${it.percent}%` : it.name));
  const strainType = product.strainType === 'none' ? null : strainLabels[product.strainType];
  return product.options.map((option) => {
    const facts: Readonly<Record<(typeof fields)[number], LabelFact>> = {
      brand: [t`Brand`, product.brand?.name],
      strain: [t`Strain`, [product.strain, strainType].filter(Boolean).join(', ')],
      potency: [t`Potency`, potencyInWords(product, option)],
      terpenes: [t`Terpenes`, terpenes.join(', ')],
      effects: [t`Effects`, product.effects.join(', ')],
      lab: [t`Lab`, labResultInWords(product)],
      sku: ['SKU', product.sku],
      barcode: null,
    };
    const code = option.upc ?? '';
    return (
      <LabelSheet
        key={option.id}
        title={`${product.name}, ${option.name}`}
        head={name}
        facts={[
          [t`Price`, <Money key="price" cents={priceOfOne(option)} />],
          ...fields.map((field) => facts[field]),
        ]}
        notice={notice}
      >
        {fields.includes('barcode') && hasBarcode.test(code) && (
          <Barcode text={code} label={t`Barcode ${code}`} />
        )}
      </LabelSheet>
    );
  });
}
