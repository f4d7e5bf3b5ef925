import { ActionIcon, Button, Select, SimpleGrid } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { DayInput } from '../../parts/day-input.tsx';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { freshKey } from '../../parts/fresh-key.ts';
import { RecordDialog } from '../../parts/guarded-record-dialog.tsx';
import { notLoaded } from '../../parts/load-failure.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field } from '../../parts/server-form.tsx';
import { StockItemPicker } from '../../parts/stock-item-picker.tsx';
import { LongTextField, TextField } from '../../parts/text-field.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import type { LineDraft, PurchaseDraft } from './purchase-draft.ts';
import { type PurchaseOrder, termLabels, vendorsQuery } from './purchase-words.ts';
import classes from './purchasing.module.css';
import { vendorKind } from './vendor-kind.tsx';

type FieldsOf = Pick<Edit<PurchaseDraft>, 'draft' | 'set'>;

/** The vendor, the expected date and the payment terms. */
export function PurchaseFields({ draft, set }: FieldsOf) {
  return (
    <SectionCard title={t`Order`}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <VendorField draft={draft} set={set} />
        <Field path="expectedAt">
          {(error) => (
            <DayInput
              label={t`Expected`}
              required
              error={error}
              day={draft.expectedAt}
              onChange={(day) => set('expectedAt', day)}
            />
          )}
        </Field>
        <TermsFields draft={draft} set={set} />
        <TextField
          path="externalInvoiceNumber"
          label={t`Invoice number`}
          value={draft.externalInvoiceNumber}
          onChange={(value) => set('externalInvoiceNumber', value)}
        />
        <Field path="shippingHandlingFee">
          {(error) => (
            <MoneyInput
              label={t`Shipping and handling`}
              error={error}
              cents={draft.shippingHandlingFee}
              onChange={(cents) => set('shippingHandlingFee', cents ?? 0)}
            />
          )}
        </Field>
        <LongTextField
          path="notes"
          label={t`Notes`}
          minRows={1}
          maxRows={6}
          value={draft.notes}
          onChange={(value) => set('notes', value)}
        />
      </SimpleGrid>
    </SectionCard>
  );
}

function VendorField({ draft, set }: FieldsOf) {
  const queryClient = useQueryClient();
  const vendors = useQuery(vendorsQuery);
  const [isAdding, setAdding] = useState(false);
  const choices = (vendors.data ?? []).filter(
    ({ id, archivedAt }) => archivedAt === null || id === draft.inventoryVendorId,
  );
  return (
    <div className={classes.vendor}>
      <Field path="inventoryVendorId">
        {(error) => (
          <Select
            label={t`Vendor`}
            required
            searchable
            error={error ?? notLoaded(vendors)}
            data={choicesOr(
              choices.map(({ id, name }) => ({ value: String(id), label: name })),
              vendors,
              createHints.vendors,
            )}
            value={draft.inventoryVendorId === null ? null : String(draft.inventoryVendorId)}
            onChange={(id) => id && set('inventoryVendorId', Number(id))}
          />
        )}
      </Field>
      <Button variant="default" className={classes.belowLabel} onClick={() => setAdding(true)}>
        {t`New`}
      </Button>
      {isAdding && (
        <RecordDialog
          kind={vendorKind}
          record={null}
          onClose={() => setAdding(false)}
          onSaved={({ id }) => {
            void queryClient.invalidateQueries({ queryKey: ['inventory-vendors'] });
            set('inventoryVendorId', id);
            setAdding(false);
          }}
        />
      )}
    </div>
  );
}

function TermsFields({ draft, set }: FieldsOf) {
  return (
    <>
      <Field path="paymentTerms">
        {(error) => (
          <Select
            label={t`Terms`}
            error={error}
            data={[
              { value: '', label: t`None` },
              ...Object.entries(termLabels).map(([value, label]) => ({ value, label })),
            ]}
            value={draft.paymentTerms ?? ''}
            onChange={(value) => {
              set('paymentTerms', (value || null) as PurchaseOrder['paymentTerms']);
              if (value !== 'custom') set('paymentTermsDueDate', null);
            }}
          />
        )}
      </Field>
      {draft.paymentTerms === 'custom' && (
        <Field path="paymentTermsDueDate">
          {(error) => (
            <DayInput
              label={t`Due`}
              required
              error={error}
              day={draft.paymentTermsDueDate}
              onChange={(day) => set('paymentTermsDueDate', day)}
            />
          )}
        </Field>
      )}
    </>
  );
}

/** All lines of the order. Lines removed here are removed from the order on saving. */
export function PurchaseLines({ draft, set }: FieldsOf) {
  const lines = draft.lineItems;
  const change = (index: number, changes: Partial<LineDraft>) =>
    set(
      'lineItems',
      lines.map((line, at) => (at === index ? { ...line, ...changes } : line)),
    );
  return (
    <SectionCard title={t`Goods`}>
      {lines.map((line, index) => (
        <LineRow
          key={line.key}
          line={line}
          index={index}
          onChange={(changes) => change(index, changes)}
          onRemove={() =>
            set(
              'lineItems',
              lines.filter((_, at) => at !== index),
            )
          }
        />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        mt="sm"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() =>
          set('lineItems', [...lines, { key: freshKey(), item: null, amount: '', costPerUnit: '' }])
        }
      >
        {t`Add a line`}
      </Button>
    </SectionCard>
  );
}

function LineRow({
  line,
  index,
  onChange,
  onRemove,
}: {
  line: LineDraft;
  index: number;
  onChange: (changes: Partial<LineDraft>) => void;
  onRemove: () => void;
}) {
  const which = line.item?.label ?? t`line ${index + 1}`;
  // Labels show above the first line only; other lines have them for screen readers.
  const label = (text: string) => (index === 0 ? { label: text } : { 'aria-label': t`${text} of ${which}` });
  return (
    <fieldset className={`bare ${classes.line}`} aria-label={which}>
      <Field path={`lineItems[${index}].productId`}>
        {(error) => (
          <StockItemPicker
            {...label(t`Item`)}
            error={error}
            // The item of a saved line cannot change.
            readOnly={line.id !== undefined}
            item={line.item}
            onChange={(item) => onChange({ item })}
          />
        )}
      </Field>
      <Field path={`lineItems[${index}].amount`}>
        {(error) => (
          <DecimalInput
            {...label(t`Quantity`)}
            error={error}
            value={line.amount}
            onChange={(amount) => onChange({ amount })}
          />
        )}
      </Field>
      <Field path={`lineItems[${index}].costPerUnit`}>
        {(error) => (
          <DecimalInput
            {...label(t`Unit cost`)}
            leftSection="$"
            error={error}
            value={line.costPerUnit}
            onChange={(costPerUnit) => onChange({ costPerUnit })}
          />
        )}
      </Field>
      <ActionIcon
        variant="subtle"
        color="red"
        size={36}
        className={index === 0 ? classes.belowLabel : undefined}
        aria-label={t`Remove ${which}`}
        onClick={onRemove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </fieldset>
  );
}
