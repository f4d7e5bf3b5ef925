import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  SegmentedControl,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { Schema } from '../api.ts';
import { dollars } from './dollars.ts';
import { MoneyInput } from './money-input.tsx';
import { Field } from './server-form.tsx';
import { TextField } from './text-field.tsx';

type Discount = Schema['StaffDiscount'];

/** What people take off or add by hand; the service keeps it to the limit of the role. */
export interface Reductions {
  readonly discountIds: number[];
  readonly discountCodes: string[];
  readonly adjustments: { amount: number; description: string }[];
  readonly taxExempt: { exempt: boolean; reason: string } | null;
}

export const noReductions: Reductions = {
  discountIds: [],
  discountCodes: [],
  adjustments: [],
  taxExempt: null,
};

/** `10%`, `$5.00`. */
export function discountWorth({ type, amount }: Pick<Discount, 'type' | 'amount'>): string {
  return type === 'percent' ? `${amount}%` : dollars(amount);
}

/** Manual discounts, codes, adjustments and an exemption from taxes, for a cart or an order. */
export function ReductionFields({
  value,
  onChange,
  discounts,
  keepsExemption = false,
}: {
  value: Reductions;
  onChange: (changes: Partial<Reductions>) => void;
  discounts: readonly Discount[];
  /** What an order was once told of taxes can be changed, but not taken back. */
  keepsExemption?: boolean;
}) {
  const manual = discounts.filter(({ trigger }) => trigger === 'manual');
  return (
    <Stack>
      {manual.length > 0 && (
        <Field path="discountIds">
          {(error) => (
            <Checkbox.Group
              label="Discounts by hand"
              error={error}
              value={value.discountIds.map(String)}
              onChange={(ids) => onChange({ discountIds: ids.map(Number) })}
            >
              <Stack gap="xs" mt="xs">
                {manual.map((discount) => (
                  <Checkbox
                    key={discount.id}
                    value={String(discount.id)}
                    label={`${discount.name}: ${discountWorth(discount)}`}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
        </Field>
      )}
      <Field path="discountCodes">
        {(error) => (
          <TagsInput
            label="Discount codes"
            placeholder={value.discountCodes.length === 0 ? 'Type a code, then Enter' : undefined}
            acceptValueOnBlur
            error={error}
            value={[...value.discountCodes]}
            onChange={(discountCodes) => onChange({ discountCodes })}
          />
        )}
      </Field>
      <AdjustmentRows value={value.adjustments} onChange={(adjustments) => onChange({ adjustments })} />
      <ExemptionFields
        value={value.taxExempt}
        isKept={keepsExemption}
        onChange={(taxExempt) => onChange({ taxExempt })}
      />
    </Stack>
  );
}

function AdjustmentRows({
  value,
  onChange,
}: {
  value: Reductions['adjustments'];
  onChange: (value: Reductions['adjustments']) => void;
}) {
  const set = (index: number, values: Partial<Reductions['adjustments'][number]>) =>
    onChange(value.map((row, at) => (at === index ? { ...row, ...values } : row)));
  return (
    <fieldset className="bare">
      <Text component="legend" size="sm" fw={600} mb={4}>
        Adjustments after taxes
      </Text>
      <Stack gap="xs">
        {value.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told apart by
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <SegmentedControl
              aria-label={`Adjustment ${index + 1}`}
              data={[
                { value: 'off', label: 'Off' },
                { value: 'on', label: 'On top' },
              ]}
              value={row.amount > 0 ? 'on' : 'off'}
              onChange={(way) =>
                set(index, { amount: way === 'on' ? Math.abs(row.amount) : -Math.abs(row.amount) })
              }
            />
            <MoneyInput
              aria-label={`Amount of adjustment ${index + 1}`}
              w={112}
              cents={row.amount === 0 ? null : Math.abs(row.amount)}
              onChange={(cents) => set(index, { amount: row.amount > 0 ? (cents ?? 0) : -(cents ?? 0) })}
            />
            <TextInput
              aria-label={`What adjustment ${index + 1} is for`}
              placeholder="What for"
              style={{ flex: 1 }}
              value={row.description}
              onChange={(event) => set(index, { description: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove adjustment ${index + 1}`}
              onClick={() => onChange(value.filter((_, at) => at !== index))}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onChange([...value, { amount: 0, description: '' }])}
        >
          Add an adjustment
        </Button>
      </Stack>
    </fieldset>
  );
}

function ExemptionFields({
  value,
  isKept,
  onChange,
}: {
  value: Reductions['taxExempt'];
  isKept: boolean;
  onChange: (value: Reductions['taxExempt']) => void;
}) {
  return (
    <Stack gap="xs">
      <Checkbox
        label="Decide about taxes by hand"
        description="Instead of what the customer's card and the settings say"
        checked={value !== null}
        disabled={isKept && value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { exempt: true, reason: '' } : null)}
      />
      {value && (
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <SegmentedControl
            aria-label="Taxes"
            data={[
              { value: 'exempt', label: 'Exempt' },
              { value: 'taxed', label: 'Taxed' },
            ]}
            value={value.exempt ? 'exempt' : 'taxed'}
            onChange={(way) => onChange({ ...value, exempt: way === 'exempt' })}
          />
          <TextField
            path="taxExempt.reason"
            aria-label="Why"
            placeholder="Why"
            style={{ flex: 1 }}
            value={value.reason}
            onChange={(reason) => onChange({ ...value, reason })}
          />
        </Group>
      )}
    </Stack>
  );
}
