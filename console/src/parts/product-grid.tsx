import { Text, UnstyledButton } from '@mantine/core';
import { IconLeaf } from '@tabler/icons-react';
import type { Schema } from '../api.ts';
import { Money } from './money.tsx';
import { photoSource } from './photo-source.ts';
import classes from './product-grid.module.css';
import { type SaleOption, saleOptions } from './sale-options.ts';

type Product = Schema['Product'];

const strainNames: Readonly<Record<Product['strainType'], string | null>> = {
  sativa: 'Sativa',
  indica: 'Indica',
  hybrid: 'Hybrid',
  'hybrid-sativa': 'Hybrid, sativa',
  'hybrid-indica': 'Hybrid, indica',
  cbd: 'CBD',
  mixed: 'Mixed',
  none: null,
};

/** Products as cards to touch: one card for a product, with its sizes on it. */
export function ProductGrid({
  products,
  inStock,
  onAdd,
}: {
  products: readonly Product[];
  /** Sellable units; null: unknown. */
  inStock: (option: SaleOption) => number | null;
  onAdd: (option: SaleOption) => void;
}) {
  return (
    <ul className={classes.grid} aria-label="Products on the menu">
      {products
        .filter(({ options }) => options.length > 0)
        .map((product) => (
          <ProductCard key={product.id} product={product} inStock={inStock} onAdd={onAdd} />
        ))}
    </ul>
  );
}

function ProductCard({
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
              aria-label={`Add ${product.name}, ${option.optionName}`}
              onClick={() => onAdd(option)}
            >
              <span className={classes.name}>{option.optionName}</span>
              <strong>
                <Money cents={option.price} />
              </strong>
              {left !== null && (
                <span className={classes.stock}>{left === 0 ? 'Out of stock' : `${left} left`}</span>
              )}
            </UnstyledButton>
          );
        })}
      </div>
    </li>
  );
}

/** `THC 24.1%`, or a range; null: not known. */
function thcInWords({ thcAmount, thcAmountRangeLow, thcAmountRangeHigh, thcUnit }: Product): string | null {
  const unit = thcUnit === 'mg' ? ' mg' : (thcUnit ?? '');
  if (thcAmount !== null) return `THC ${thcAmount}${unit}`;
  if (thcAmountRangeLow === null || thcAmountRangeHigh === null) return null;
  return `THC ${thcAmountRangeLow}–${thcAmountRangeHigh}${unit}`;
}
