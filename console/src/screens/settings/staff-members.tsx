import { Button, Menu } from '@mantine/core';
import {
  IconDevices,
  IconLink,
  IconPencil,
  IconPlus,
  IconShieldOff,
  IconUnlink,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmailText } from '../../parts/email-text.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge, sentence } from '../../parts/status-badge.tsx';
import { notifyDone, notifyError, notifyRefusal } from '../../parts/toasts.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useAsked } from '../../parts/use-asked.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useLive } from '../../parts/use-live.ts';
import { useWrite } from '../../parts/use-write.ts';
import { RoleGate, useCan, useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { InviteLink } from './invite-link.tsx';
import { MemberSessions } from './member-sessions.tsx';
import { StaffDialog } from './staff-dialog.tsx';

type Member = Schema['StaffMember'];

/** The staff and their roles: invite, change and disable staff members. */
export function Component() {
  const queryClient = useQueryClient();
  const staff = useQuery({
    queryKey: ['staff'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/staff', { signal })),
  });
  const [filters, setFilters] = useFilters(['search']);
  const [edited, setEdited] = useState<Member | 'new' | null>(null);
  const mayInvite = useCan('inviteStaff');
  const [disabling, setDisabling] = useState<Member | null>(null);
  const [invited, setInvited] = useState<Schema['InvitedStaffMember'] | null>(null);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['staff'] });
  useLive(['staff']);
  useAsked('new', () => mayInvite && setEdited('new'));
  const inviteAgain = useWrite({
    about: ({ id }) => id,
    mutationFn: (member: Member) =>
      dataOf(api.POST('/staff/v1/staff/{staffId}/invite', { params: { path: { staffId: member.id } } })),
    onSuccess: (member) => {
      setInvited(member);
      refresh();
    },
    onError: notifyError,
  });
  const unlink = useUnlink();
  const [watched, setWatched] = useState<Member | null>(null);
  const [resetting, setResetting] = useState<Member | null>(null);
  const setDisabled = async (member: Member, disabled: boolean) => {
    await saveDisabled(member, disabled);
    refresh();
  };
  return (
    <Page>
      <PageHeader
        title={t`Staff`}
        actions={
          <RoleGate right="inviteStaff">
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('new')}>
              {t`Invite`}
            </Button>
          </RoleGate>
        }
      >
        {t`The people who can sign in, and their roles.`}
      </PageHeader>
      <FilterBar>
        <SearchField
          label={t`Search by name or email`}
          value={filters.search ?? ''}
          onSearch={(search) => setFilters({ search })}
        />
      </FilterBar>
      <DataTable
        label={t`Staff`}
        list={listOf(staff, (rows) => rows.filter(matches(filters.search ?? '')))}
        empty={<EmptyState title={t`No matching staff members`}>{t`Try fewer letters.`}</EmptyState>}
        columns={columnsWith({
          edit: setEdited,
          disable: setDisabling,
          enable: (member) => void setDisabled(member, false).catch(notifyError),
          invite: (member) => inviteAgain.mutate(member),
          resetFactor: setResetting,
          unlink: (member) => unlink.mutate(member),
          sessions: setWatched,
        })}
        onOpen={setEdited}
        maxHeight={640}
      />
      <StaffDialog
        edited={edited}
        onClose={() => setEdited(null)}
        onInvited={(member) => {
          setEdited(null);
          setInvited(member);
        }}
      />
      {invited && <InviteLink invited={invited} onClose={() => setInvited(null)} />}
      <ConfirmDialog
        opened={disabling !== null}
        title={t`Disable ${disabling ? nameOf(disabling) : ''}?`}
        action={t`Disable`}
        isDangerous
        onClose={() => setDisabling(null)}
        onConfirm={async () => {
          if (disabling) await setDisabled(disabling, true);
        }}
      >
        {t`Their sessions end within one second. They cannot sign in until you enable them again.`}
      </ConfirmDialog>
      {watched && (
        <MemberSessions staffId={watched.id} name={nameOf(watched)} onClose={() => setWatched(null)} />
      )}
      <ResetFactorDialog member={resetting} onDone={refresh} onClose={() => setResetting(null)} />
    </Page>
  );
}

/** Disables or enables a member, unless another person has changed them since the list was read. */
async function saveDisabled(member: Member, disabled: boolean): Promise<void> {
  const params = { path: { staffId: member.id } };
  const headers = ifUnchanged(member.updatedAt);
  try {
    await dataOf(api.PATCH('/staff/v1/staff/{staffId}', { params, headers, body: { disabled } }));
    notifyDone(disabled ? t`${nameOf(member)} is disabled.` : t`${nameOf(member)} is enabled.`);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'STALE_EDIT') throw error;
    notifyRefusal(t`Another person has just changed ${nameOf(member)}. Check the list and try again.`);
  }
}

/** Ends the link of a member to their company account. */
function useUnlink() {
  return useWrite({
    about: ({ id }) => id,
    mutationFn: async (member: Member) => {
      const params = { path: { staffId: member.id } };
      await api.DELETE('/staff/v1/staff/{staffId}/identity', { params });
      return member;
    },
    onSuccess: (member) =>
      notifyDone(t`The next company sign-in with the email of ${nameOf(member)} links them again.`),
    onError: notifyError,
  });
}

function ResetFactorDialog({
  member,
  onDone,
  onClose,
}: {
  member: Member | null;
  onDone: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      opened={member !== null}
      title={t`Remove the second factor of ${member ? nameOf(member) : ''}?`}
      action={t`Remove`}
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        if (!member) return;
        const params = { path: { staffId: member.id } };
        await api.DELETE('/staff/v1/staff/{staffId}/second-factor', { params });
        notifyDone(t`The second factor of ${nameOf(member)} is removed.`);
        onDone();
      }}
    >
      {t`For a person who has lost it. Make sure it is really this person who asks. Their sessions end, their password alone signs them in, and an email tells them.`}
    </ConfirmDialog>
  );
}

/** Whether each word that is searched for is in a member's name or email. */
function matches(search: string): (member: Member) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return (member) => {
    const text = `${nameOf(member)} ${member.email}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function nameOf(member: Pick<Member, 'firstName' | 'lastName'>): string {
  return `${member.firstName} ${member.lastName}`;
}

interface Actions {
  readonly edit: (member: Member) => void;
  readonly disable: (member: Member) => void;
  readonly enable: (member: Member) => void;
  readonly invite: (member: Member) => void;
  readonly resetFactor: (member: Member) => void;
  readonly unlink: (member: Member) => void;
  readonly sessions: (member: Member) => void;
}

function columnsWith(actions: Actions): readonly Column<Member>[] {
  return [
    {
      id: 'name',
      header: t`Name`,
      cell: (member) => (
        <TwoLines name={nameOf(member)}>
          <EmailText email={member.email} />
        </TwoLines>
      ),
    },
    { id: 'role', header: t`Role`, width: 136, cell: ({ role }) => sentence(role) },
    {
      id: 'factor',
      header: t`Second factor`,
      width: 128,
      wideOnly: true,
      cell: ({ hasSecondFactor }) => (hasSecondFactor ? t`On` : '–'),
    },
    { id: 'status', header: t`Status`, width: 120, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      id: 'since',
      header: t`Added`,
      width: 144,
      align: 'end',
      cell: ({ createdAt }) => <ShopTime at={createdAt} style="date" />,
    },
    {
      id: 'actions',
      header: <span className="unseen">{t`Actions`}</span>,
      width: 72,
      align: 'end',
      cell: (member) => <MemberActions member={member} {...actions} />,
    },
  ];
}

function MemberActions({
  member,
  edit,
  disable,
  enable,
  invite,
  resetFactor,
  unlink,
  sessions,
}: { member: Member } & Actions) {
  const me = useSession().staff;
  return (
    <RowMenu label={t`Actions for ${nameOf(member)}`}>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => edit(member)}>
        {t`Edit`}
      </Menu.Item>
      {member.status !== 'disabled' && (
        <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => invite(member)}>
          {member.status === 'invited' ? t`New invitation` : t`Reset password`}
        </Menu.Item>
      )}
      {member.hasSecondFactor && (
        <Menu.Item leftSection={<IconShieldOff size={16} aria-hidden />} onClick={() => resetFactor(member)}>
          {t`Remove second factor`}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconDevices size={16} aria-hidden />} onClick={() => sessions(member)}>
        {t`Sessions`}
      </Menu.Item>
      <Menu.Item leftSection={<IconUnlink size={16} aria-hidden />} onClick={() => unlink(member)}>
        {t`Unlink company account`}
      </Menu.Item>
      {member.status === 'disabled' ? (
        <Menu.Item leftSection={<IconUserCheck size={16} aria-hidden />} onClick={() => enable(member)}>
          {t`Enable`}
        </Menu.Item>
      ) : (
        member.id !== me.id && (
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconUserOff size={16} aria-hidden />}
            onClick={() => disable(member)}
          >
            {t`Disable`}
          </Menu.Item>
        )
      )}
    </RowMenu>
  );
}
