import {
  Alert,
  Checkbox,
  Group,
  List,
  NumberInput,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { StaleEdit } from '../../parts/stale-edit.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { notifyDone, notifyError, notifyLoadError } from '../../parts/toasts.tsx';
import { type Edit, useEdit } from '../../parts/use-edit.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { comparedFields } from './organization-fields.ts';
import { CustomerMailTerms, DiscountTerms, OrderTerms } from './organization-terms.tsx';
import { lawQuery } from './setting-lists.ts';
import { slotTypeNames } from './slot-type-names.ts';
import { StoredFiles } from './stored-files.tsx';

type Settings = Schema['OrganizationSettings'];

const settingsQuery = {
  queryKey: ['organization'],
  queryFn: () => dataOf(api.GET('/staff/v1/organization')),
};

/** The organization's profile and selling settings. */
export function Component() {
  const settings = useQuery(settingsQuery);
  return (
    <Page kind="form">
      <PageHeader title={t`Organization`}>{t`Your shop's profile and selling settings.`}</PageHeader>
      {settings.isPending && <Skeleton height={320} radius="md" />}
      {settings.error && !settings.data && (
        <LoadFailure error={settings.error} onRetry={() => settings.refetch()} />
      )}
      {settings.data && <ProfileForm saved={settings.data} />}
    </Page>
  );
}

function ProfileForm({ saved }: { saved: Settings }) {
  const queryClient = useQueryClient();
  const mayEdit = useCan('updateOrganization');
  const { hash } = useLocation();
  useEffect(() => {
    // Newer browsers answer a promise, which is no cleanup of an effect.
    document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  const edit = useEdit(saved);
  const [theirs, setTheirs] = useState<Settings | null>(null);
  const [base, setBase] = useState(saved.updatedAt);
  const save = async (updatedAt: string) => {
    const headers = ifUnchanged(updatedAt);
    accept(await dataOf(api.PATCH('/staff/v1/organization', { body: edit.changes, headers })));
  };
  const accept = (present: Settings) => {
    edit.reset();
    setBase(present.updatedAt);
    queryClient.setQueryData(settingsQuery.queryKey, present);
  };
  return (
    <>
      <ServerForm
        onSubmit={() => save(base)}
        onDone={() => {
          notifyDone(t`The organization is saved.`);
          void queryClient.invalidateQueries({ queryKey: ['me'] });
        }}
        onStale={() => void settingsQuery.queryFn().then(setTheirs, notifyLoadError)}
        isReadOnly={!mayEdit}
      >
        {saved.warnings.length > 0 && <Warnings warnings={saved.warnings} />}
        <ProfileFields {...edit} />
        <SellingFields {...edit} />
        <OrderTerms {...edit} />
        <DiscountTerms {...edit} />
        <CustomerMailTerms {...edit} />
        <StoredFiles stored={saved.storedFiles} />
      </ServerForm>
      {theirs && (
        <StaleEdit
          opened
          fields={comparedFields(edit.changes, theirs)}
          onClose={() => setTheirs(null)}
          onTakeTheirs={() => {
            accept(theirs);
            setTheirs(null);
          }}
          onKeepMine={() => {
            // The draft stays; it is now an edit of the version they saved.
            setBase(theirs.updatedAt);
            queryClient.setQueryData(settingsQuery.queryKey, theirs);
            setTheirs(null);
            save(theirs.updatedAt).then(() => notifyDone(t`Your version is saved.`), notifyError);
          }}
        />
      )}
    </>
  );
}

function Warnings({ warnings }: { warnings: Settings['warnings'] }) {
  return (
    <Alert color="yellow" title={t`Needs attention`}>
      <List size="sm" spacing="xs" listStyleType={warnings.length === 1 ? 'none' : undefined}>
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

function ProfileFields({ draft, set }: Edit<Settings>) {
  return (
    <SectionCard title={t`Profile`}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Field path="name">
          {(error) => (
            <TextInput
              label={t`Name`}
              error={error}
              value={draft.name}
              onChange={(event) => set('name', event.currentTarget.value)}
            />
          )}
        </Field>
        <Field path="licenseNumber">
          {(error) => (
            <TextInput
              label={t`License number`}
              error={error}
              value={draft.licenseNumber}
              onChange={(event) => set('licenseNumber', event.currentTarget.value)}
            />
          )}
        </Field>
        <Field path="customerEmail">
          {(error) => (
            <TextInput
              label={t`Email`}
              type="email"
              description={t`Customers see it`}
              error={error}
              value={draft.customerEmail}
              onChange={(event) => set('customerEmail', event.currentTarget.value)}
            />
          )}
        </Field>
        <Field path="customerPhone">
          {(error) => (
            <TextInput
              label={t`Phone`}
              type="tel"
              description={t`Customers see it`}
              error={error}
              value={draft.customerPhone}
              onChange={(event) => set('customerPhone', event.currentTarget.value)}
            />
          )}
        </Field>
        <Field path="tz">
          {(error) => (
            <Select
              label={t`Time zone`}
              description={t`Reports and limits count days in it`}
              error={error}
              data={zones}
              value={draft.tz}
              onChange={(tz) => tz && set('tz', tz)}
            />
          )}
        </Field>
        <Field path="businessDayStartsAt">
          {(error) => (
            <TextInput
              label={t`Business day starts at`}
              type="time"
              description={t`Sales before it count on the day before, in reports and lists`}
              error={error}
              value={draft.businessDayStartsAt}
              onChange={(event) => set('businessDayStartsAt', event.currentTarget.value)}
            />
          )}
        </Field>
        <Field path="placeholderContacts">
          {(error) => (
            <TagsInput
              label={t`Placeholder contacts`}
              description={t`Phones and emails typed for customers who give none, besides 5555555555 and none@…: a number, an email, walkin@ or @shop.example`}
              error={error}
              maxTags={100}
              value={draft.placeholderContacts}
              onChange={(contacts) => set('placeholderContacts', contacts)}
            />
          )}
        </Field>
        <OwedPointField draft={draft} set={set} />
        <RetentionFields draft={draft} set={set} />
      </SimpleGrid>
    </SectionCard>
  );
}

/** What a return takes off the refund for points that were spent. */
function OwedPointField({ draft, set }: Pick<Edit<Settings>, 'draft' | 'set'>) {
  return (
    <Field path="owedPointCents">
      {(error) => (
        <NumberInput
          label={t`Cents for a point that is owed`}
          description={t`Off the refund, if the points were spent. Leave empty to let the balance go below zero`}
          allowDecimal={false}
          min={0}
          max={10_000}
          error={error}
          value={draft.owedPointCents ?? ''}
          onChange={(cents) => set('owedPointCents', typeof cents === 'number' ? cents : null)}
        />
      )}
    </Field>
  );
}

/** For how long what is kept. */
function RetentionFields({ draft, set }: Pick<Edit<Settings>, 'draft' | 'set'>) {
  return (
    <>
      <Field path="documentRetentionDays">
        {(error) => (
          <NumberInput
            label={t`Keep documents for`}
            description={t`Days after upload`}
            suffix={t` days`}
            allowDecimal={false}
            min={1}
            error={error}
            value={draft.documentRetentionDays}
            onChange={(days) => typeof days === 'number' && set('documentRetentionDays', days)}
          />
        )}
      </Field>
      <Field path="customerRetentionDays">
        {(error) => (
          <NumberInput
            label={t`Erase customers after`}
            description={t`Days without an order or a change. Leave empty to keep them`}
            suffix={t` days`}
            allowDecimal={false}
            min={30}
            error={error}
            value={draft.customerRetentionDays ?? ''}
            onChange={(days) => set('customerRetentionDays', typeof days === 'number' ? days : null)}
          />
        )}
      </Field>
      <Field path="explanationRetentionDays">
        {(error) => (
          <NumberInput
            label={t`Keep calculation steps for`}
            description={t`Days after an order is placed; the order itself is kept`}
            suffix={t` days`}
            allowDecimal={false}
            min={1}
            error={error}
            value={draft.explanationRetentionDays}
            onChange={(days) => typeof days === 'number' && set('explanationRetentionDays', days)}
          />
        )}
      </Field>
    </>
  );
}

/** The other zones of the United States, by the names that every system knows. */
const otherZones: readonly Settings['tz'][] = [
  'America/Anchorage',
  'America/Adak',
  'America/Boise',
  'America/Detroit',
  'America/Indiana/Indianapolis',
  'America/Indiana/Knox',
  'America/Indiana/Marengo',
  'America/Indiana/Petersburg',
  'America/Indiana/Tell_City',
  'America/Indiana/Vevay',
  'America/Indiana/Vincennes',
  'America/Indiana/Winamac',
  'America/Juneau',
  'America/Kentucky/Louisville',
  'America/Kentucky/Monticello',
  'America/Menominee',
  'America/Metlakatla',
  'America/Nome',
  'America/North_Dakota/Beulah',
  'America/North_Dakota/Center',
  'America/North_Dakota/New_Salem',
  'America/Phoenix',
  'America/Sitka',
  'America/Yakutat',
  'Pacific/Honolulu',
];

const zones: { value: Settings['tz']; label: string }[] = [
  { value: 'America/Los_Angeles', label: t`Pacific` },
  { value: 'US/Mountain', label: t`Mountain` },
  { value: 'US/Central', label: t`Central` },
  { value: 'US/Eastern', label: t`Eastern` },
  ...otherZones.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
];

const offers = [
  { name: 'hasDelivery', label: t`Delivery` },
  { name: 'hasPickup', label: t`Pickup` },
  { name: 'hasInStore', label: t`In store` },
] as const;

function SellingFields({ draft, set }: Edit<Settings>) {
  return (
    <SectionCard title={t`Selling`}>
      <Stack>
        <Field path="hasDelivery">
          {(error) => (
            <Checkbox.Group
              label={t`Order types offered`}
              error={error}
              value={offers.filter(({ name }) => draft[name]).map(({ name }) => name)}
              onChange={(chosen) => {
                for (const { name } of offers) set(name, chosen.includes(name));
              }}
            >
              <Stack gap="xs" mt="xs">
                {offers.map(({ name, label }) => (
                  <Checkbox key={name} value={name} label={label} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
        </Field>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {(['delivery', 'pickup'] as const).map((type) => (
            <Field key={type} path={`orderMinimums.${type}`}>
              {(error) => (
                <MoneyInput
                  label={t`Minimum for ${sentence(type).toLowerCase()}`}
                  error={error}
                  cents={draft.orderMinimums[type]}
                  onChange={(cents) => set('orderMinimums', { ...draft.orderMinimums, [type]: cents ?? 0 })}
                />
              )}
            </Field>
          ))}
        </SimpleGrid>
        <Checkbox
          label={t`Prices include taxes`}
          checked={draft.taxesIncluded}
          onChange={(event) => set('taxesIncluded', event.currentTarget.checked)}
        />
        <Checkbox
          label={t`Medical customers are exempt from exemptable taxes`}
          checked={draft.medicalTaxExempt}
          onChange={(event) => set('medicalTaxExempt', event.currentTarget.checked)}
        />
        <Checkbox
          label={t`Use a customer's credits automatically with the next order`}
          checked={draft.autoApplyCredits}
          onChange={(event) => set('autoApplyCredits', event.currentTarget.checked)}
        />
        <Checkbox
          label={t`Tax delivery fees that integrations send`}
          description={<FeeLaw />}
          checked={draft.taxPassThroughFees}
          onChange={(event) => set('taxPassThroughFees', event.currentTarget.checked)}
        />
        <Checkbox
          label={t`Integrations may set stock to what they counted`}
          checked={draft.integratorsSetStock}
          onChange={(event) => set('integratorsSetStock', event.currentTarget.checked)}
        />
        <Select
          label={t`Customers cancel their own orders`}
          description={t`For pickup and delivery, on pages that let them.`}
          allowDeselect={false}
          data={[
            { value: 'until-packed', label: t`Until the order is packed` },
            { value: 'while-draft', label: t`Until the shop accepts the order` },
            { value: 'never', label: t`Never: they ask the shop` },
          ]}
          value={draft.customersCancel}
          onChange={(value) =>
            value !== null && set('customersCancel', value as typeof draft.customersCancel)
          }
        />
        <Checkbox.Group
          label={t`Customers must choose a time slot`}
          description={t`Web shops and integrations refuse an order without one. Staff can leave it out.`}
          value={slottedTypes.filter((type) => draft.needsTimeSlot[type])}
          onChange={(types) =>
            set('needsTimeSlot', { delivery: types.includes('delivery'), pickup: types.includes('pickup') })
          }
        >
          <Group gap="sm" mt={4}>
            {slottedTypes.map((type) => (
              <Checkbox key={type} value={type} label={slotTypeNames[type]} />
            ))}
          </Group>
        </Checkbox.Group>
        <Checkbox
          label={t`Customers see how far the driver is`}
          description={t`On the page of their delivery, in whole miles, when it is their turn, and only of drivers who share it.`}
          checked={draft.showsDriverPosition}
          onChange={(event) => set('showsDriverPosition', event.currentTarget.checked)}
        />
      </Stack>
    </SectionCard>
  );
}

const slottedTypes = ['delivery', 'pickup'] as const;

/** What is known of the state's taxes on delivery charges. */
function FeeLaw() {
  const law = useQuery(lawQuery).data;
  if (law === undefined) return null;
  const names = [
    ...new Set(law.taxes.filter((tax) => tax.appliesToFees).map(({ description }) => description)),
  ];
  const when = t`Turn it on if your shop makes these charges itself, and not the delivery service.`;
  return names.length > 0
    ? t`${names.join(', ')}: the law of ${law.name} puts it on what a shop charges for delivery. ${when}`
    : t`No tax of ${law.name} on delivery charges is known here: ask your tax adviser. ${when}`;
}
