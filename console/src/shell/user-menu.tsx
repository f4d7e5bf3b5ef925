import { Avatar, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconKey, IconKeyboard, IconLogout, IconShieldLock, IconTruck } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../api.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { sentence } from '../parts/status-badge.tsx';
import { notifyError } from '../parts/toasts.tsx';
import { hasUnsavedWork, reloadWithoutAsking } from '../parts/unsaved-work.ts';
import { RoleGate, useSession } from '../session/session.tsx';
import { tellOtherTabs } from '../session/session-news.ts';
import { chooseLanguage, type LanguageCode, language, languages, t } from '../words/words.ts';
import classes from './shell.module.css';

// Rarely used, so the first screen does not load it.
const PasswordDialog = lazy(async () => ({
  default: (await import('./password-dialog.tsx')).PasswordDialog,
}));

const schemes = [
  { value: 'auto', label: t`System` },
  { value: 'light', label: t`Light` },
  { value: 'dark', label: t`Dark` },
] as const;

/** The signed-in person's menu: theme, language, password, sign-out. */
export function UserMenu({ onShowShortcuts }: { onShowShortcuts: () => void }) {
  const { staff } = useSession();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [changesPassword, setChangesPassword] = useState(false);
  const name = `${staff.firstName} ${staff.lastName}`.trim() || staff.email;
  const [asks, setAsks] = useState(false);
  const signOut = async () => {
    await api.DELETE('/staff/v1/sessions/current');
    // A driver's phone keeps names and addresses of buyers; what still waits to be sent stays.
    await (await import('../trip/trip-store.ts')).dropTrip().catch(() => {});
    tellOtherTabs();
    reloadWithoutAsking();
  };
  return (
    <>
      <Menu position="bottom-end" width={264}>
        <Menu.Target>
          <UnstyledButton className={classes.user}>
            <Avatar size={32} radius="xl" color="leaf" variant="filled" name={name} aria-hidden />
            <span className={classes.userName}>{name}</span>
            <span className="unseen">{t`: your menu`}</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{sentence(staff.role)}</Menu.Label>
          <Menu.Label className={classes.email}>{staff.email}</Menu.Label>
          <Menu.Divider />
          <Menu.Label>{t`Theme`}</Menu.Label>
          <Menu.RadioGroup
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
          >
            {schemes.map(({ value, label }) => (
              <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Label>{t`Language`}</Menu.Label>
          <Menu.RadioGroup value={language} onChange={(code) => chooseLanguage(code as LanguageCode)}>
            {Object.entries(languages).map(([code, { name }]) => (
              <Menu.RadioItem key={code} value={code} lang={code}>
                {name}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <RoleGate right="getMyTrip">
            <Menu.Item
              leftSection={<IconTruck size={16} aria-hidden />}
              onClick={() => void navigate('/my-trip')}
            >
              {t`My trip`}
            </Menu.Item>
          </RoleGate>
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={onShowShortcuts}>
            {t`Keyboard shortcuts`}
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => setChangesPassword(true)}>
            {t`Change password`}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconShieldLock size={16} aria-hidden />}
            onClick={() => void navigate('/account')}
          >
            {t`Your sign-in`}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={16} aria-hidden />}
            onClick={() => (hasUnsavedWork('page') ? setAsks(true) : void signOut().catch(notifyError))}
          >
            {t`Sign out`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asks}
        title={t`Sign out without saving?`}
        action={t`Sign out`}
        isDangerous
        onConfirm={signOut}
        onClose={() => setAsks(false)}
      >
        {t`Your unsaved changes are lost. The cart stays on this device until you sign in again.`}
      </ConfirmDialog>
      {changesPassword && (
        <Suspense>
          <PasswordDialog opened onClose={() => setChangesPassword(false)} />
        </Suspense>
      )}
    </>
  );
}
