import { Avatar, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconKey, IconKeyboard, IconLogout } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../api.ts';
import { sentence } from '../parts/status-badge.tsx';
import { sayFailed } from '../parts/toasts.tsx';
import { useSession } from '../session/session.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import classes from './shell.module.css';

const schemes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** Who is signed in; theme, password, sign-out. */
export function UserMenu({ onShowShortcuts }: { onShowShortcuts: () => void }) {
  const { staff } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [changesPassword, setChangesPassword] = useState(false);
  const name = `${staff.firstName} ${staff.lastName}`.trim() || staff.email;
  const signOut = () =>
    api.DELETE('/staff/v1/sessions/current').then(
      () => window.location.reload(),
      (error) => sayFailed(error),
    );
  return (
    <>
      <Menu position="bottom-end" width={264}>
        <Menu.Target>
          <UnstyledButton className={classes.user}>
            <Avatar size={32} radius="xl" color="leaf" variant="filled" name={name} aria-hidden />
            <span className={classes.userName}>{name}</span>
            <span className="unseen">: your menu</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{sentence(staff.role)}</Menu.Label>
          <Menu.Label className={classes.email}>{staff.email}</Menu.Label>
          <Menu.Divider />
          <Menu.Label>Theme</Menu.Label>
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
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={onShowShortcuts}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => setChangesPassword(true)}>
            Change password
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <PasswordDialog opened={changesPassword} onClose={() => setChangesPassword(false)} />
    </>
  );
}
