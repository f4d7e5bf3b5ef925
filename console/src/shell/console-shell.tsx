import { ActionIcon, Skeleton, Tooltip, UnstyledButton } from '@mantine/core';
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { NavLink, useNavigation } from 'react-router';
import { attentionQuery } from '../parts/attention-query.ts';
import { rememberShop } from '../parts/own-register.ts';
import { shopNow } from '../parts/shop-now.ts';
import { shopTime } from '../parts/shop-time.tsx';
import { useSession } from '../session/session.tsx';
import { useSessionEnd } from '../session/session-end.ts';
import { roleHas } from '../session/staff-role.ts';
import { t } from '../words/words.ts';
import { ConnectionStatus } from './connection-status.tsx';
import { useFirstSteps } from './first-steps-query.ts';
import { keepFocusBehindDialogs } from './focus-behind-dialogs.ts';
import { LeaveGuard } from './leave-guard.tsx';
import mark from './mark.svg';
import { ScanDesk } from './scan-desk.tsx';
import { ScreenGate } from './screen-gate.tsx';
import { getStarted, type Section, sections } from './sections.ts';
import classes from './shell.module.css';
import { useShortcuts } from './shortcuts.ts';
import { UserMenu } from './user-menu.tsx';

// Rarely used, so the first screen does not load it.
const SignInAgain = lazy(async () => ({
  default: (await import('../session/sign-in-again.tsx')).SignInAgain,
}));
const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));
// Only what changes later needs it.
const AttentionWatch = lazy(async () => ({
  default: (await import('./attention-watch.tsx')).AttentionWatch,
}));
const SuspendedNotice = lazy(async () => ({
  default: (await import('./suspended-notice.tsx')).SuspendedNotice,
}));
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }));

/** The frame of every screen: navigation, the shop's name and time, the user menu. */
export function ConsoleShell() {
  const { staff, organization } = useSession();
  const isNarrow = useMediaQuery('(max-width: 75em)', false, { getInitialValueInEffect: false });
  const [chosenCollapsed, setChosenCollapsed] = useLocalStorage<'open' | 'narrow' | null>({
    key: 'console-navigation',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  // Its tabs at the bottom have their titles.
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const isCollapsed = !isPhone && (chosenCollapsed === null ? isNarrow : chosenCollapsed === 'narrow');
  const [listOpened, list] = useDisclosure(false);
  const [paletteOpened, palette] = useDisclosure(false);
  const steps = useFirstSteps();
  const stepsLeft = steps === undefined || steps.hidden ? 0 : steps.remaining;
  const isNew = stepsLeft > 0;
  const shown = useMemo(
    () => sections.filter((it) => roleHas(staff.role, it.right) && (isNew || it !== getStarted)),
    [staff.role, isNew],
  );
  const openers = useMemo(() => ({ list: list.open, palette: palette.open }), [list.open, palette.open]);
  useShortcuts(shown, openers);
  useEffect(keepFocusBehindDialogs, []);
  useEffect(() => rememberShop(organization.id), [organization.id]);
  const hasEnded = useSessionEnd();
  const attention = useAttention();
  return (
    <div className={classes.shell} data-folded={isCollapsed || undefined}>
      <a href="#screen" className={classes.skip}>
        {t`Skip to content`}
      </a>
      <header className={classes.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          className={classes.fold}
          aria-label={isCollapsed ? t`Expand navigation` : t`Collapse navigation`}
          aria-expanded={!isCollapsed}
          onClick={() => setChosenCollapsed(isCollapsed ? 'open' : 'narrow')}
        >
          <IconLayoutSidebar size={20} stroke={1.6} />
        </ActionIcon>
        <img src={mark} alt="" width={28} height={28} />
        <strong className={classes.shop}>{organization.name}</strong>
        <span className={classes.clock}>
          <ShopClock />
        </span>
        <ConnectionStatus />
        <UnstyledButton className={classes.find} onClick={palette.open}>
          <IconSearch size={16} aria-hidden />
          <span>{t`Find …`}</span>
          <kbd>Ctrl K</kbd>
        </UnstyledButton>
        <UserMenu onShowShortcuts={list.open} />
      </header>
      <nav className={classes.nav} aria-label={t`Sections`}>
        {shown.map((section) => (
          <SectionLink
            key={section.path}
            section={section}
            isCollapsed={isCollapsed}
            needsAttention={attention.paths.has(section.path)}
            left={section === getStarted ? stepsLeft : section.path === '/attention' ? attention.kinds : 0}
          />
        ))}
      </nav>
      <main id="screen" className={classes.screen} tabIndex={-1}>
        <Progress />
        <Suspension />
        <Suspense fallback={<Skeleton m="xl" height={32} width={240} />}>
          <ScreenGate />
        </Suspense>
      </main>
      {listOpened && (
        <Suspense>
          <ShortcutList opened onClose={list.close} sections={shown} />
        </Suspense>
      )}
      {paletteOpened && (
        <Suspense>
          <CommandPalette opened onClose={palette.close} />
        </Suspense>
      )}
      <Suspense>
        <AttentionWatch isNew={isNew} />
      </Suspense>
      <LeaveGuard />
      <ScanDesk />
      {hasEnded && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
    </div>
  );
}

function SectionLink({
  section,
  isCollapsed,
  needsAttention,
  left,
}: {
  section: Section;
  isCollapsed: boolean;
  needsAttention: boolean;
  /** Steps that are left to do, or kinds of what waits. */
  left: number;
}) {
  const isSteps = section === getStarted;
  const note =
    left > 0
      ? isSteps
        ? t`, ${left} left`
        : t`, ${left} waiting`
      : needsAttention
        ? t`, needs attention`
        : '';
  const inWords = `${section.title}${note}`;
  return (
    <Tooltip label={inWords} position="right" disabled={!isCollapsed}>
      <NavLink
        to={section.path}
        className={classes.section}
        aria-label={isCollapsed || needsAttention ? inWords : undefined}
      >
        <section.icon size={20} stroke={1.6} aria-hidden />
        <span className={classes.sectionTitle}>{section.title}</span>
        {needsAttention && <span className={classes.attention} aria-hidden />}
        {left > 0 && (
          <span className={classes.left}>
            {left} <span className="unseen">{isSteps ? t`left` : t`waiting`}</span>
          </span>
        )}
      </NavLink>
    </Tooltip>
  );
}

/** What staff of a suspended shop are told on every screen. */
function Suspension() {
  const { suspension } = useSession().organization;
  if (!suspension) return null;
  return (
    <Suspense>
      <SuspendedNotice endsAt={suspension.endsAt} />
    </Suspense>
  );
}

/** A thin progress bar while the next screen's code loads. */
function Progress() {
  const { state } = useNavigation();
  return <div className={classes.progress} data-on={state !== 'idle' || undefined} aria-hidden />;
}

/** The time in the shop's time zone, which can differ from the browser's. */
function ShopClock() {
  const { tz } = useSession().organization;
  const [now, setNow] = useState(() => shopNow());
  useEffect(() => {
    const tick = setInterval(() => setNow(shopNow()), 10_000);
    return () => clearInterval(tick);
  }, []);
  return (
    <time dateTime={new Date(now).toISOString()} title={shopTime(now, tz, 'full')} className="numbers">
      {shopTime(now, tz, 'time')}
    </time>
  );
}

/** The paths of sections that are marked, by the kind of what waits there. */
const marks: Readonly<Record<string, string>> = { webhooks: '/integrations', 'ending-keys': '/integrations' };

/** What needs attention: how many kinds, and the paths of sections that are marked for it. */
function useAttention(): { readonly kinds: number; readonly paths: ReadonlySet<string | undefined> } {
  const items = useQuery(attentionQuery).data?.items ?? [];
  return { kinds: items.length, paths: new Set(items.map(({ kind }) => marks[kind])) };
}
