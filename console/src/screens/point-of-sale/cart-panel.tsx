import { ActionIcon, Alert, Badge, Button, Group, Text } from '@mantine/core';
import { IconCalculator, IconDiscount, IconTrash } from '@tabler/icons-react';
import { lazy, memo, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { messageOf } from '../../parts/load-failure.tsx';
import { PriceTotals } from '../../parts/price-totals.tsx';
import { QuantityStepper } from '../../parts/quantity-stepper.tsx';
import { incompleteInput } from '../../parts/reductions.ts';
import type { SaleOption } from '../../parts/sale-options.ts';
import { t } from '../../words/words.ts';
import { ApproveButton } from './approve-button.tsx';
import {
  type Cart,
  type CartChange,
  type CartLine,
  extrasOf,
  type GoodsBack,
  givenInWords,
  refusedIdWords,
} from './cart.ts';
import { LimitMeters } from './limit-meters.tsx';
import classes from './point-of-sale.module.css';
import { RefusedParts } from './refused-parts.tsx';
import { removeLine } from './remove-line.ts';
import { SaleCustomer } from './sale-customer.tsx';
import { useOfSale, useSaleHands } from './saved-sale-gate.tsx';
import type { CartPricing } from './use-cart-pricing.ts';
import { priceInWords } from './weight-words.ts';

// Opened now and then, so the counter does not load it.
const LineDialog = lazy(async () => ({ default: (await import('./line-dialog.tsx')).LineDialog }));

/** The cart with its current price; the customer at the top, payment at the bottom. */
export function CartPanel({
  cart,
  priced,
  inStock,
  isPayable,
  isAlone = false,
  notice = null,
  onChange,
  onAsking,
  onCustomer,
  onExtras,
  onPay,
}: {
  cart: Cart;
  priced: CartPricing;
  /** Sellable units of an option; null: unknown. */
  inStock: (option: SaleOption) => number | null;
  /** Whether only the price can still be missing. */
  isPayable: boolean;
  /** The service cannot be reached: what needs it is not there. */
  isAlone?: boolean;
  /** Why the cart cannot be paid; null: it is told elsewhere. */
  notice?: string | null;
  onChange: (change: CartChange) => void;
  /** Called with true while a typed quantity waits for confirmation. */
  onAsking: (optionId: number, isAsking: boolean) => void;
  onCustomer: () => void;
  /** Absent: nothing can be given. */
  onExtras?: () => void;
  onPay: () => void;
}) {
  const { pricing, refusals, isCurrent } = priced;
  const extras = extrasOf(cart);
  return (
    <section className={classes.cart} aria-label={t`Cart`}>
      <SaleCustomer cart={cart} isAlone={isAlone} onChange={onChange} onOpen={onCustomer} />
      {cart.refusedId && (
        <Alert color="red" role="alert" p="xs">
          {refusedIdWords[cart.refusedId]}
        </Alert>
      )}
      {cart.lines.length === 0 ? (
        <p className={classes.quiet}>{t`Scan a UPC or search for an item.`}</p>
      ) : (
        <CartLines {...{ cart, priced, isAlone, inStock, onChange, onAsking }} />
      )}
      <GoodsBackRow
        back={cart.goodsBack}
        onRemove={() => onChange({ type: 'set', values: { goodsBack: undefined } })}
      />
      {cart.lines.length > 0 && <Foot {...{ cart, priced, notice, onChange }} />}
      <div className={classes.pay}>
        {onExtras && (
          <Button
            variant="default"
            size="md"
            leftSection={<IconDiscount size={18} aria-hidden />}
            rightSection={extras > 0 ? <Badge circle>{extras}</Badge> : undefined}
            onClick={onExtras}
          >
            {t`Discounts`}
          </Button>
        )}
        <Button size="md" disabled={!isCurrent || pricing === null || !isPayable} onClick={onPay}>
          {pricing && cart.lines.length > 0 && refusals.length === 0
            ? payWords(pricing.customerGrandTotal - (cart.goodsBack?.refund ?? 0))
            : t`Pay`}
        </Button>
      </div>
    </section>
  );
}

/** What the cart comes to, and what is in its way. */
function Foot({
  cart,
  priced: { pricing, refusals, error, isCurrent },
  notice,
  onChange,
}: {
  cart: Cart;
  priced: CartPricing;
  notice: string | null;
  onChange: (change: CartChange) => void;
}) {
  const isOverLimit = pricing?.purchaseLimits.some(({ exceeded }) => exceeded) ?? false;
  const half = incompleteInput(cart);
  return (
    <div className={classes.foot} data-stale={isCurrent ? undefined : true} aria-busy={!isCurrent && !error}>
      <CartError error={error} />
      {notice !== null && (
        <Alert color="yellow" role="status" p="xs">
          {notice}
        </Alert>
      )}
      <RefusedParts cart={cart} refusals={refusals} onChange={onChange} />
      {pricing && <LimitMeters limits={pricing.purchaseLimits} />}
      {isOverLimit && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {t`The cart exceeds a purchase limit. Remove the overage.`}
        </Text>
      )}
      {half !== null && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {t`Incomplete under “Discounts”: ${half}`}
        </Text>
      )}
      {pricing && <PriceTotals amounts={pricing} isBrief />}
      {pricing?.warnings
        .filter((warning) => isShownBelow(warning, cart))
        .map((warning) => {
          const line = warningInWords(warning);
          return (
            <Text key={line} size="xs" c="dimmed">
              {line}
            </Text>
          );
        })}
    </div>
  );
}

function payWords(cents: number): string {
  return cents < 0 ? t`Give back ${dollars(-cents)}` : t`Pay ${dollars(cents)}`;
}

/** Why the whole cart has no price, and who can help. */
function CartError({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <Alert color="red" role="alert" p="xs">
      {messageOf(error)}
      <ApproveButton refusal={error} />
    </Alert>
  );
}

/** What comes back for the cart. */
function GoodsBackRow({ back, onRemove }: { back: GoodsBack | undefined; onRemove: () => void }) {
  if (back === undefined) return null;
  const { lineItems, orderNumber, refund } = back;
  const goods = lineItems.map(({ quantity, name }) => `${quantity} × ${name}`).join('; ');
  return (
    <Group justify="space-between" wrap="nowrap" role="group" aria-label={t`Goods that come back`}>
      <Text size="sm">{t`Back from order ${orderNumber ?? ''}: ${goods}`}</Text>
      <Group gap={4} wrap="nowrap">
        <Text size="sm" className="numbers">
          {dollars(-refund)}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label={t`Take nothing back`} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );
}

function CartLines({
  cart,
  priced: { pricing, refusals },
  isAlone,
  inStock,
  onChange,
  onAsking,
}: {
  cart: Cart;
  priced: CartPricing;
  isAlone: boolean;
  inStock: (option: SaleOption) => number | null;
  onChange: (change: CartChange) => void;
  onAsking: (optionId: number, isAsking: boolean) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const { current } = useSaleHands();
  const onRemove = useCallback(
    (optionId: number) => removeLine(current().cart, optionId, onChange),
    [current, onChange],
  );
  const [paddedId, setPaddedId] = useState<number | null>(null);
  const padded = cart.lines.find(({ option }) => option.productOptionId === paddedId);
  useEffect(() => {
    list.current?.querySelector(`[data-option="${cart.currentId}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [cart.currentId]);
  const isRefused = (optionId: number) =>
    refusals.some(({ part }) => part.kind === 'line' && part.productOptionIds.includes(optionId));
  const pricedLines = new Map(pricing?.lineItems.map((line) => [line.productOptionId, line]));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <ul ref={list} className={classes.lines} aria-label={t`Items in the cart`} tabIndex={0}>
        {cart.lines.map((line) => {
          const { productOptionId } = line.option;
          return (
            <Line
              key={productOptionId}
              line={line}
              priced={pricedLines.get(productOptionId)}
              there={inStock(line.option)}
              isCurrent={cart.currentId === productOptionId}
              isRefused={isRefused(productOptionId)}
              onChange={onChange}
              onAsking={onAsking}
              onPad={setPaddedId}
              onRemove={onRemove}
            />
          );
        })}
      </ul>
      {padded && (
        <Suspense>
          <LineDialog {...{ line: padded, isAlone, onChange }} onClose={() => setPaddedId(null)} />
        </Suspense>
      )}
    </>
  );
}

type PricedLine = NonNullable<CartPricing['pricing']>['lineItems'][number];

/** A line shows its quantity at once, its price and the rest of the cart after that. Drawn again only when something of it changes. */
const Line = memo(function Line({
  line: { option, quantity: drawnQuantity, given, weight, parts },
  priced,
  there,
  isCurrent,
  isRefused,
  onChange,
  onAsking,
  onPad,
  onRemove,
}: {
  line: CartLine;
  priced: PricedLine | undefined;
  /** Sellable units; null: unknown. */
  there: number | null;
  isCurrent: boolean;
  isRefused: boolean;
  onChange: (change: CartChange) => void;
  onAsking: (optionId: number, isAsking: boolean) => void;
  onPad: (optionId: number) => void;
  onRemove: (optionId: number) => void;
}) {
  const { productOptionId: optionId } = option;
  const quantity =
    useOfSale(({ cart }) => cart.lines.find((it) => it.option.productOptionId === optionId)?.quantity) ??
    drawnQuantity;
  return (
    <li className={classes.line} data-option={optionId} data-current={isCurrent || undefined}>
      <p className={classes.name}>{option.productName}</p>
      <div className={`${classes.price} numbers`}>
        {priced?.quantity === quantity ? dollars(priced.finalPrice) : '–'}
      </div>
      <div className={classes.notes}>
        <p className={classes.option}>
          {option.optionName} · {dollars(priced?.unitPrice ?? option.price)}
        </p>
        {weight !== undefined && option.loose && !given && <p>{priceInWords(option.loose, weight)}</p>}
        {parts?.map((part) => (
          <p key={part.packageId}>{t`${part.weight} g out of ${part.label}`}</p>
        ))}
        {given && <p>{t`${givenInWords(given)} (was ${dollars(option.price)}): ${given.reason}`}</p>}
        {isRefused && <p className={classes.wrong}>{t`No longer for sale`}</p>}
        {there !== null && weight === undefined && there < quantity && (
          <p className={classes.wrong}>{there === 0 ? t`Out of stock` : t`Only ${there} in stock`}</p>
        )}
        {priced?.discounts.map(({ id, description, amountUsed }) => (
          <p key={id}>
            {description}: {dollars(-amountUsed)}
          </p>
        ))}
      </div>
      <LineButtons
        name={`${option.productName}, ${option.optionName}`}
        quantity={quantity}
        weight={weight}
        onQuantity={(next) => onChange({ type: 'quantity', optionId, quantity: next })}
        onAsking={(isAsking) => onAsking(optionId, isAsking)}
        onPad={() => onPad(optionId)}
        onRemove={() => onRemove(optionId)}
      />
    </li>
  );
});

function LineButtons({
  name,
  quantity,
  weight,
  onQuantity,
  onAsking,
  onPad,
  onRemove,
}: {
  name: string;
  quantity: number;
  weight: string | undefined;
  onQuantity: (quantity: number) => void;
  onAsking: (isAsking: boolean) => void;
  onPad: () => void;
  onRemove: () => void;
}) {
  const button = { variant: 'subtle', color: 'gray', size: 32 } as const;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {weight === undefined ? (
        <QuantityStepper
          label={t`Quantity of ${name}`}
          value={quantity}
          onChange={onQuantity}
          onAsking={onAsking}
        />
      ) : (
        <Button variant="default" size="compact-md" className="numbers" onClick={onPad}>
          {t`${weight} g`}
        </Button>
      )}
      <ActionIcon {...button} aria-label={t`Number pad for ${name}`} onClick={onPad}>
        <IconCalculator size={16} />
      </ActionIcon>
      <ActionIcon {...button} aria-label={t`Remove ${name}`} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}

/** Shortages stand at their lines, those of a weight below. */
const isShownBelow = (warning: Schema['StaffCartPricing']['warnings'][number], { lines }: Cart) =>
  typeof warning === 'string' ||
  warning.code !== 'OUT_OF_STOCK' ||
  lines.some(
    ({ option, weight }) => option.productOptionId === warning.productOptionId && weight !== undefined,
  );

function warningInWords(warning: Schema['StaffCartPricing']['warnings'][number]): string {
  if (typeof warning === 'string') return warning;
  if (warning.code === 'DELIVERY_ZONE_UNKNOWN') {
    return t`The delivery zone is not known yet: fee, minimum and taxes can change with the address.`;
  }
  if (warning.code === 'BUYER_REQUIRED') {
    return t`Add the customer first: a purchase limit counts what they bought before.`;
  }
  return warning.message;
}
