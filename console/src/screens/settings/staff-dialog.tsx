import { Modal, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { presentRow } from '../../parts/record-kind.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { type Edit, useEdit } from '../../parts/use-edit.ts';
import { useGuardedEdit } from '../../parts/use-guarded-edit.tsx';
import { t } from '../../words/words.ts';

type Member = Schema['StaffMember'];
type Draft = Pick<Member, 'email' | 'firstName' | 'lastName' | 'role'>;

const blank: Draft = { email: '', firstName: '', lastName: '', role: 'budtender' };

const roles: readonly { readonly role: Member['role']; readonly hint: string }[] = [
  { role: 'owner', hint: t`Full access` },
  { role: 'manager', hint: t`Everything except client keys, staff and the organization profile` },
  { role: 'budtender', hint: t`Orders, customers and the queue` },
  { role: 'inventory', hint: t`Catalog, stock and purchasing` },
];

/** Invites a staff member, or changes the name and role of one. */
export function StaffDialog({
  edited,
  onClose,
  onInvited,
}: {
  edited: Member | 'new' | null;
  onClose: () => void;
  onInvited: (member: Schema['InvitedStaffMember']) => void;
}) {
  const title = edited === 'new' ? t`Invite staff member` : t`Edit ${edited?.firstName} ${edited?.lastName}`;
  return (
    <Modal opened={edited !== null} onClose={onClose} title={title} size="lg">
      {edited === 'new' && <InviteForm onClose={onClose} onInvited={onInvited} />}
      {edited !== null && edited !== 'new' && <EditForm saved={edited} onClose={onClose} />}
    </Modal>
  );
}

function InviteForm({
  onClose,
  onInvited,
}: {
  onClose: () => void;
  onInvited: (member: Schema['InvitedStaffMember']) => void;
}) {
  const queryClient = useQueryClient();
  const edit = useEdit(blank);
  const invite = async () => {
    const member = await dataOf(api.POST('/staff/v1/staff', { body: edit.draft }));
    void queryClient.invalidateQueries({ queryKey: ['staff'] });
    onInvited(member);
  };
  return (
    <ServerForm submit={t`Invite`} onCancel={onClose} onSubmit={invite}>
      <Field path="email">
        {(error) => (
          <TextInput
            label={t`Email`}
            description={t`Used to sign in`}
            type="email"
            data-autofocus
            error={error}
            value={edit.draft.email}
            onChange={(event) => edit.set('email', event.currentTarget.value)}
          />
        )}
      </Field>
      <NameAndRole draft={edit.draft} set={edit.set} />
    </ServerForm>
  );
}

function EditForm({ saved, onClose }: { saved: Member; onClose: () => void }) {
  const queryClient = useQueryClient();
  const path = { staffId: saved.id };
  const edit = useGuardedEdit<Member, Draft>({
    saved,
    editedOf: ({ email, firstName, lastName, role }) => ({ email, firstName, lastName, role }),
    save: (body, updatedAt) =>
      dataOf(
        api.PATCH('/staff/v1/staff/{staffId}', { params: { path }, headers: ifUnchanged(updatedAt), body }),
      ),
    load: async () => presentRow(await dataOf(api.GET('/staff/v1/staff')), saved.id),
    accept: ({ firstName, lastName }) => {
      notifyDone(t`${firstName} ${lastName} is saved.`);
      void queryClient.invalidateQueries({ queryKey: ['staff'] });
      void queryClient.invalidateQueries({ queryKey: ['me'] });
      onClose();
    },
    shown: (name, value) => ({ label: labels[name], value: name === 'role' ? sentence(value) : value }),
  });
  return (
    <>
      <ServerForm onCancel={onClose} onSubmit={edit.submit} onStale={() => {}}>
        <NameAndRole draft={edit.draft} set={edit.set} />
      </ServerForm>
      {edit.conflict}
    </>
  );
}

const labels: Readonly<Record<keyof Draft, string>> = {
  email: t`Email`,
  firstName: t`First name`,
  lastName: t`Last name`,
  role: t`Role`,
};

function NameAndRole({ draft, set }: Pick<Edit<Draft>, 'draft' | 'set'>) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Field path="firstName">
          {(error) => (
            <TextInput
              label={t`First name`}
              error={error}
              value={draft.firstName}
              onChange={(event) => set('firstName', event.currentTarget.value)}
            />
          )}
        </Field>
        <Field path="lastName">
          {(error) => (
            <TextInput
              label={t`Last name`}
              error={error}
              value={draft.lastName}
              onChange={(event) => set('lastName', event.currentTarget.value)}
            />
          )}
        </Field>
      </SimpleGrid>
      <Field path="role">
        {(error) => (
          <Radio.Group
            label={t`Role`}
            error={error}
            value={draft.role}
            onChange={(role) => set('role', role as Draft['role'])}
          >
            <Stack gap="sm" mt="xs">
              {roles.map(({ role, hint }) => (
                <Radio key={role} value={role} label={sentence(role)} description={hint} />
              ))}
            </Stack>
          </Radio.Group>
        )}
      </Field>
    </>
  );
}
