import { ActionIcon, Alert, Divider, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { CustomerPicker } from '../../parts/customer-picker.tsx';
import { messageOf } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { QuantityStepper } from '../../parts/quantity-stepper.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { bodyOf, type DiscountDraft } from './discount-draft.ts';
import { GoodsPicker } from './goods-picker.tsx';
import classes from './marketing.module.css';
import { optionNamesQuery } from './option-names.ts';

type Priced = Schema['StaffCartPricing'];

interface CartLine {
  readonly productOptionId: number;
  readonly quantity: number;
}

/** A test cart, priced as if the discount were saved as typed; shows what the discount takes off. */
export function TryOnCart({ draft, replaces }: { draft: DiscountDraft; replaces?: number }) {
  const [type, setType] = useState<Schema['StaffCartPricingRequest']['type']>('in-store');
  const [customer, setCustomer] = useState<Schema['StaffCustomer'] | null>(null);
  const [lines, setLines] = useState<readonly CartLine[]>([]);
  const setIds = (ids: readonly number[]) =>
    setLines(
      ids.map(
        (productOptionId) =>
          lines.find((line) => line.productOptionId === productOptionId) ?? { productOptionId, quantity: 1 },
      ),
    );
  const ids = lines.map(({ productOptionId }) => productOptionId);
  const names = useQuery({ ...optionNamesQuery(ids), enabled: ids.length > 0 });
  const nameOf = (id: number) => names.data?.get(id) ?? t`option #${id}`;
  return (
    <SectionCard
      title={t`Test with a cart`}
      hint={t`Prices a test order with this discount as entered. Nothing is saved.`}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t`Order type`}
          size="xs"
          data={[
            { value: 'in-store', label: t`In-store` },
            { value: 'pickup', label: t`Pickup` },
            { value: 'delivery', label: t`Delivery` },
          ]}
          value={type}
          onChange={(next) => setType(next as typeof type)}
        />
        <CustomerPicker label={t`Customer (optional)`} customer={customer} onChange={setCustomer} />
        <GoodsPicker of="options" label={t`Goods`} ids={ids} nameOf={nameOf} onChange={setIds} />
        {lines.length > 0 && (
          <CartPrice
            draft={draft}
            replaces={replaces}
            cart={{ type, lineItems: [...lines], ...(customer && { customerId: customer.id }) }}
            nameOf={nameOf}
            onQuantity={(id, quantity) =>
              setLines(lines.map((line) => (line.productOptionId === id ? { ...line, quantity } : line)))
            }
            onRemove={(id) => setIds(ids.filter((other) => other !== id))}
          />
        )}
      </Stack>
    </SectionCard>
  );
}

function CartPrice({
  draft,
  replaces,
  cart,
  nameOf,
  onQuantity,
  onRemove,
}: {
  draft: DiscountDraft;
  replaces: number | undefined;
  cart: Schema['StaffCartPricingRequest'];
  nameOf: (id: number) => string;
  onQuantity: (optionId: number, quantity: number) => void;
  onRemove: (optionId: number) => void;
}) {
  const name = draft.name.trim() || t`This discount`;
  const asked = { discount: bodyOf({ ...draft, name }), ...(replaces && { replaces }), cart };
  const [body] = useDebouncedValue(asked, 300);
  const price = useQuery({
    // Under the key of the discounts: invalidated with them.
    queryKey: ['discounts', 'tried', body],
    queryFn: ({ signal }) => dataOf(api.POST('/staff/v1/discounts/try', { body, signal })),
    enabled: draft.amount !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const tried = price.error || draft.amount === '' ? undefined : price.data;
  return (
    <div>
      {cart.lineItems.map(({ productOptionId, quantity }) => (
        <div key={productOptionId} className={classes.line}>
          <Text size="sm">{nameOf(productOptionId)}</Text>
          <LinePrice priced={tried?.pricing} optionId={productOptionId} />
          <QuantityStepper
            label={t`Quantity of ${nameOf(productOptionId)}`}
            min={1}
            value={quantity}
            onChange={(next) => onQuantity(productOptionId, next)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t`Remove ${nameOf(productOptionId)}`}
            onClick={() => onRemove(productOptionId)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </div>
      ))}
      {price.error && (
        <Alert color="red" mt="sm" title={t`Cannot be priced`}>
          {messageOf(price.error)}
        </Alert>
      )}
      {draft.amount === '' && (
        <Text size="sm" c="dimmed" mt="sm">
          {t`Enter the amount of the discount first.`}
        </Text>
      )}
      {tried && <Outcome name={name} tried={tried} />}
    </div>
  );
}

function LinePrice({ priced, optionId }: { priced: Priced | undefined; optionId: number }) {
  const line = priced?.lineItems.find(({ productOptionId }) => productOptionId === optionId);
  if (!line) return <Text size="sm">–</Text>;
  const isLower = line.finalPrice !== line.subtotalPrice;
  return (
    <Group gap={4} wrap="nowrap">
      {isLower && (
        <Text size="xs" c="dimmed" td="line-through">
          <Money cents={line.subtotalPrice} />
        </Text>
      )}
      <Text size="sm" fw={600}>
        <Money cents={line.finalPrice} />
      </Text>
    </Group>
  );
}

/** All reductions of this cart, this discount first. */
function Outcome({ name, tried }: { name: string; tried: Schema['TriedDiscount'] }) {
  const { discountId, amountUsed, pricing: priced } = tried;
  const applied = [...priced.lineItems.flatMap(({ discounts }) => discounts), ...priced.discounts];
  const byId = new Map<number, { description: string; cents: number }>();
  for (const { id, description, amountUsed } of applied) {
    byId.set(id, { description, cents: (byId.get(id)?.cents ?? 0) + amountUsed });
  }
  return (
    <Stack gap="sm" mt="sm" aria-live="polite">
      {amountUsed > 0 ? (
        <Alert color="teal" p="sm">
          {rich`${name} takes ${<Money cents={amountUsed} fw={700} />} off.`}
        </Alert>
      ) : (
        <Alert color="gray" p="sm">
          {t`${name} does not apply: a condition does not hold now, or another discount is better.`}
        </Alert>
      )}
      <dl className={`${classes.totals} numbers`}>
        <Row name={t`Goods`} cents={priced.totalPrice} />
        {[...byId].map(([id, { description, cents }]) => (
          <Row key={id} name={description} cents={-cents} isStrong={id === discountId} />
        ))}
        {priced.taxes
          .filter(({ included, amount }) => !included && amount !== 0)
          .map(({ id, description, amount }) => (
            <Row key={id} name={description} cents={amount} />
          ))}
      </dl>
      <Divider />
      <dl className={`${classes.totals} numbers`}>
        <Row name={t`The customer pays`} cents={priced.customerGrandTotal} isStrong />
      </dl>
    </Stack>
  );
}

function Row({ name, cents, isStrong = false }: { name: string; cents: number; isStrong?: boolean }) {
  return (
    <>
      <Text component="dt" size="sm" fw={isStrong ? 600 : undefined}>
        {name}
      </Text>
      <Text component="dd" size="sm" fw={isStrong ? 600 : undefined}>
        <Money cents={cents} />
      </Text>
    </>
  );
}
