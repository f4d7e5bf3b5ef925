import { Checkbox, Select, SimpleGrid, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { MoneyInput } from '../../parts/money-input.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useEdit } from '../../parts/use-edit.ts';
import { plural, t } from '../../words/words.ts';
import { locationsQuery } from '../settings/setting-lists.ts';
import { offlineSettingsQuery } from './offline-queries.ts';

type Settings = Schema['OfflineSaleSettings'];
type Limits = Settings['shop'];

const ways = [
  { value: 'shop', label: t`Same as the shop` },
  { value: 'own', label: t`On, with limits of its own` },
  { value: 'off', label: t`Off` },
];

/** The usual hours, and those that are set. */
function hourChoices(present: number) {
  const hours = [...new Set([1, 2, 4, 8, 12, 24, 48, 72, present])].sort((a, b) => a - b);
  return hours.map((each) => ({
    value: String(each),
    label: plural(each, { one: t`1 hour`, other: t`${each} hours` }),
  }));
}

/** Whether registers sell alone, and how far: for the shop, and in its place for single locations. */
export function OfflineLimitsForm({ saved }: { saved: Settings }) {
  const queryClient = useQueryClient();
  const edit = useEdit(saved);
  const { shop, locations } = edit.draft;
  const { data } = useQuery(locationsQuery);
  const shown = (data ?? []).filter(
    ({ id, archivedAt }) => archivedAt === null || locations.some((it) => it.inventoryLocationId === id),
  );
  const save = async () => {
    const settings = await dataOf(
      api.PUT('/staff/v1/offline-sale-settings', {
        headers: saved.updatedAt === null ? {} : ifUnchanged(saved.updatedAt),
        body: { shop, locations },
      }),
    );
    queryClient.setQueryData(offlineSettingsQuery.queryKey, settings);
    notifyDone(t`The limits of offline sales are saved.`);
  };
  const choose = (inventoryLocationId: number, choice: string | null) => {
    const others = locations.filter((it) => it.inventoryLocationId !== inventoryLocationId);
    const own = { ...shop, inventoryLocationId, isOn: choice === 'own' };
    edit.set('locations', choice === 'shop' ? others : [...others, own]);
  };
  return (
    <ServerForm onSubmit={save}>
      <Stack>
        <SectionCard
          title={t`All registers`}
          hint={t`A register keeps prices, limits and taxes as last known, and sends its sales when the service answers again.`}
        >
          <Checkbox
            mb="md"
            label={t`Sell while the service cannot be reached`}
            checked={shop.isOn}
            onChange={(event) => edit.set('shop', { ...shop, isOn: event.currentTarget.checked })}
          />
          <LimitFields path="shop" limits={shop} onChange={(next) => edit.set('shop', next)} />
        </SectionCard>
        {shown.map(({ id, name }) => {
          const at = locations.findIndex((it) => it.inventoryLocationId === id);
          const own = locations[at];
          return (
            <SectionCard key={id} title={name}>
              <Select
                mb="md"
                maw={320}
                aria-label={t`Registers at ${name}`}
                allowDeselect={false}
                data={ways}
                value={own === undefined ? 'shop' : own.isOn ? 'own' : 'off'}
                onChange={(choice) => choose(id, choice)}
              />
              {own?.isOn && (
                <LimitFields
                  path={`locations[${at}]`}
                  limits={own}
                  onChange={(next) =>
                    edit.set(
                      'locations',
                      locations.map((it) => (it === own ? { ...own, ...next } : it)),
                    )
                  }
                />
              )}
            </SectionCard>
          );
        })}
      </Stack>
    </ServerForm>
  );
}

function LimitFields({
  path,
  limits,
  onChange,
}: {
  path: string;
  limits: Limits;
  onChange: (limits: Limits) => void;
}) {
  const amount = (name: 'saleMax' | 'outageMax', label: string) => (
    <Field path={`${path}.${name}`}>
      {(error) => (
        <MoneyInput
          label={label}
          required
          error={error}
          cents={limits[name]}
          // The service refuses nothing at all with the reason.
          onChange={(cents) => onChange({ ...limits, [name]: cents ?? 0 })}
        />
      )}
    </Field>
  );
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Field path={`${path}.hoursMax`}>
        {(error) => (
          <Select
            label={t`For at most`}
            error={error}
            allowDeselect={false}
            data={hourChoices(limits.hoursMax)}
            value={String(limits.hoursMax)}
            onChange={(hours) => onChange({ ...limits, hoursMax: Number(hours) })}
          />
        )}
      </Field>
      {amount('saleMax', t`For one sale, up to`)}
      {amount('outageMax', t`For one outage, up to`)}
    </SimpleGrid>
  );
}
