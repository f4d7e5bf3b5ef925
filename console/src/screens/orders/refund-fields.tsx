import { SegmentedControl, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { GiftCardField } from '../../parts/gift-card-field.tsx';
import { notLoaded } from '../../parts/load-failure.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { PaymentTypes } from '../../parts/use-payment-types.ts';
import { t } from '../../words/words.ts';
import { locationsQuery } from '../settings/setting-lists.ts';
import type { RefundType, ReturnFields } from './use-return.ts';

/** How the customer gets the money of a return. A walk-in has no store credit. */
export function RefundTypeField({ draft, set, isWalkIn }: ReturnFields & { isWalkIn: boolean }) {
  return (
    <Field path="refundType">
      {(error) => (
        <Select
          label={t`Refund`}
          error={error}
          data={[
            { value: 'payment-method', label: t`To a payment type` },
            ...(isWalkIn ? [] : [{ value: 'store-credit', label: t`As store credit` }]),
            { value: 'none', label: t`No refund` },
          ]}
          value={draft.refundType}
          onChange={(value) => value && set({ refundType: value as RefundType })}
        />
      )}
    </Field>
  );
}

/** Where goods for sale again go. A vehicle is none of the choices: its stock is loaded with a trip. */
export function BackToStockField({ draft, set }: ReturnFields) {
  const locations = useQuery(locationsQuery);
  const places = (locations.data ?? []).filter(
    ({ archivedAt, type }) => archivedAt === null && type === 'standard',
  );
  return (
    <Field path="inventoryLocationId">
      {(error) => (
        <Select
          label={t`Back to stock at`}
          error={error ?? notLoaded(locations)}
          data={[
            { value: '', label: t`Where it came from` },
            ...places.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={String(draft.locationId ?? '')}
          onChange={(value) => set({ locationId: value ? Number(value) : null })}
        />
      )}
    </Field>
  );
}

export function RefundPaymentTypeField({ draft, set, payable }: ReturnFields & { payable: PaymentTypes }) {
  const types = payable.types ?? [];
  return (
    <Field path="paymentTypeId">
      {(error) => (
        <Select
          label={t`Payment type`}
          error={error ?? notLoaded({ data: payable.types, error: payable.error })}
          data={choicesOr(
            types.map(({ id, name }) => ({ value: String(id), label: name })),
            { ...payable, data: payable.types },
            createHints.paymentTypes,
          )}
          value={draft.paymentTypeId === null ? null : String(draft.paymentTypeId)}
          onChange={(value) => value && set({ paymentTypeId: Number(value) })}
        />
      )}
    </Field>
  );
}

/** The card that the customer shows for the money. */
export function RefundCardField({ code, onCode }: { code: string; onCode: (code: string) => void }) {
  return <GiftCardField code={code} onCode={onCode} description={t`Leave empty to use the card that paid`} />;
}

export function RefundAdjustmentFields({ draft, set }: ReturnFields) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <Field path="adjustmentAmount">
        {(error) => (
          <MoneyInput
            label={t`Adjustment`}
            error={error}
            cents={draft.adjustment}
            onChange={(adjustment) => set({ adjustment })}
          />
        )}
      </Field>
      <div>
        <Text size="sm" fw={600} aria-hidden mb={2}>
          {t`For the customer`}
        </Text>
        <SegmentedControl
          aria-label={t`For the customer`}
          fullWidth
          data={[
            { value: 'more', label: t`More` },
            { value: 'less', label: t`Less` },
          ]}
          value={draft.isMore ? 'more' : 'less'}
          onChange={(value) => set({ isMore: value === 'more' })}
        />
      </div>
      <Field path="adjustmentDescription">
        {(error) => (
          <TextInput
            label={t`Description`}
            placeholder={t`Delivery fee`}
            error={error}
            value={draft.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
        )}
      </Field>
    </SimpleGrid>
  );
}
