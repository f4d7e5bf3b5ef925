import { Checkbox, MultiSelect, Select, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { locationsQuery } from './setting-lists.ts';

type Settings = Schema['OrganizationSettings'];
type Draft = Pick<Edit<Settings>, 'draft' | 'set'>;

const firstStatuses = [
  { value: 'draft', label: 'Draft: staff must accept it' },
  { value: 'new', label: 'New: stock is taken at once' },
];

/** The initial status of orders and the locations of their stock. */
export function OrderTerms({ draft, set }: Draft) {
  const locations = useQuery(locationsQuery);
  return (
    <SectionCard title="Orders" anchor="orders">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {(['delivery', 'pickup'] as const).map((type) => (
            <Field key={type} path={`statusOnCreation.${type}`}>
              {(error) => (
                <Select
                  label={`New ${type} orders start as`}
                  error={error}
                  data={firstStatuses}
                  value={draft.statusOnCreation[type]}
                  onChange={(status) =>
                    status &&
                    set('statusOnCreation', { ...draft.statusOnCreation, [type]: status as 'draft' | 'new' })
                  }
                />
              )}
            </Field>
          ))}
        </SimpleGrid>
        {(['delivery', 'pickup', 'in-store'] as const).map((type) => (
          <Field key={type} path={`locationsByOrderType.${type}`}>
            {(error) => (
              <MultiSelect
                label={
                  type === 'in-store'
                    ? 'Stock for in-store sales from'
                    : `Stock for ${drawing[type].toLowerCase()} from`
                }
                description="In this order"
                error={error}
                data={choicesOr(
                  (locations.data ?? [])
                    .filter(
                      ({ id, archivedAt }) =>
                        archivedAt === null || draft.locationsByOrderType[type].includes(id),
                    )
                    .map(({ id, name }) => ({ value: String(id), label: name })),
                  locations,
                  createHints.locations,
                )}
                value={draft.locationsByOrderType[type].map(String)}
                onChange={(ids) =>
                  set('locationsByOrderType', { ...draft.locationsByOrderType, [type]: ids.map(Number) })
                }
              />
            )}
          </Field>
        ))}
      </Stack>
    </SectionCard>
  );
}

const drawing = { delivery: 'Deliveries', pickup: 'Pickups' } as const;

const limits = [
  { name: 'budtenderPercent', label: 'Budtenders, up to' },
  { name: 'managerPercent', label: 'Managers, up to' },
  { name: 'maximumPercent', label: 'All discounts, up to' },
] as const;

/** The limits of discounts. */
export function DiscountTerms({ draft, set }: Draft) {
  return (
    <SectionCard title="Discounts" hint="Leave empty for no limit.">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {limits.map(({ name, label }) => (
          <Field key={name} path={`discountLimits.${name}`}>
            {(error) => (
              <DecimalInput
                label={label}
                rightSection="%"
                error={error}
                value={draft.discountLimits[name] ?? ''}
                onChange={(percent) =>
                  set('discountLimits', { ...draft.discountLimits, [name]: percent === '' ? null : percent })
                }
              />
            )}
          </Field>
        ))}
      </SimpleGrid>
      <Field path="freeProductFloorCents">
        {(error) => (
          <MoneyInput
            mt="md"
            maw={320}
            label="Minimum price per cannabis unit"
            description="Discounts cannot go below it. Leave empty for the state default"
            error={error}
            cents={draft.freeProductFloorCents}
            onChange={(cents) => set('freeProductFloorCents', cents)}
          />
        )}
      </Field>
    </SectionCard>
  );
}

const customerMails = [
  { name: 'ready', label: 'A pickup is ready', description: 'When it is packed' },
  { name: 'outForDelivery', label: 'A delivery is on its way', description: 'When its driver leaves' },
  { name: 'canceled', label: 'An order is canceled', description: undefined },
  { name: 'receipts', label: 'The receipt', description: 'When an order is fulfilled' },
] as const;

/** Which steps of an order its customer hears of by mail. */
export function CustomerMailTerms({ draft, set }: Draft) {
  return (
    <SectionCard title="Mail to customers" hint="For customers with an email on their profile.">
      <Stack>
        {customerMails.map(({ name, label, description }) => (
          <Field key={name} path={`customerMails.${name}`}>
            {(error) => (
              <Checkbox
                label={label}
                description={description}
                error={error}
                checked={draft.customerMails[name]}
                onChange={(event) =>
                  set('customerMails', { ...draft.customerMails, [name]: event.currentTarget.checked })
                }
              />
            )}
          </Field>
        ))}
      </Stack>
    </SectionCard>
  );
}
