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
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Schema } from '../api.ts';
import { useCan } from '../session/session.tsx';
import { t } from '../words/words.ts';
import { dollars } from './dollars.ts';
import { MoneyInput } from './money-input.tsx';
import classes from './reduction-fields.module.css';
import { incompleteInput, missingPart, type Reductions } from './reductions.ts';
import { Field, useFieldError } from './server-form.tsx';
import { useMistakes } from './typed-fields.ts';

type Discount = Schema['StaffDiscount'];

/** `10%`, `$5.00`. */
export function discountWorth({ type, amount }: Pick<Discount, 'type' | 'amount'>): string {
  return type === 'percent' ? `${amount}%` : dollars(amount);
}

/**
 * Manual discounts, codes, adjustments and a tax exemption, for a cart or an order. Incomplete input shows what is missing and
 * blocks the form.
 */
export function ReductionFields({
  value,
  onChange,
  discounts,
  partOf,
  keepsExemption = false,
}: {
  value: Reductions;
  onChange: (changes: Partial<Reductions>) => void;
  discounts: readonly Discount[];
  /** How much is given of a chosen discount, shown with its tile. */
  partOf?: (discount: Discount) => ReactNode;
  /** A tax decision on an order can be changed but not removed. */
  keepsExemption?: boolean;
}) {
  const manual = discounts.filter(({ trigger }) => trigger === 'manual');
  const mayExempt = useCan('exemptFromTax');
  useMistakes(() => incompleteInput(value) !== null);
  return (
    <Stack>
      {manual.length > 0 && (
        <Field path="discountIds">
          {(error) => (
            <Checkbox.Group
              label={t`Manual discounts`}
              error={error}
              value={value.discountIds.map(String)}
              onChange={(ids) => onChange({ discountIds: ids.map(Number) })}
            >
              <div className={classes.tiles}>
                {manual.map((discount) => (
                  <div key={discount.id} className={classes.place}>
                    <Checkbox.Card
                      value={String(discount.id)}
                      className={classes.tile}
                      aria-label={`${discount.name}: ${discountWorth(discount)}`}
                    >
                      <span className={classes.worth}>{discountWorth(discount)}</span>
                      <span>{discount.name}</span>
                    </Checkbox.Card>
                    {value.discountIds.includes(discount.id) && partOf?.(discount)}
                  </div>
                ))}
              </div>
            </Checkbox.Group>
          )}
        </Field>
      )}
      <CodesField value={value.discountCodes} onChange={(discountCodes) => onChange({ discountCodes })} />
      <AdjustmentRows value={value.adjustments} onChange={(adjustments) => onChange({ adjustments })} />
      {(mayExempt || value.taxExempt !== null) && (
        <ExemptionFields
          value={value.taxExempt}
          isKept={keepsExemption}
          mayExempt={mayExempt}
          onChange={(taxExempt) => onChange({ taxExempt })}
        />
      )}
    </Stack>
  );
}

/** Discount codes. A code still being typed counts when its form closes. */
function CodesField({ value, onChange }: { value: string[]; onChange: (codes: string[]) => void }) {
  const error = useFieldError('discountCodes');
  const [typed, setTyped] = useState('');
  const take = useRef(() => {});
  useEffect(() => {
    take.current = () => {
      const code = typed.trim();
      if (code !== '' && !value.includes(code)) onChange([...value, code]);
    };
  });
  useEffect(() => () => take.current(), []);
  return (
    <TagsInput
      label={t`Discount codes`}
      placeholder={value.length === 0 ? t`Type a code and press Enter` : undefined}
      acceptValueOnBlur
      error={error}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value}
      onChange={onChange}
    />
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
        {t`Adjustments after taxes`}
      </Text>
      <Stack gap="xs">
        {value.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <SegmentedControl
              aria-label={t`Adjustment ${index + 1}`}
              data={[
                { value: 'off', label: t`Reduces` },
                { value: 'on', label: t`Adds` },
              ]}
              value={row.way}
              onChange={(way) => set(index, { way: way as typeof row.way })}
            />
            <MoneyInput
              aria-label={t`Amount of adjustment ${index + 1}`}
              w={112}
              cents={row.amount}
              error={missingPart(row) === 'amount' ? t`Enter an amount` : undefined}
              onChange={(amount) => set(index, { amount })}
            />
            <TextInput
              aria-label={t`Description of adjustment ${index + 1}`}
              placeholder={t`Description`}
              error={missingPart(row) === 'description' ? t`Enter a description` : undefined}
              style={{ flex: 1 }}
              value={row.description}
              onChange={(event) => set(index, { description: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t`Remove adjustment ${index + 1}`}
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
          onClick={() => onChange([...value, { amount: null, way: 'off', description: '' }])}
        >
          {t`Add an adjustment`}
        </Button>
      </Stack>
    </fieldset>
  );
}

function ExemptionFields({
  value,
  isKept,
  mayExempt,
  onChange,
}: {
  value: Reductions['taxExempt'];
  isKept: boolean;
  mayExempt: boolean;
  onChange: (value: Reductions['taxExempt']) => void;
}) {
  const refusal = useFieldError('taxExempt.reason');
  return (
    <Stack gap="xs">
      <Checkbox
        label={t`Override taxes`}
        description={t`Replaces the tax status from the customer's card and the settings`}
        checked={value !== null}
        disabled={isKept && value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { exempt: mayExempt, reason: '' } : null)}
      />
      {value && (
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <SegmentedControl
            aria-label={t`Taxes`}
            data={[
              { value: 'exempt', label: t`Exempt`, disabled: !mayExempt && !value.exempt },
              { value: 'taxed', label: t`Taxed` },
            ]}
            value={value.exempt ? 'exempt' : 'taxed'}
            onChange={(way) => onChange({ ...value, exempt: way === 'exempt' })}
          />
          <TextInput
            aria-label={t`Reason`}
            placeholder={t`Reason`}
            style={{ flex: 1 }}
            error={value.reason.trim() === '' ? t`Enter a reason` : refusal}
            value={value.reason}
            onChange={(event) => onChange({ ...value, reason: event.currentTarget.value })}
          />
        </Group>
      )}
    </Stack>
  );
}
