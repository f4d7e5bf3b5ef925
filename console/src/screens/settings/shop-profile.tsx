import {
  ActionIcon,
  Button,
  FileButton,
  Group,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { profileQuery } from '../../parts/profile-query.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { type Edit, useEdit } from '../../parts/use-edit.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { LabelFields } from './label-templates.tsx';

type Profile = Schema['ShopProfile'];
type Hours = Schema['OpeningHours'];

/** What web shops show of the organization: address, opening hours, logo. */
export function Component() {
  const profile = useQuery(profileQuery);
  return (
    <Page kind="form">
      <PageHeader title={t`Web shop`}>
        {t`What web shops show besides your menu, and what your labels say.`}
      </PageHeader>
      {profile.isPending && <Skeleton height={320} radius="md" />}
      {profile.error && !profile.data && (
        <LoadFailure error={profile.error} onRetry={() => profile.refetch()} />
      )}
      {profile.data && (
        <Stack>
          <LogoCard logo={profile.data.logo} />
          <ProfileForm saved={profile.data} />
        </Stack>
      )}
    </Page>
  );
}

function useAccept() {
  const queryClient = useQueryClient();
  return (present: Profile) => queryClient.setQueryData(profileQuery.queryKey, present);
}

function ProfileForm({ saved }: { saved: Profile }) {
  const accept = useAccept();
  const queryClient = useQueryClient();
  const edit = useEdit(saved);
  const save = async () => {
    const { address, hours, labels } = edit.changes;
    const body = {
      ...(address !== undefined && { address }),
      ...(hours && { hours }),
      ...(labels && { labels }),
    };
    const headers = saved.updatedAt === null ? {} : ifUnchanged(saved.updatedAt);
    const present = await dataOf(api.PATCH('/staff/v1/shop-profile', { body, headers }));
    edit.reset();
    accept(present);
  };
  return (
    <ServerForm
      onSubmit={save}
      onDone={() => notifyDone(t`The profile is saved.`)}
      onStale={() => void queryClient.invalidateQueries({ queryKey: profileQuery.queryKey })}
      isReadOnly={!useCan('updateShopProfile')}
    >
      <AddressFields {...edit} />
      <HoursFields {...edit} />
      <LabelFields {...edit} />
    </ServerForm>
  );
}

const noAddress = { street1: '', street2: null, city: '', postalCode: '' };
const addressLabels = {
  street1: t`Street`,
  street2: t`Unit or floor`,
  city: t`City`,
  postalCode: t`ZIP code`,
} as const;

function AddressFields({ draft, set }: Edit<Profile>) {
  const address = draft.address ?? noAddress;
  const change = (name: keyof typeof noAddress, text: string) => {
    const changed = { ...address, [name]: name === 'street2' && text === '' ? null : text };
    const isEmpty = Object.values(changed).every((value) => !value);
    set('address', isEmpty ? null : changed);
  };
  return (
    <SectionCard title={t`Address`}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(Object.keys(addressLabels) as (keyof typeof addressLabels)[]).map((name) => (
          <Field key={name} path={`address.${name}`}>
            {(error) => (
              <TextInput
                label={addressLabels[name]}
                error={error}
                value={address[name] ?? ''}
                onChange={(event) => change(name, event.currentTarget.value)}
              />
            )}
          </Field>
        ))}
      </SimpleGrid>
    </SectionCard>
  );
}

const dayChoices = [t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`, t`Sunday`].map(
  (label, at) => ({ value: `${at + 1}`, label }),
);

function HoursFields({ draft: { hours }, set }: Edit<Profile>) {
  const change = (index: number, part: Partial<Hours>) =>
    set(
      'hours',
      hours.map((row, at) => (at === index ? { ...row, ...part } : row)),
    );
  const last = hours.at(-1);
  const added = { day: last === undefined ? 1 : (last.day % 7) + 1, opensAt: '09:00', closesAt: '21:00' };
  return (
    <SectionCard title={t`Opening hours`}>
      <Stack gap="xs">
        {hours.length === 0 && <Text c="dimmed">{t`Customers do not see any hours yet.`}</Text>}
        {hours.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
          <Group key={index} align="flex-end" wrap="nowrap" gap="xs">
            <Field path={`hours[${index}].day`}>
              {(error) => (
                <Select
                  aria-label={t`Day of row ${index + 1}`}
                  error={error}
                  data={dayChoices}
                  allowDeselect={false}
                  value={String(row.day)}
                  onChange={(day) => day && change(index, { day: Number(day) })}
                />
              )}
            </Field>
            {(['opensAt', 'closesAt'] as const).map((name) => (
              <Field key={name} path={`hours[${index}].${name}`}>
                {(error) => (
                  <TextInput
                    type="time"
                    aria-label={t`${name === 'opensAt' ? t`Opens` : t`Closes`}, row ${index + 1}`}
                    error={error}
                    value={row[name]}
                    onChange={(event) => change(index, { [name]: event.currentTarget.value })}
                  />
                )}
              </Field>
            ))}
            <ActionIcon
              variant="subtle"
              size="lg"
              aria-label={t`Delete row ${index + 1}`}
              onClick={() =>
                set(
                  'hours',
                  hours.filter((_, at) => at !== index),
                )
              }
            >
              <IconTrash size={18} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button variant="default" onClick={() => set('hours', [...hours, added])}>
            {t`Add hours`}
          </Button>
        </Group>
      </Stack>
    </SectionCard>
  );
}

const pictureTypes = 'image/jpeg,image/png,image/webp,image/gif,image/avif';

function LogoCard({ logo }: { logo: Profile['logo'] }) {
  const accept = useAccept();
  const mayEdit = useCan('uploadShopLogo');
  const upload = useWrite({
    about: (file) => file,
    mutationFn: (file: File) =>
      dataOf(
        api.PUT('/staff/v1/shop-profile/logo', {
          // The request body is the picture itself.
          body: file as unknown as string,
          bodySerializer: (body: unknown) => body as File,
          headers: { 'Content-Type': file.type },
        }),
      ),
    onSuccess: (present) => {
      accept(present);
      notifyDone(t`The logo is saved.`);
    },
    onError: notifyError,
  });
  const remove = useWrite({
    mutationFn: () => dataOf(api.PATCH('/staff/v1/shop-profile', { body: { deleteLogo: true } })),
    onSuccess: accept,
    onError: notifyError,
  });
  return (
    <SectionCard title={t`Logo`}>
      <Group>
        {logo === null ? (
          <Text c="dimmed">{t`No logo`}</Text>
        ) : (
          <img src={logo.sizes[0]?.fullPath ?? logo.fullPath} alt={t`Logo`} width={96} height={96} />
        )}
        {mayEdit && (
          <FileButton
            accept={pictureTypes}
            onChange={(file) => file && upload.mutate(file)}
            inputProps={{ 'aria-label': t`Logo` }}
          >
            {(props) => (
              <Button {...props} variant="default" loading={upload.isPending}>
                {logo === null ? t`Upload logo` : t`Replace logo`}
              </Button>
            )}
          </FileButton>
        )}
        {mayEdit && logo !== null && (
          <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t`Delete logo`}
          </Button>
        )}
      </Group>
    </SectionCard>
  );
}
