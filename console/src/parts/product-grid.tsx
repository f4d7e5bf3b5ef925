import { Text, UnstyledButton } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { IconLeaf } from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { Schema } from '../api.ts';
import { t } from '../words/words.ts';
import { Money } from './money.tsx';
import { photoSource } from './photo-source.ts';
import classes from './product-grid.module.css';
import { type SaleOption, saleOptions } from './sale-options.ts';
import { thcInWords } from './thc-words.ts';
import { useInStock } from './use-in-stock.ts';

type Product = Schema['Product'];

const strainNames: Readonly<Record<Product['strainType'], string | null>> = {
  sativa: t`Sativa`,
  indica: t`Indica`,
  hybrid: t`Hybrid`,
  'hybrid-sativa': t`Hybrid, sativa`,
  'hybrid-indica': t`Hybrid, indica`,
  cbd: 'CBD',
  mixed: t`Mixed`,
  none: null,
};

/** Products as cards to touch: one card for a product, with its sizes on it. */
export function ProductGrid({
  products,
  onAdd,
}: {
  products: readonly Product[];
  onAdd: (option: SaleOption) => void;
}) {
  return (
    <ul className={classes.grid} aria-label={t`Products on the menu`}>
      {products
        .filter(({ options }) => options.length > 0)
        .map((product) => (
          <ProductCard key={product.id} product={product} onAdd={onAdd} />
        ))}
    </ul>
  );
}

const ProductCard = memo(function ProductCard({
  product,
  onAdd,
}: {
  product: Product;
  onAdd: (option: SaleOption) => void;
}) {
  const { ref, inViewport } = useInViewport();
  const [isSeen, setIsSeen] = useState(false);
  if (inViewport && !isSeen) setIsSeen(true);
  // Only cards that were looked at ask for their stock.
  const inStock = useInStock(isSeen ? [product.name] : [], 'in-store');
  const options = saleOptions([product]);
  const [first] = options;
  const photo = photoSource(product.photos[0] ?? first?.photo ?? null);
  const strain = strainNames[product.strainType];
  const thc = thcInWords(product);
  return (
    <li ref={ref} className={classes.card} data-strain={product.strainType}>
      <span className={classes.photo}>
        {photo ? (
          <img src={photo} alt={product.photoAltTexts[0] ?? ''} loading="lazy" />
        ) : (
          <IconLeaf size={32} aria-hidden />
        )}
      </span>
      <div className={classes.words}>
        <Text size="sm" fw={600} lineClamp={2}>
          {product.name}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {[product.brand?.name, strain, thc].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <div className={classes.sizes}>
        {options.map((option) => {
          const left = inStock(option);
          return (
            <UnstyledButton
              key={option.productOptionId}
              className={classes.size}
              data-out={left === 0 || undefined}
              onClick={() => onAdd(option)}
            >
              <span className="unseen">{t`Add ${product.name}, `}</span>
              <span className={classes.name}>{option.optionName}</span>{' '}
              <strong>
                <Money cents={option.price} />
              </strong>{' '}
              {left !== null && (
                <span className={classes.stock}>{left === 0 ? t`Out of stock` : t`${left} left`}</span>
              )}
            </UnstyledButton>
          );
        })}
      </div>
    </li>
  );
});
