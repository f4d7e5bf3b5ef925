import { Button, Menu, Text } from '@mantine/core';
import { IconCash, IconChevronDown, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { keepTerms } from '../../offline/offline-store.ts';
import { useOwnRegister } from '../../parts/own-register.ts';
import { useLive } from '../../parts/use-live.ts';
import { useCan, useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { CloseDrawerDialog, MoveCashDialog, type MoveKind, OpenDrawerDialog } from './drawer-dialogs.tsx';
import { DrawerReportDialog } from './drawer-report-dialog.tsx';
import { type Register, registersQuery } from './registers-query.ts';

type Shown =
  | { readonly kind: 'open' | 'close' }
  | { readonly kind: 'move'; readonly how: MoveKind }
  | { readonly kind: 'report'; readonly sessionId: number }
  | null;

/** The register of this device and its drawer, in the header of the counter. */
export function RegisterBar() {
  const { organization } = useSession();
  const mayManage = useCan('createRegister');
  const [ownId, choose] = useOwnRegister(organization.id);
  const registers = useQuery(registersQuery);
  const [shown, setShown] = useState<Shown>(null);
  useLive(['registers', 'drawer-sessions']);
  const leave = () => {
    choose(null);
    void keepTerms(null);
  };
  const usable = (registers.data ?? []).filter(({ archivedAt }) => archivedAt === null);
  const own = usable.find(({ id }) => id === ownId);
  const session = own?.openSession ?? null;
  if (registers.data === undefined) return null;
  if (usable.length === 0) {
    return mayManage ? (
      <Button
        component={Link}
        to="/settings/registers"
        variant="default"
        leftSection={<IconCash size={18} aria-hidden />}
      >
        {t`Add a register`}
      </Button>
    ) : (
      <Text size="sm" c="dimmed" role="note">
        {t`No register yet: a manager adds one in the settings.`}
      </Text>
    );
  }
  // A register that was archived would refuse every payment.
  if (ownId !== null && own === undefined) queueMicrotask(leave);
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            variant={own && session === null ? 'light' : 'default'}
            {...(own && session === null && { color: 'yellow' })}
            leftSection={<IconCash size={18} aria-hidden />}
            rightSection={<IconChevronDown size={16} aria-hidden />}
          >
            {labelOf(own)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {own && session === null && (
            <Menu.Item onClick={() => setShown({ kind: 'open' })}>{t`Open drawer`}</Menu.Item>
          )}
          {session && (
            <>
              <Menu.Item onClick={() => setShown({ kind: 'move', how: 'drop' })}>{t`Move cash`}</Menu.Item>
              <Menu.Item onClick={() => setShown({ kind: 'report', sessionId: session.id })}>
                {t`X report`}
              </Menu.Item>
              <Menu.Item onClick={() => setShown({ kind: 'close' })}>{t`Count and close`}</Menu.Item>
            </>
          )}
          <Menu.Label>{t`This device is`}</Menu.Label>
          {usable.map(({ id, name }) => (
            <Menu.Item key={id} aria-current={id === own?.id} onClick={() => choose(id)}>
              {id === own?.id ? t`${name} (chosen)` : name}
            </Menu.Item>
          ))}
          {own && <Menu.Item onClick={leave}>{t`No register`}</Menu.Item>}
          {mayManage && (
            <Menu.Item
              component={Link}
              to="/settings/registers"
              leftSection={<IconSettings size={16} aria-hidden />}
            >
              {t`Registers`}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {own && <Dialogs register={own} shown={shown} onShow={setShown} />}
    </>
  );
}

function labelOf(own: Register | undefined): string {
  if (own === undefined) return t`Choose register`;
  return own.openSession ? own.name : t`${own.name}: drawer closed`;
}

function Dialogs({
  register,
  shown,
  onShow,
}: {
  register: Register;
  shown: Shown;
  onShow: (shown: Shown) => void;
}) {
  const close = () => onShow(null);
  const sessionId = register.openSession?.id;
  if (shown?.kind === 'open') return <OpenDrawerDialog registerId={register.id} onClose={close} />;
  if (shown?.kind === 'report') return <DrawerReportDialog sessionId={shown.sessionId} onClose={close} />;
  if (shown === null || sessionId === undefined) return null;
  if (shown.kind === 'move') return <MoveCashDialog sessionId={sessionId} kind={shown.how} onClose={close} />;
  return (
    <CloseDrawerDialog
      sessionId={sessionId}
      onClosed={({ id }) => onShow({ kind: 'report', sessionId: id })}
      onClose={close}
    />
  );
}
