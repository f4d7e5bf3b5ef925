import { Button, Group, PasswordInput, Select, Skeleton, Stack, TagsInput, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ListField, ServerForm } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { type Edit, useEdit } from '../../parts/use-edit.ts';
import { companyLink } from '../../session/company-link.ts';
import { useSession } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';

type Provider = Schema['IdentityProvider'];

const key = ['identity-provider'];

const factors = [
  { value: 'never', label: t`Never: ask for their own second factor` },
  { value: 'when-told', label: t`If the company account says that one was used` },
  { value: 'always', label: t`Always` },
] as const;

/** Signing in with the accounts of the company. */
export function IdentityProviderCard() {
  const shown = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/identity-provider', { signal })),
  });
  return (
    <SectionCard
      title={t`Company accounts`}
      hint={t`Staff sign in at your identity provider (OpenID Connect), the first time by their verified email. Passwords work as before.`}
    >
      {shown.error && <LoadFailure error={shown.error} onRetry={() => shown.refetch()} />}
      {!shown.error && !shown.data && <Skeleton height={240} />}
      {shown.data && (
        <ProviderForm
          key={String(shown.data.provider !== null)}
          saved={shown.data.provider}
          redirectUrl={shown.data.redirectUrl}
        />
      )}
    </SectionCard>
  );
}

const none: Provider = { issuer: '', client: '', emailDomains: [], secondFactor: 'never' };

function ProviderForm({ saved, redirectUrl }: { saved: Provider | null; redirectUrl: string }) {
  const queryClient = useQueryClient();
  const { organization } = useSession();
  const edit = useEdit(saved ?? none);
  const { draft } = edit;
  const [clientSecret, setClientSecret] = useState('');
  const [isRemoving, setRemoving] = useState(false);
  const save = async () => {
    const body = { ...draft, emailDomains: [...draft.emailDomains], ...(clientSecret && { clientSecret }) };
    await dataOf(api.PUT('/staff/v1/identity-provider', { body }));
    edit.reset();
    setClientSecret('');
    notifyDone(t`Staff can sign in with their company accounts.`);
    await queryClient.invalidateQueries({ queryKey: key });
  };
  return (
    <ServerForm
      onSubmit={save}
      submit={saved ? t`Save company accounts` : t`Turn on company accounts`}
      isReady={draft.issuer !== '' && draft.client !== '' && draft.emailDomains.length > 0}
    >
      <Stack>
        <Text size="sm">{rich`Register this address at the provider: ${<b>{redirectUrl}</b>}`}</Text>
        <ProviderFields
          edit={edit}
          isNew={saved === null}
          clientSecret={clientSecret}
          onSecret={setClientSecret}
        />
        {saved && (
          <Stack gap="xs">
            <Text size="sm">
              {rich`Your staff sign in here: ${<b>{companyLink(organization.id)}</b>} (organization ${organization.id})`}
            </Text>
            <Group>
              <Button variant="default" onClick={() => setRemoving(true)}>
                {t`Remove company accounts`}
              </Button>
            </Group>
          </Stack>
        )}
      </Stack>
      <ConfirmDialog
        opened={isRemoving}
        title={t`Remove company accounts?`}
        action={t`Remove`}
        isDangerous
        onClose={() => setRemoving(false)}
        onConfirm={async () => {
          await api.DELETE('/staff/v1/identity-provider');
          notifyDone(t`Company accounts are removed.`);
          await queryClient.invalidateQueries({ queryKey: key });
        }}
      >
        {t`Staff then sign in with passwords and passkeys. Anyone without either cannot sign in.`}
      </ConfirmDialog>
    </ServerForm>
  );
}

function ProviderFields({
  edit: { draft, set },
  isNew,
  clientSecret,
  onSecret,
}: {
  edit: Edit<Provider>;
  isNew: boolean;
  clientSecret: string;
  onSecret: (secret: string) => void;
}) {
  return (
    <>
      <TextField
        path="issuer"
        label={t`Issuer`}
        description={t`The address of the provider`}
        value={draft.issuer}
        onChange={(issuer) => set('issuer', issuer.trim())}
      />
      <TextField
        path="client"
        label={t`Client ID`}
        value={draft.client}
        onChange={(client) => set('client', client)}
      />
      <Field path="clientSecret">
        {(error) => (
          <PasswordInput
            label={t`Client secret`}
            description={isNew ? t`It is not shown again` : t`Leave empty to keep the current one`}
            autoComplete="off"
            error={error}
            value={clientSecret}
            onChange={(event) => onSecret(event.currentTarget.value)}
          />
        )}
      </Field>
      <ListField path="emailDomains" items={draft.emailDomains}>
        {(error) => (
          <TagsInput
            label={t`Email domains`}
            description={t`Only people with such an email sign in this way`}
            placeholder={t`shop.example.com`}
            error={error}
            value={[...draft.emailDomains]}
            onChange={(domains) => set('emailDomains', domains)}
          />
        )}
      </ListField>
      <Field path="secondFactor">
        {(error) => (
          <Select
            label={t`Counts as a second factor`}
            data={[...factors]}
            allowDeselect={false}
            error={error}
            value={draft.secondFactor}
            onChange={(value) => set('secondFactor', value as Provider['secondFactor'])}
          />
        )}
      </Field>
    </>
  );
}
