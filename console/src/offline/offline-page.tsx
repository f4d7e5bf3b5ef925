import { Alert, Badge, Button, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { type SubmitEvent, useEffect, useMemo, useRef, useState } from 'react';
import { cashRoundingCents } from '../../../src/engines/offline-pricing/cash-rounding.ts';
import type { OfflineOption, OfflineTerms } from '../../../src/engines/offline-pricing/offline-terms.ts';
import { optionsOf } from '../../../src/engines/offline-pricing/price-offline.ts';
import { DayInput } from '../parts/day-input.tsx';
import { Money } from '../parts/money.tsx';
import { MoneyInput } from '../parts/money-input.tsx';
import { QuantityStepper } from '../parts/quantity-stepper.tsx';
import { notifyRefusal } from '../parts/toasts.tsx';
import { useWrite } from '../parts/use-write.ts';
import { sameProductCode } from '../scanner/scan-codes.ts';
import { useScans } from '../scanner/use-scans.ts';
import { t } from '../words/words.ts';
import { begunCart, type CarriedCart, keepBegunCart } from './begun-cart.ts';
import { makeSale, type OfflineLine, type OfflineSaleCart, obstacleOffline, priceHere } from './make-sale.ts';
import { OfflineReceipt, type SoldOffline } from './offline-receipt.tsx';
import type { KeptTerms } from './offline-store.ts';
import { useWaitingSales } from './waiting-sales.ts';

const shownMax = 30;

const empty: CarriedCart = { lines: [], customerId: null, birthday: null, isMedical: false };

/**
 * The counter while the service cannot be reached (D75): the same prices and limits, cash or a terminal of its own, and a queue on
 * this device. `onCart` tells whether the cart is empty, `onIdle` whether no receipt is shown, so that the usual counter can come back with it.
 */
export function OfflineCounter({
  kept,
  carried,
  onCart,
  onIdle,
}: {
  kept: KeptTerms;
  carried: CarriedCart;
  onCart: (isEmpty: boolean) => void;
  onIdle: (isIdle: boolean) => void;
}) {
  const terms = useMemo(() => JSON.parse(kept.terms) as OfflineTerms, [kept]);
  const [cart, setCart] = useState<CarriedCart>(() => begunCart(kept) ?? carried);
  const [sold, setSold] = useState<SoldOffline | null>(null);
  const waiting = useWaitingSales();
  const isIdle = sold === null;
  useEffect(() => {
    const options = optionsOf(terms);
    const products = cart.lines.map(({ productOptionId: id }) => [id, options.get(id)?.productId ?? 0]);
    keepBegunCart(kept, cart, Object.fromEntries(products));
    onCart(cart.lines.length === 0);
  }, [cart, kept, terms, onCart]);
  useEffect(() => onIdle(isIdle), [isIdle, onIdle]);
  const add = ({ id }: OfflineOption) =>
    setCart((before) => ({ ...before, lines: withOne(before.lines, id) }));
  useScans((code) => {
    const found = withCode(terms, code);
    if (found) add(found);
    else notifyRefusal(t`Code ${code} is not in the catalog on this device.`, t`Not added`);
  });
  return (
    <Stack p="md" gap="md">
      <Group justify="space-between">
        <Title order={1} size="h2">
          {t`Point of sale`}
        </Title>
        <Badge
          size="lg"
          color="yellow"
          variant="light"
          role="status"
          leftSection={<IconCloudOff size={16} aria-hidden />}
        >
          {t`Offline, ${waiting.waiting} waiting`}
        </Badge>
      </Group>
      <Group align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
        <Finder terms={terms} onAdd={add} />
        <OfflineCart
          key={sold?.sale.saleKey ?? 'cart'}
          kept={kept}
          terms={terms}
          cart={cart}
          waitingCents={waiting.total}
          onChange={setCart}
          onSold={(made) => {
            setSold(made);
            setCart(empty);
          }}
        />
      </Group>
      {sold && <OfflineReceipt kept={kept} terms={terms} sold={sold} onClose={() => setSold(null)} />}
    </Stack>
  );
}

function withCode({ options }: OfflineTerms, code: string): OfflineOption | undefined {
  return options.find(({ upc }) => upc !== null && sameProductCode(upc, code));
}

function withOne(lines: readonly OfflineLine[], id: number): readonly OfflineLine[] {
  return lines.some(({ productOptionId }) => productOptionId === id)
    ? lines.map((line) => (line.productOptionId === id ? { ...line, quantity: line.quantity + 1 } : line))
    : [...lines, { productOptionId: id, quantity: 1 }];
}

function Finder({ terms, onAdd }: { terms: OfflineTerms; onAdd: (option: OfflineOption) => void }) {
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const words = search.trim().toLowerCase().split(/\s+/);
  const ofSize = ({ optionName }: OfflineOption) =>
    words.filter((word) => word !== '' && optionName.toLowerCase().includes(word)).length;
  const found = terms.options
    .filter(({ productName, optionName, brandName, upc }) => {
      const text = `${productName} ${optionName} ${brandName ?? ''} ${upc ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => ofSize(b) - ofSize(a))
    .slice(0, shownMax);
  // As at the usual counter: Enter adds what was typed or scanned, and the next one begins.
  const addMeant = (event: SubmitEvent) => {
    event.preventDefault();
    const meant = withCode(terms, search.trim()) ?? found[0];
    if (search.trim() === '' || meant === undefined) return;
    onAdd(meant);
    setSearch('');
  };
  return (
    <Stack component="form" gap="xs" miw={320} onSubmit={addMeant}>
      <TextInput
        type="search"
        size="md"
        ref={field}
        aria-label={t`Search the catalog on this device`}
        placeholder={t`Search by name, or scan a UPC`}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ul aria-label={t`Products`} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {found.map((option) => (
          <li key={option.id}>
            <Button
              variant="subtle"
              color="gray"
              type="button"
              size="md"
              fullWidth
              justify="space-between"
              rightSection={<Money cents={option.salesPriceCents ?? option.priceCents} />}
              onClick={() => onAdd(option)}
            >
              {option.productName}, {option.optionName}
              {option.inStock !== null && option.inStock <= 0 ? t` (none in stock when last known)` : ''}
            </Button>
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function OfflineCart({
  kept,
  terms,
  cart,
  waitingCents,
  onChange,
  onSold,
}: {
  kept: KeptTerms;
  terms: OfflineTerms;
  cart: CarriedCart;
  waitingCents: number;
  onChange: (cart: CarriedCart) => void;
  onSold: (made: SoldOffline) => void;
}) {
  const [typeId, setTypeId] = useState(
    terms.paymentTypes.find(({ isCash }) => isCash)?.paymentTypeId ?? null,
  );
  const [given, setGiven] = useState<number | null>(null);
  const options = optionsOf(terms);
  const now = Date.now();
  const whole: OfflineSaleCart = { ...cart, paymentTypeId: typeId };
  const price = priceHere(terms, whole, now);
  const total = price.priced.customerGrandTotalCents;
  const type = terms.paymentTypes.find(({ paymentTypeId }) => paymentTypeId === typeId);
  const isCash = type?.isCash === true;
  const roundingCents = cashRoundingCents(total, type?.cashRounding ?? 'off');
  const owed = total + roundingCents;
  const obstacle =
    typeId === null ? t`No payment type works offline.` : obstacleOffline(kept, price, waitingCents, now);
  const isShort = isCash && given !== null && given < owed;
  const sell = useWrite({
    mutationFn: () => {
      const cash = { tendered: isCash ? (given ?? owed) : null, roundingCents };
      return makeSale(kept, whole, priceHere(terms, whole, Date.now()), cash, Date.now());
    },
    onSuccess: (sale) => onSold({ sale, priced: price.priced }),
    onError: () =>
      notifyRefusal(
        t`The sale could not be saved on this device. Hand nothing over, and try again.`,
        t`Not sold`,
      ),
  });
  return (
    <Stack component="section" aria-label={t`Cart`} gap="sm" miw={320}>
      {cart.lines.map(({ productOptionId, quantity }) => {
        const option = options.get(productOptionId);
        const name = option
          ? `${option.productName}, ${option.optionName}`
          : t`Not in the catalog on this device`;
        const priced = price.priced.lines.find((line) => line.productOptionId === productOptionId);
        const set = (next: number) =>
          onChange({
            ...cart,
            lines: cart.lines
              .map((line) => (line.productOptionId === productOptionId ? { ...line, quantity: next } : line))
              .filter((line) => line.quantity > 0),
          });
        return (
          <Group key={productOptionId} justify="space-between" wrap="nowrap">
            <Text flex={1}>{name}</Text>
            <QuantityStepper label={t`Quantity of ${name}`} value={quantity} onChange={set} />
            <Money cents={priced?.finalPriceCents} />
          </Group>
        );
      })}
      <DayInput
        label={t`Birthday`}
        day={cart.birthday}
        onChange={(birthday) => onChange({ ...cart, birthday })}
      />
      <Totals price={price} roundingCents={roundingCents} />
      <Group gap="xs" role="group" aria-label={t`Payment`}>
        {terms.paymentTypes.map(({ paymentTypeId, name }) => (
          <Button
            key={paymentTypeId}
            size="md"
            variant={paymentTypeId === typeId ? 'filled' : 'default'}
            aria-pressed={paymentTypeId === typeId}
            onClick={() => setTypeId(paymentTypeId)}
          >
            {name}
          </Button>
        ))}
      </Group>
      {isCash && <MoneyInput label={t`Cash received`} cents={given} onChange={setGiven} />}
      {cart.lines.length > 0 && obstacle !== null && <Alert color="yellow">{obstacle}</Alert>}
      <Button
        size="lg"
        loading={sell.isPending}
        disabled={obstacle !== null || isShort}
        onClick={() => sell.mutate()}
      >
        {t`Take payment and hand over`}
      </Button>
    </Stack>
  );
}

function Totals({
  price: { priced },
  roundingCents,
}: {
  price: ReturnType<typeof priceHere>;
  roundingCents: number;
}) {
  return (
    <Table aria-label={t`Totals`}>
      <Table.Tbody>
        {priced.discounts.map(({ id, description, amountUsedCents }) => (
          <Table.Tr key={`discount ${id}`}>
            <Table.Th>{description}</Table.Th>
            <Table.Td ta="end">
              <Money cents={-amountUsedCents} />
            </Table.Td>
          </Table.Tr>
        ))}
        {priced.taxes
          .filter(({ included }) => !included)
          .map(({ id, description, amountCents }) => (
            <Table.Tr key={id}>
              <Table.Th>{description}</Table.Th>
              <Table.Td ta="end">
                <Money cents={amountCents} />
              </Table.Td>
            </Table.Tr>
          ))}
        <Table.Tr>
          <Table.Th>{t`Total`}</Table.Th>
          <Table.Td ta="end" data-total>
            <Money cents={priced.customerGrandTotalCents} fw={700} />
          </Table.Td>
        </Table.Tr>
        {roundingCents !== 0 && (
          <Table.Tr>
            <Table.Th>{t`To pay, rounded`}</Table.Th>
            <Table.Td ta="end">
              <Money cents={priced.customerGrandTotalCents + roundingCents} fw={700} />
            </Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  );
}
