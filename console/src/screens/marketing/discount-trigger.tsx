import { Checkbox, SegmentedControl, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import { discountKinds } from '../../../../sdk/src/staff-discount-kinds.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import type { DiscountDraft } from './discount-draft.ts';
import { WholeNumberInput } from './whole-number-input.tsx';

type Props = Pick<Edit<DiscountDraft>, 'draft' | 'set'>;

const meanings = {
  automatic: t`It applies automatically to every matching cart.`,
  code: t`It applies when a customer gives one of the codes. Case does not matter.`,
  manual: t`It applies when staff choose it, within the limit of their role.`,
} as const;

/** How the discount is triggered, how often it applies, and how it combines with others. */
export function DiscountTrigger({ draft, set }: Props) {
  return (
    <SectionCard title={t`How it applies`}>
      <Stack>
        <SegmentedControl
          aria-label={t`Applies`}
          data={[
            { value: 'automatic', label: t`Automatically` },
            { value: 'code', label: t`With a code` },
            { value: 'manual', label: t`Chosen by staff` },
          ]}
          value={draft.trigger}
          onChange={(trigger) => set('trigger', trigger as DiscountDraft['trigger'])}
        />
        <Text size="sm" c="dimmed">
          {meanings[draft.trigger]}
        </Text>
        {draft.trigger === 'code' && (
          <Field path="codes">
            {(error) => (
              <TagsInput
                label={t`Codes`}
                description={t`Press Enter or comma after each code`}
                error={error}
                value={draft.codes}
                onChange={(codes) => set('codes', codes)}
                acceptValueOnBlur
                maxTags={1_000}
              />
            )}
          </Field>
        )}
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <UsesField {...{ draft, set }} name="usesPerCustomer" label={t`Uses per customer`} />
          <UsesField {...{ draft, set }} name="usesTotal" label={t`Total uses`} />
          <UsesField
            {...{ draft, set }}
            name="usesPerOrder"
            label={discountKinds[draft.kind].usesCount === 'lines' ? t`Lines per order` : t`Uses per order`}
          />
        </SimpleGrid>
        <Checkbox
          label={t`Combines with other discounts`}
          description={t`If off, it applies alone, when it is the better deal`}
          checked={draft.stackable}
          onChange={(event) => set('stackable', event.currentTarget.checked)}
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <Field path="priority">
            {(error) => (
              <WholeNumberInput
                label={t`Priority`}
                description={t`Lower numbers apply first`}
                error={error}
                value={draft.priority}
                onChange={(value) => set('priority', value ?? 0)}
              />
            )}
          </Field>
        </SimpleGrid>
      </Stack>
    </SectionCard>
  );
}

function UsesField({
  draft,
  set,
  name,
  label,
}: Props & { name: 'usesPerOrder' | 'usesPerCustomer' | 'usesTotal'; label: string }) {
  return (
    <Field path={name}>
      {(error) => (
        <WholeNumberInput
          label={label}
          placeholder={t`No limit`}
          min={1}
          error={error}
          value={draft[name]}
          onChange={(value) => set(name, value)}
        />
      )}
    </Field>
  );
}
