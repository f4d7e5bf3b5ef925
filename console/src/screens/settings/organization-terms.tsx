import { Checkbox, MultiSelect, Select, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field } from '../../parts/server-form.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { locationsQuery } from './setting-lists.ts';

type Settings = Schema['OrganizationSettings'];
type Draft = Pick<Edit<Settings>, 'draft' | 'set'>;

const firstStatuses = [
  { value: 'draft', label: t`Draft: staff must accept it` },
  { value: 'new', label: t`New: stock is taken at once` },
];

/** The initial status of orders and the locations of their stock. */
export function OrderTerms({ draft, set }: Draft) {
  const locations = useQuery(locationsQuery);
  return (
    <SectionCard title={t`Orders`} anchor="orders">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {(['delivery', 'pickup'] as const).map((type) => (
            <Field key={type} path={`statusOnCreation.${type}`}>
              {(error) => (
                <Select
                  label={t`New ${sentence(type).toLowerCase()} orders start as`}
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
                    ? t`Stock for in-store sales from`
                    : t`Stock for ${drawing[type].toLowerCase()} from`
                }
                description={t`In this order`}
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

const drawing = { delivery: t`Deliveries`, pickup: t`Pickups` } as const;

const limits = [
  { name: 'budtenderPercent', label: t`Budtenders, up to` },
  { name: 'managerPercent', label: t`Managers, up to` },
  { name: 'maximumPercent', label: t`All discounts, up to` },
] as const;

/** The limits of discounts. */
export function DiscountTerms({ draft, set }: Draft) {
  return (
    <SectionCard title={t`Discounts`} hint={t`Leave empty for no limit.`}>
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
            label={t`Minimum price per cannabis unit`}
            description={t`Discounts cannot go below it. Leave empty for the state default`}
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
  { name: 'ready', label: t`A pickup is ready`, description: t`When it is packed` },
  { name: 'outForDelivery', label: t`A delivery is on its way`, description: t`When its driver leaves` },
  { name: 'canceled', label: t`An order is canceled`, description: undefined },
  { name: 'receipts', label: t`The receipt`, description: t`When an order is fulfilled` },
] as const;

/** Which steps of an order its customer hears of by mail. */
export function CustomerMailTerms({ draft, set }: Draft) {
  return (
    <SectionCard title={t`Email to customers`} hint={t`For customers with an email on their profile.`}>
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
