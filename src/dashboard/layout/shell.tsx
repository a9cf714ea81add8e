/** The frame of every page: navigation, search, user, and connection state. */

import {
  ActionIcon,
  Alert,
  AppShell,
  Box,
  Burger,
  Button,
  Group,
  Kbd,
  NavLink,
  Text,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlugConnectedX, IconSearch } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useAway } from '../shared/data/away';
import { LiveProvider, useIsLive } from '../shared/data/live';
import { SessionPending, SessionProvider, SignedIn } from '../shared/data/session';
import { loadWhenReached } from '../shared/loading/load-when-reached';
import { TEXT } from '../shared/text/strings';
import { ABSOLUTE } from '../shared/text/time-text';
import { HelpModal } from './help-modal';
import { CHECK_PAGES, PAGES, PHONE_PAGES, WALLBOARD } from './pages';
import { SchemeToggle } from './scheme-toggle';
import classes from './shell.module.css';
import { useShortcuts } from './shortcuts';
import { SuspendedBanner } from './suspended-banner';
import { useKeptFocus } from './use-kept-focus';

/** Loaded after the first page is shown. */
const loadPalette = loadWhenReached(() => import('./palette'));
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const UserMenu = lazy(
  loadWhenReached(async () => ({ default: (await import('./user-menu')).UserMenu })),
);
const openPalette = (): void => {
  void loadPalette().then((palette) => palette.openPalette());
};

const NO_MENU = <ActionIcon variant="default" size="lg" aria-label="Your account" />;

export function Shell() {
  const { pathname } = useLocation();
  return (
    <SessionProvider>
      <LiveProvider>{pathname === WALLBOARD ? <WithoutFrame /> : <Frame />}</LiveProvider>
    </SessionProvider>
  );
}

/** The frame of the wallboard: no navigation. */
function WithoutFrame() {
  return (
    <main>
      <AwayBanner />
      <SignedIn fallback={<SessionPending />}>
        <SuspendedBanner />
        <Outlet />
      </SignedIn>
    </main>
  );
}

function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [isHelpOpen, help] = useDisclosure();
  const { pathname } = useLocation();
  useKeptFocus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: going to another page closes the menu.
  useEffect(close, [pathname]);
  return (
    <AppShell
      header={{ height: 56 }}
      // The footer is only on phones, where a thumb reaches it.
      footer={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <button type="button" className={classes['skip']} onClick={skipToContent}>
        Skip to content
      </button>
      <AppShell.Header className={classes['header'] ?? ''}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
            />
            <Logo />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <LiveLabel />
            <ActionIcon
              variant="default"
              size="lg"
              onClick={openPalette}
              aria-label="Search and commands"
              title="Search and commands (Ctrl K)"
              visibleFrom="sm"
            >
              <IconSearch size={18} aria-hidden />
            </ActionIcon>
            <SchemeToggle />
            <Suspense fallback={NO_MENU}>
              <SignedIn fallback={NO_MENU}>
                <UserMenu onHelp={help.open} />
              </SignedIn>
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className={classes['navbar'] ?? ''} aria-label="Pages">
        {PAGES.map(({ to, label, Icon }) => (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={label}
            active={isWithin(pathname, to)}
            leftSection={<Icon size={18} aria-hidden />}
            className={classes['link'] ?? ''}
          />
        ))}
        <Box mt="auto" px="sm" py="xs">
          <Text size="xs" c="dimmed">
            Press <Kbd size="xs">?</Kbd> for shortcuts
          </Text>
        </Box>
      </AppShell.Navbar>
      <BottomBar pathname={pathname} />
      <AppShell.Main id="content" tabIndex={-1} className={classes['main'] ?? ''}>
        <AwayBanner />
        <SignedIn fallback={<SessionPending />}>
          <SuspendedBanner />
          <Outlet />
        </SignedIn>
      </AppShell.Main>
      <SignedIn>
        <Shortcuts onHelp={help.open} onSearch={openPalette} />
        <Suspense fallback={null}>
          <Palette onHelp={help.open} />
        </Suspense>
      </SignedIn>
      <HelpModal isOpen={isHelpOpen} onClose={help.close} />
    </AppShell>
  );
}

/** The most used pages, for phones. The burger menu contains the other pages. */
function BottomBar({ pathname }: { readonly pathname: string }) {
  return (
    <AppShell.Footer
      component="nav"
      hiddenFrom="sm"
      className={classes['bar'] ?? ''}
      aria-label="Most used"
    >
      {PHONE_PAGES.map(({ to, label, Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes['entry'] ?? ''}
          data-active={isWithin(pathname, to)}
        >
          <Icon size={20} aria-hidden />
          {label}
        </Link>
      ))}
      <button type="button" className={classes['entry']} onClick={openPalette}>
        <IconSearch size={20} aria-hidden />
        Search
      </button>
    </AppShell.Footer>
  );
}

function Shortcuts({ onHelp, onSearch }: Record<'onHelp' | 'onSearch', () => void>) {
  useShortcuts(onHelp, onSearch);
  return null;
}

function isWithin(pathname: string, to: string): boolean {
  const [, section = ''] = to.split('/');
  const [, shown = ''] = pathname.split('/');
  const isOfChecks = CHECK_PAGES.some((page) => page.to === `/${shown}`);
  return section === (isOfChecks ? 'checks' : shown);
}

/**
 * Moves the focus to the content without changing the URL. If the URL changed, a form with unsaved changes would ask
 * whether to discard them.
 */
function skipToContent(): void {
  document.getElementById('content')?.focus();
}

/** Shown while the service cannot be reached. Shows the age of the data, and a button to try again. */
function AwayBanner() {
  const away = useAway();
  const client = useQueryClient();
  if (away === null) return null;
  const { lastReadAtMs } = away;
  return (
    <Alert
      role="alert"
      variant="default"
      mb="md"
      icon={<IconPlugConnectedX aria-hidden color="var(--kw-down)" />}
      title={TEXT.notReached}
    >
      <Group gap="sm">
        <Text size="sm">
          {lastReadAtMs === null
            ? 'Check your connection. Trying again.'
            : `Showing data from ${ABSOLUTE.format(lastReadAtMs)}. Trying again.`}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => void client.refetchQueries()}>
          {TEXT.retry}
        </Button>
      </Group>
    </Alert>
  );
}

/** Shows whether the page receives changes without a reload. */
function LiveLabel() {
  const isLive = useIsLive();
  return (
    <span className={classes['live']} role="status">
      <span className={classes['dot']} data-live={isLive || undefined} />
      <span>{isLive ? 'Live' : 'Reconnecting'}</span>
    </span>
  );
}

/** The product's logo and name, linked to the overview. */
function Logo() {
  return (
    <Link to="/" className={classes['logo'] ?? ''}>
      <img src="/icon-ok.svg" alt="" width={26} height={26} />
      Keepwatch
    </Link>
  );
}
