import { ActionIcon, Button, Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Schema } from '../../api.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { discountWorth } from '../../parts/reduction-fields.tsx';
import { type GivenPart, missingOfPart } from '../../parts/reductions.ts';
import { t } from '../../words/words.ts';
import type { Cart, CartChange } from './cart.ts';

type Discount = Schema['StaffDiscount'];

/** How much is given of a chosen discount on the order: all of it, or less, with a reason. */
export function DiscountPart({
  cart,
  discount,
  onChange,
}: {
  cart: Cart;
  discount: Discount;
  onChange: (change: CartChange) => void;
}) {
  const parts = cart.discountParts ?? [];
  const part = parts.find(({ discountId }) => discountId === discount.id);
  const others = parts.filter((it) => it !== part);
  const set = (discountParts: readonly GivenPart[]) => onChange({ type: 'set', values: { discountParts } });
  if (discount.kind !== 'order') return null;
  if (part) {
    return (
      <PartRow
        discount={discount}
        part={part}
        onChange={(changed) => set([...others, changed])}
        onRemove={() => set(others)}
      />
    );
  }
  const way = discount.type === 'percent' ? 'percent' : 'amount';
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      mt={4}
      onClick={() => set([...parts, { discountId: discount.id, way, percent: '', amount: null, reason: '' }])}
    >
      {t`Give less of ${discount.name}`}
    </Button>
  );
}

function PartRow({
  discount: { name, type, amount },
  part,
  onChange,
  onRemove,
}: {
  discount: Discount;
  part: GivenPart;
  onChange: (part: GivenPart) => void;
  onRemove: () => void;
}) {
  const lack = missingOfPart(part);
  const error = lack === 'amount' ? t`Enter an amount` : undefined;
  return (
    <fieldset className="bare">
      <Text component="legend" size="xs" c="dimmed" mt={8} mb={4}>
        {t`${name}, at most ${discountWorth({ type, amount })}`}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        {type === 'percent' && (
          <SegmentedControl
            aria-label={t`Kind of reduction of ${name}`}
            data={[
              { value: 'percent', label: '%' },
              { value: 'amount', label: '$' },
            ]}
            value={part.way}
            onChange={(way) => onChange({ ...part, way: way as GivenPart['way'] })}
          />
        )}
        {part.way === 'percent' ? (
          <DecimalInput
            aria-label={t`Percent of ${name}`}
            w={96}
            error={error}
            value={part.percent}
            onChange={(percent) => onChange({ ...part, percent })}
          />
        ) : (
          <MoneyInput
            aria-label={t`Amount of ${name}`}
            w={112}
            error={error}
            cents={part.amount}
            onChange={(cents) => onChange({ ...part, amount: cents })}
          />
        )}
        <TextInput
          aria-label={t`Reason for ${name}`}
          placeholder={t`Reason`}
          style={{ flex: 1 }}
          maxLength={200}
          error={lack === 'reason' ? t`Enter a reason` : undefined}
          value={part.reason}
          onChange={(event) => onChange({ ...part, reason: event.currentTarget.value })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={t`Give all of ${name}`}
          onClick={onRemove}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </fieldset>
  );
}
