import { Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Barcode } from '../../parts/barcode.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { type LabelFact, LabelSheet } from '../../printing/label-sheet.tsx';
import { labResultInWords, potencyInWords } from '../../printing/label-words.ts';
import { useLabelShop } from '../../printing/use-label-shop.ts';
import { t } from '../../words/words.ts';
import { productQuery } from '../catalog/product-words.ts';
import { customerOf, type Order, orderTitle } from './order-words.ts';

/** A label for each line of an order that leaves the shop, with what the owner chose in the settings. */
export function ExitLabels({ order }: { order: Order }) {
  const shop = useLabelShop();
  const ids = [...new Set(order.lineItems.map(({ productId }) => productId))];
  const products = useQueries({ queries: ids.map((id) => productQuery(id)) });
  const failed = shop.error ?? products.find(({ error }) => error)?.error;
  if (failed) return <LoadFailure error={failed} onRetry={() => void shop.refetch()} />;
  if (!shop.data || products.some(({ isPending }) => isPending)) return <Skeleton height={320} maw={360} />;
  const { name, licenseNumber, labels } = shop.data;
  const template = labels.exit;
  return order.lineItems.map((line) => {
    const product = products.find(({ data }) => data?.id === line.productId)?.data;
    const option = product?.options.find(({ id }) => id === line.optionId);
    const packages = line.fulfillAs.flatMap(({ pkg }) => pkg?.label ?? []);
    const facts: Readonly<Record<(typeof template.fields)[number], LabelFact>> = {
      license: [t`License`, licenseNumber],
      brand: [t`Brand`, line.productBrand],
      strain: [t`Strain`, product?.strain],
      potency: [t`Potency`, product && potencyInWords(product, option)],
      package: [t`Package`, packages.join(', ')],
      lab: [t`Lab`, product && labResultInWords(product)],
      quantity: [t`Quantity`, line.quantity],
      soldOn: [t`Sold`, <ShopTime key="at" at={order.fulfilledAt ?? order.createdAt} style="date" />],
      order: [t`Order`, orderTitle(order)],
      customer: [t`For`, customerOf(order)],
      barcode: null,
    };
    return (
      <LabelSheet
        key={line.id}
        title={`${line.productName}, ${line.optionName}`}
        head={name}
        facts={template.fields.map((field) => facts[field])}
        notice={template.notice}
      >
        {template.fields.includes('barcode') &&
          packages.map((label) => (
            <Barcode key={label} text={label} label={t`Barcode of package ${label}`} />
          ))}
      </LabelSheet>
    );
  });
}
