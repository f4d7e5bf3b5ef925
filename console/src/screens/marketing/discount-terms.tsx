import { Checkbox, Input, SegmentedControl, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { discountKinds } from '../../../../sdk/src/staff-discount-kinds.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { said, t } from '../../words/words.ts';
import type { DiscountDraft } from './discount-draft.ts';
import { noTargets } from './discount-draft.ts';
import { hasField, isOffLines } from './discount-kind-fields.ts';
import type { TargetNames } from './discount-sentence.ts';
import { TargetFields } from './target-fields.tsx';
import { WholeNumberInput } from './whole-number-input.tsx';

type Props = Pick<Edit<DiscountDraft>, 'draft' | 'set'>;

const kinds = Object.entries(discountKinds).map(([value, { label }]) => ({ value, label: said(label) }));

/** The kind and amount of a discount. */
export function DiscountTerms({ draft, set }: Props) {
  return (
    <SectionCard title={t`Discount`}>
      <Stack>
        <Field path="name">
          {(error) => (
            <TextInput
              label={t`Name`}
              description={t`Customers see it`}
              error={error}
              value={draft.name}
              onChange={(event) => set('name', event.currentTarget.value)}
            />
          )}
        </Field>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field path="kind">
            {(error) => (
              <Select
                label={t`Kind`}
                error={error}
                data={kinds}
                value={draft.kind}
                onChange={(kind) => {
                  if (kind === null) return;
                  set('kind', kind as DiscountDraft['kind']);
                  if (!discountKinds[kind as DiscountDraft['kind']].amountIsPrice || draft.type === 'flat')
                    return;
                  set('type', 'flat');
                  set('amount', '');
                }}
              />
            )}
          </Field>
          <AmountField draft={draft} set={set} />
          {hasField(draft.kind, 'buyQuantity') && <GroupFields draft={draft} set={set} />}
          {hasField(draft.kind, 'bundleQuantity') && (
            <Field path="bundleQuantity">
              {(error) => (
                <WholeNumberInput
                  label={t`Units for this price`}
                  suffix={t` units`}
                  min={1}
                  error={error}
                  value={draft.bundleQuantity}
                  onChange={(value) => set('bundleQuantity', value)}
                />
              )}
            </Field>
          )}
          <Field path="maximumAmount">
            {(error) => (
              <MoneyInput
                label={isOffLines(draft.kind) ? t`Maximum per line` : t`Maximum per order`}
                placeholder={t`No limit`}
                error={error}
                cents={draft.maximumAmount}
                onChange={(cents) => set('maximumAmount', cents)}
              />
            )}
          </Field>
        </SimpleGrid>
        {discountKinds[draft.kind].perUnit && draft.type === 'flat' && (
          <Checkbox
            label={t`Per unit of the line`}
            checked={draft.perUnit}
            onChange={(event) => set('perUnit', event.currentTarget.checked)}
          />
        )}
      </Stack>
    </SectionCard>
  );
}

function AmountField({ draft, set }: Props) {
  const isFlat = draft.type === 'flat';
  if (discountKinds[draft.kind].amountIsPrice) {
    return (
      <Field path="amount">
        {(error) => (
          <MoneyInput
            label={t`Price together`}
            error={error}
            cents={draft.amount === '' ? null : Number(draft.amount)}
            onChange={(cents) => set('amount', cents === null ? '' : String(cents))}
          />
        )}
      </Field>
    );
  }
  return (
    <SimpleGrid cols={2} spacing="sm">
      <Input.Wrapper label={t`In`} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t`Percent or dollars`}
          data={[
            { value: 'percent', label: '%' },
            { value: 'flat', label: '$' },
          ]}
          value={draft.type}
          onChange={(type) => {
            set('type', type as DiscountDraft['type']);
            set('amount', '');
          }}
        />
      </Input.Wrapper>
      <Field path="amount">
        {(error) =>
          isFlat ? (
            <MoneyInput
              key="flat"
              label={t`Amount`}
              error={error}
              cents={draft.amount === '' ? null : Number(draft.amount)}
              onChange={(cents) => set('amount', cents === null ? '' : String(cents))}
            />
          ) : (
            <DecimalInput
              key="percent"
              label={t`Amount`}
              rightSection="%"
              error={error}
              value={draft.amount}
              onChange={(amount) => set('amount', amount)}
            />
          )
        }
      </Field>
    </SimpleGrid>
  );
}

function GroupFields({ draft, set }: Props) {
  return (
    <SimpleGrid cols={2} spacing="sm">
      <Field path="buyQuantity">
        {(error) => (
          <WholeNumberInput
            label={t`Buy`}
            suffix={t` units`}
            min={1}
            error={error}
            value={draft.buyQuantity}
            onChange={(value) => set('buyQuantity', value)}
          />
        )}
      </Field>
      <Field path="getQuantity">
        {(error) => (
          <WholeNumberInput
            label={t`Get cheaper`}
            suffix={t` units`}
            min={1}
            error={error}
            value={draft.getQuantity}
            onChange={(value) => set('getQuantity', value)}
          />
        )}
      </Field>
    </SimpleGrid>
  );
}

/** The products that the discount applies to. */
export function DiscountTargets({ draft, set, names }: Props & { names: TargetNames }) {
  const hasBuyTargets = hasField(draft.kind, 'buyTargets');
  const hint = said(discountKinds[draft.kind].targetsHint);
  return (
    <>
      <SectionCard title={t`Products`} hint={hint}>
        <Stack>
          <TargetFields
            targets={draft.targets}
            onChange={(targets) => set('targets', targets)}
            names={names}
          />
          {hasBuyTargets && (
            <Checkbox
              label={t`The customer buys different products`}
              checked={draft.buyTargets !== null}
              onChange={(event) => set('buyTargets', event.currentTarget.checked ? noTargets : null)}
            />
          )}
        </Stack>
      </SectionCard>
      {hasBuyTargets && draft.buyTargets !== null && (
        <SectionCard title={t`Products to buy`} hint={t`Leave empty for all products.`}>
          <TargetFields
            targets={draft.buyTargets}
            onChange={(targets) => set('buyTargets', targets)}
            names={names}
          />
        </SectionCard>
      )}
    </>
  );
}
