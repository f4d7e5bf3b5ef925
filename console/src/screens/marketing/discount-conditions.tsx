import { Checkbox, Chip, Group, Input, MultiSelect, Select, SimpleGrid, Stack } from '@mantine/core';
import { t } from '../../words/words.ts';
import '@mantine/core/styles/Chip.css';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { MomentInput } from '../../parts/moment-input.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field } from '../../parts/server-form.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import type { DiscountDraft } from './discount-draft.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { useTargetLists } from './use-target-names.ts';
import { WholeNumberInput } from './whole-number-input.tsx';

type Props = Pick<Edit<DiscountDraft>, 'draft' | 'set'>;
type Conditions = DiscountDraft['conditions'];

const orderTypes = ['in-store', 'pickup', 'delivery'] as const;

/** The conditions of a discount; all must hold. */
export function DiscountConditions({ draft, set }: Props) {
  const { groups } = useTargetLists();
  const { conditions } = draft;
  const change = (changes: Partial<Conditions>) => set('conditions', { ...conditions, ...changes });
  return (
    <SectionCard title={t`Conditions`} hint={t`All conditions must hold. Empty fields set no condition.`}>
      <Stack>
        <Input.Wrapper label={t`Order types`} labelElement="div">
          <Chip.Group
            multiple
            value={conditions.orderTypes}
            onChange={(types) => change({ orderTypes: types as Conditions['orderTypes'] })}
          >
            <Group gap="sm" mt={4} role="group" aria-label={t`Order types`}>
              {orderTypes.map((type) => (
                <Chip key={type} value={type}>
                  {sentence(type)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <MultiSelect
            label={t`Customer groups`}
            placeholder={conditions.customerGroupIds.length === 0 ? t`All customers` : undefined}
            data={choicesOr(
              (groups ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
              { data: groups, error: null },
              createHints.groups,
            )}
            searchable
            hidePickedOptions
            value={groups ? conditions.customerGroupIds.map(String) : []}
            onChange={(ids) => change({ customerGroupIds: ids.map(Number) })}
          />
          <Select
            label={t`Customers`}
            data={[
              { value: 'all', label: t`All customers` },
              { value: 'medical', label: t`Patients` },
              { value: 'adult-use', label: t`Adult use` },
            ]}
            allowDeselect={false}
            value={conditions.customerType ?? 'all'}
            onChange={(type) =>
              change({ customerType: type === 'medical' || type === 'adult-use' ? type : null })
            }
          />
        </SimpleGrid>
        <Minimums conditions={conditions} change={change} />
        <Checkbox
          label={t`Only for a customer's first order`}
          checked={conditions.firstOrder}
          onChange={(event) => change({ firstOrder: event.currentTarget.checked })}
        />
        <Checkbox
          label={t`Only in the month of the customer's birthday`}
          checked={conditions.birthdayMonth}
          onChange={(event) => change({ birthdayMonth: event.currentTarget.checked })}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field path="startsAt">
            {(error) => (
              <MomentInput
                label={t`Starts`}
                description={t`In shop time. Leave empty to start now`}
                error={error}
                moment={conditions.startsAt}
                onChange={(startsAt) => change({ startsAt })}
              />
            )}
          </Field>
          <Field path="endsAt">
            {(error) => (
              <MomentInput
                label={t`Ends`}
                description={t`Leave empty for no end`}
                error={error}
                moment={conditions.endsAt}
                onChange={(endsAt) => change({ endsAt })}
              />
            )}
          </Field>
        </SimpleGrid>
        <ScheduleFields schedule={conditions.schedule} onChange={(schedule) => change({ schedule })} />
      </Stack>
    </SectionCard>
  );
}

/** How much a cart must have, and what counts. */
function Minimums({
  conditions,
  change,
}: {
  conditions: Conditions;
  change: (changes: Partial<Conditions>) => void;
}) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Field path="conditions.minimumSubtotal">
          {(error) => (
            <MoneyInput
              label={t`Minimum subtotal`}
              placeholder={t`Any`}
              error={error}
              cents={conditions.minimumSubtotal}
              onChange={(minimumSubtotal) => change({ minimumSubtotal })}
            />
          )}
        </Field>
        <Field path="conditions.minimumQuantity">
          {(error) => (
            <WholeNumberInput
              label={t`Minimum quantity`}
              placeholder={t`Any`}
              suffix={t` units`}
              min={1}
              error={error}
              value={conditions.minimumQuantity}
              onChange={(minimumQuantity) => change({ minimumQuantity })}
            />
          )}
        </Field>
      </SimpleGrid>
      <Checkbox
        label={t`The minimums count the whole cart`}
        description={t`Otherwise they count the products that the discount is for`}
        checked={conditions.countsWholeCart}
        onChange={(event) => change({ countsWholeCart: event.currentTarget.checked })}
      />
      <Checkbox
        label={t`Not on sale items`}
        description={t`Products at a sale price are not reduced and do not count`}
        checked={conditions.excludeSaleItems}
        onChange={(event) => change({ excludeSaleItems: event.currentTarget.checked })}
      />
    </>
  );
}
