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
import type { Discount } from './discount-draft.ts';
import { GoodsPicker } from './goods-picker.tsx';
import classes from './marketing.module.css';
import { optionNamesQuery } from './option-names.ts';

type Priced = Schema['StaffCartPricing'];

interface CartLine {
  readonly productOptionId: number;
  readonly quantity: number;
}

/** A cart that is priced as it would be placed now; it shows what the discount takes off. Only saved ones are priced. */
export function TryOnCart({ discount, hasChanges }: { discount: Discount | null; hasChanges: boolean }) {
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
  const nameOf = (id: number) => names.data?.get(id) ?? `option #${id}`;
  if (discount === null) {
    return (
      <SectionCard title="Try it on a cart">
        <Text size="sm" c="dimmed">
          The service prices saved discounts only. Create it first, perhaps with a start that is still to
          come, or chosen by staff.
        </Text>
      </SectionCard>
    );
  }
  return (
    <SectionCard title="Try it on a cart" hint="Priced as an order would be now. Nothing is stored.">
      <Stack gap="sm">
        {hasChanges && (
          <Alert color="yellow" p="sm">
            Your changes are not saved yet: the price is of what is saved.
          </Alert>
        )}
        <SegmentedControl
          aria-label="Order type"
          size="xs"
          data={[
            { value: 'in-store', label: 'In-store' },
            { value: 'pickup', label: 'Pickup' },
            { value: 'delivery', label: 'Delivery' },
          ]}
          value={type}
          onChange={(next) => setType(next as typeof type)}
        />
        <CustomerPicker label="Customer (optional)" customer={customer} onChange={setCustomer} />
        <GoodsPicker of="options" label="Goods" ids={ids} nameOf={nameOf} onChange={setIds} />
        {lines.length > 0 && (
          <CartPrice
            discount={discount}
            request={{ type, lineItems: [...lines], ...(customer && { customerId: customer.id }) }}
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
  discount,
  request,
  nameOf,
  onQuantity,
  onRemove,
}: {
  discount: Discount;
  request: Schema['StaffCartPricingRequest'];
  nameOf: (id: number) => string;
  onQuantity: (optionId: number, quantity: number) => void;
  onRemove: (optionId: number) => void;
}) {
  const asked: Schema['StaffCartPricingRequest'] = {
    ...request,
    ...(discount.trigger === 'code' && { discountCodes: discount.codes.slice(0, 1) }),
    ...(discount.trigger === 'manual' && { discountIds: [discount.id] }),
  };
  const [body] = useDebouncedValue(asked, 300);
  const price = useQuery({
    queryKey: ['discounts', discount.id, 'tried', discount.updatedAt, body],
    queryFn: ({ signal }) => dataOf(api.POST('/staff/v1/orders/pricing', { body, signal })),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const priced = price.error ? undefined : price.data;
  return (
    <div>
      {request.lineItems.map(({ productOptionId, quantity }) => (
        <div key={productOptionId} className={classes.line}>
          <Text size="sm">{nameOf(productOptionId)}</Text>
          <LinePrice priced={priced} optionId={productOptionId} />
          <QuantityStepper
            label={`Quantity of ${nameOf(productOptionId)}`}
            min={1}
            value={quantity}
            onChange={(next) => onQuantity(productOptionId, next)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${nameOf(productOptionId)}`}
            onClick={() => onRemove(productOptionId)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </div>
      ))}
      {price.error && (
        <Alert color="red" mt="sm" title="Not with this cart">
          {messageOf(price.error)}
        </Alert>
      )}
      {priced && <Outcome discount={discount} priced={priced} />}
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

/** Everything that lowers this cart, this discount first in words. */
function Outcome({ discount, priced }: { discount: Discount; priced: Priced }) {
  const applied = [...priced.lineItems.flatMap(({ discounts }) => discounts), ...priced.discounts];
  const byId = new Map<number, { description: string; cents: number }>();
  for (const { id, description, amountUsed } of applied) {
    byId.set(id, { description, cents: (byId.get(id)?.cents ?? 0) + amountUsed });
  }
  const mine = byId.get(discount.id);
  return (
    <Stack gap="sm" mt="sm" aria-live="polite">
      {mine ? (
        <Alert color="teal" p="sm">
          {discount.name} takes <Money cents={mine.cents} fw={700} /> off.
        </Alert>
      ) : (
        <Alert color="gray" p="sm">
          {discount.name} does not apply: one of its conditions does not hold now, or another discount is the
          better one.
        </Alert>
      )}
      <dl className={`${classes.totals} numbers`}>
        <Row name="Goods" cents={priced.totalPrice} />
        {[...byId].map(([id, { description, cents }]) => (
          <Row key={id} name={description} cents={-cents} isStrong={id === discount.id} />
        ))}
        {priced.taxes
          .filter(({ included, amount }) => !included && amount !== 0)
          .map(({ id, description, amount }) => (
            <Row key={id} name={description} cents={amount} />
          ))}
      </dl>
      <Divider />
      <dl className={`${classes.totals} numbers`}>
        <Row name="The customer pays" cents={priced.customerGrandTotal} isStrong />
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
