/** The commands of the palette on every page: what can be created, themes, saved views, and pages. */
import { useMantineColorScheme } from '@mantine/core';
import type { SpotlightActionData } from '@mantine/spotlight';
import {
  IconBook,
  IconBookmark,
  IconDeviceDesktop,
  IconDeviceTv,
  IconKeyboard,
  IconMoon,
  IconPlus,
  IconSun,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { ALERTING, SETTINGS, type Section } from '../features/settings/sections';
import type { Page, SavedView } from '../shared/data/api-types';
import { useRead } from '../shared/data/queries';
import { useCan, useMayRead } from '../shared/data/session';
import { buildSearch, SAVED_VIEWS } from '../shared/list/view-search';
import { CHECK_PAGES, PAGES, WALLBOARD } from './pages';

const CREATED = [
  { label: 'New monitor', to: '/monitors/new' },
  { label: 'New scenario', to: '/scenarios/new' },
  { label: 'New status page', to: '/status-pages/new' },
] as const;

const THEMES = [
  { scheme: 'light', label: 'Light theme', Icon: IconSun },
  { scheme: 'dark', label: 'Dark theme', Icon: IconMoon },
  { scheme: 'auto', label: 'Theme of the system', Icon: IconDeviceDesktop },
] as const;

export function useCommands(onHelp: () => void): SpotlightActionData[] {
  const navigate = useNavigate();
  const canWrite = useCan('write');
  const { setColorScheme } = useMantineColorScheme();
  const created = CREATED.map(({ label, to }) => ({
    id: to,
    label,
    onClick: () => void navigate({ to }),
    leftSection: <IconPlus size={18} aria-hidden />,
  }));
  const themes = THEMES.map(({ scheme, label, Icon }) => ({
    id: `theme-${scheme}`,
    label,
    onClick: () => setColorScheme(scheme),
    leftSection: <Icon size={18} aria-hidden />,
  }));
  return [
    ...(canWrite ? created : []),
    ...themes,
    {
      id: 'shortcuts',
      label: 'Shortcuts',
      onClick: onHelp,
      leftSection: <IconKeyboard size={18} aria-hidden />,
    },
    {
      id: 'reference',
      label: 'API reference',
      onClick: () => window.location.assign('/docs'),
      leftSection: <IconBook size={18} aria-hidden />,
    },
  ];
}

/** Reads nothing until the palette is open (`isShown`). */
export function useViewActions(isShown: boolean): SpotlightActionData[] {
  const navigate = useNavigate();
  const { data } = useRead<Page<SavedView>>(SAVED_VIEWS, { enabled: isShown });
  return (data?.data ?? []).map((view) => ({
    id: view.id,
    label: view.name,
    onClick: () => void navigate({ to: `/${view.list}`, search: buildSearch(view) as never }),
    leftSection: <IconBookmark size={18} aria-hidden />,
  }));
}

/** The pages of the navigation, with alerting and settings replaced by their sections. */
export function usePageActions(): SpotlightActionData[] {
  const navigate = useNavigate();
  const isAdmin = useMayRead('admin');
  const sectionsOf = (path: string, sections: readonly Section[]) =>
    sections
      .filter(({ isForAdmins }) => isAdmin || !isForAdmins)
      .map(({ name, label, Icon }) => ({ to: `${path}/${name}`, label, Icon }));
  const pages = [
    ...PAGES.filter(({ label }) => label !== 'Alerting' && label !== 'Settings'),
    ...CHECK_PAGES,
    { to: WALLBOARD, label: 'Wallboard', Icon: IconDeviceTv },
    ...sectionsOf('/alerting', ALERTING),
    ...sectionsOf('/settings', SETTINGS),
  ];
  return pages.map(({ to, label, Icon }) => ({
    id: to,
    label,
    onClick: () => void navigate({ to }),
    leftSection: <Icon size={18} />,
  }));
}
