import { Checkbox, Skeleton, Stack, TagsInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ListField, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useEdit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { IdentityProviderCard } from './identity-provider-card.tsx';

type Rules = Schema['SignInRules'];

/** What the shop asks of its staff beyond the password. */
export function Component() {
  const rules = useQuery({
    queryKey: ['sign-in-rules'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/sign-in-rules', { signal })),
  });
  return (
    <Page kind="form">
      <PageHeader title={t`Sign-in`}>{t`What your shop asks of its staff beyond the password.`}</PageHeader>
      {rules.error && <LoadFailure error={rules.error} onRetry={() => rules.refetch()} />}
      {!rules.error && !rules.data && <Skeleton height={320} />}
      {rules.data && (
        <Stack>
          <RulesForm saved={rules.data} />
          <IdentityProviderCard />
        </Stack>
      )}
    </Page>
  );
}

const roles = [
  { value: 'owner', label: t`Owners` },
  { value: 'manager', label: t`Managers` },
  { value: 'budtender', label: t`Budtenders` },
  { value: 'inventory', label: t`Inventory staff` },
] as const;

function RulesForm({ saved }: { saved: Rules }) {
  const queryClient = useQueryClient();
  const edit = useEdit(saved);
  const { draft, set } = edit;
  const save = async () => {
    const rules = await dataOf(api.PATCH('/staff/v1/sign-in-rules', { body: edit.changes }));
    queryClient.setQueryData(['sign-in-rules'], rules);
    notifyDone(t`The sign-in rules are saved.`);
    // The rules may hold for the person who has just set them.
    void queryClient.invalidateQueries({ queryKey: ['me'] });
  };
  return (
    <ServerForm onSubmit={save}>
      <Stack>
        <SectionCard
          title={t`Second factor`}
          hint={t`These roles need an authenticator app or a passkey besides their password. Anyone without one sets it up before going on.`}
        >
          <Field path="secondFactorRoles">
            {(error) => (
              <Checkbox.Group
                error={error}
                aria-label={t`Roles that need a second factor`}
                value={[...draft.secondFactorRoles]}
                onChange={(chosen) => set('secondFactorRoles', chosen as Rules['secondFactorRoles'])}
              >
                <Stack gap="sm">
                  {roles.map(({ value, label }) => (
                    <Checkbox key={value} value={value} label={label} />
                  ))}
                </Stack>
              </Checkbox.Group>
            )}
          </Field>
        </SectionCard>
        <SectionCard
          title={t`Refunds`}
          hint={t`Like documents, exports, keys, staff and tax exemptions, larger refunds can ask for the password again.`}
        >
          <Field path="refundProofAbove">
            {(error) => (
              <MoneyInput
                maw={320}
                label={t`Ask again for refunds above`}
                description={t`Leave empty to never ask`}
                error={error}
                cents={draft.refundProofAbove}
                onChange={(cents) => set('refundProofAbove', cents)}
              />
            )}
          </Field>
        </SectionCard>
        <SectionCard
          title={t`Allowed networks`}
          hint={t`Staff can then sign in and work only from these networks. Include your own.`}
        >
          <ListField path="allowedAddresses" items={draft.allowedAddresses}>
            {(error) => (
              <TagsInput
                label={t`Allowed network addresses`}
                description={t`Leave empty to allow every address`}
                placeholder="203.0.113.0/24"
                error={error}
                value={[...draft.allowedAddresses]}
                onChange={(addresses) => set('allowedAddresses', addresses)}
              />
            )}
          </ListField>
        </SectionCard>
      </Stack>
    </ServerForm>
  );
}
