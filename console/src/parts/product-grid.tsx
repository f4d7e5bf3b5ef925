import { Text, UnstyledButton } from '@mantine/core';
import { IconLeaf } from '@tabler/icons-react';
import { memo } from 'react';
import { t } from '../words/words.ts';
import { Money } from './money.tsx';
import { photoSource } from './photo-source.ts';
import classes from './product-grid.module.css';
import { type MenuProduct, type SaleOption, saleOptions } from './sale-options.ts';
import { thcInWords } from './thc-words.ts';

type Product = MenuProduct;

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
  isBusy,
  inStock,
  onAdd,
}: {
  products: readonly Product[];
  /** Others are on their way. */
  isBusy: boolean;
  /** Sellable units; null: unknown. */
  inStock: (option: SaleOption) => number | null;
  onAdd: (option: SaleOption) => void;
}) {
  return (
    <ul className={classes.grid} aria-label={t`Products on the menu`} aria-busy={isBusy}>
      {products
        .filter(({ options }) => options.length > 0)
        .map((product) => (
          <ProductCard key={product.id} product={product} inStock={inStock} onAdd={onAdd} />
        ))}
    </ul>
  );
}

const ProductCard = memo(function ProductCard({
  product,
  inStock,
  onAdd,
}: {
  product: Product;
  inStock: (option: SaleOption) => number | null;
  onAdd: (option: SaleOption) => void;
}) {
  const options = saleOptions([product]);
  const [first] = options;
  const photo = photoSource(product.photos[0] ?? first?.photo ?? null);
  const strain = strainNames[product.strainType];
  const thc = thcInWords(product);
  return (
    <li className={classes.card} data-strain={product.strainType}>
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
        {thc && (
          <Text size="xs" fw={600}>
            {thc}
          </Text>
        )}
        <Text size="xs" c="dimmed" lineClamp={1}>
          {[strain, product.brand?.name].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <div className={classes.sizes}>
        {options.map((option) => (
          <SizeButton
            key={option.productOptionId}
            option={option}
            left={inStock(option)}
            onAdd={() => onAdd(option)}
          />
        ))}
      </div>
    </li>
  );
});

function SizeButton({
  option: { productName, optionName, price, loose },
  left,
  onAdd,
}: {
  option: SaleOption;
  left: number | null;
  onAdd: () => void;
}) {
  return (
    <UnstyledButton className={classes.size} data-out={left === 0 || undefined} onClick={onAdd}>
      <span className="unseen">{t`Add ${productName}, `}</span>
      <span className={classes.name}>{optionName}</span>{' '}
      <strong>
        <Money cents={price} />
      </strong>{' '}
      {left !== null && !loose && (
        <span className={classes.stock}>{left === 0 ? t`Out of stock` : t`${left} left`}</span>
      )}
    </UnstyledButton>
  );
}
