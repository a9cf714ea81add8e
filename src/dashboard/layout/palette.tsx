/**
 * The command palette (Ctrl/Cmd+K). It searches monitors and scenarios, and offers commands, pages, and actions on the
 * open object.
 */
import '@mantine/spotlight/styles.css';
import { useMantineColorScheme } from '@mantine/core';
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  useSpotlight,
} from '@mantine/spotlight';
import {
  IconBook,
  IconBookmark,
  IconDeviceDesktop,
  IconDeviceTv,
  IconKeyboard,
  IconMoon,
  IconPlus,
  IconSearch,
  IconSun,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ALERTING, SETTINGS, type Section } from '../features/settings/sections';
import { withQuery } from '../shared/data/api';
import type { Incident, Monitor, Page, SavedView, Scenario } from '../shared/data/api-types';
import { useRead } from '../shared/data/queries';
import { useCan, useMayRead } from '../shared/data/session';
import { buildSearch, SAVED_VIEWS } from '../shared/list/view-search';
import { StatusIcon } from '../shared/ui/status';
import { readOrder } from './orders';
import { CHECK_PAGES, PAGES, WALLBOARD } from './pages';
import { useHint } from './use-hint';
import { useOpenedActions } from './use-opened-actions';
import { useIncidentActions, useOrderActions } from './use-order-actions';

const FOUND_MAX = 8;
const ACTION = '.mantine-Spotlight-content [data-action]';
const SELECTED = `${ACTION}[data-selected]`;

const [store, palette] = createSpotlight();

export function openPalette(): void {
  palette.open();
}

export function Palette({ onHelp }: { readonly onHelp: () => void }) {
  const [query, setQuery] = useState('');
  // Spotlight must be mounted before it is opened, because it ignores an earlier open event.
  const { opened: isShown } = useSpotlight(store);
  const text = query.trim();
  const order = readOrder(text);
  const hits = useHits(text);
  const ordered = useHits(order?.name ?? '');
  const found = useFound(text);
  const actions = useOrderActions(text);
  const hint = useHint(text, () => setQuery(`${text} `));
  const opened = useOpenedActions(isShown);
  // On the page of an incident, the command refers to this incident.
  const isOpened = opened.actions.some(({ id }) => id === 'acknowledge');
  const isNameless = order?.name === '';
  const open = useOpenIncidents(
    isNameless && order.verbs.includes('acknowledge') && !isOpened,
    text,
  );
  const isSearching = hits.isSearching || ordered.isSearching || open.isSearching;
  const readAt = `${hits.readAt} ${ordered.readAt} ${open.readAt}`;
  const waitForHits = useFirstHit(isSearching, `${text} ${readAt}`);
  return (
    <Spotlight
      store={store}
      actions={[
        // Search hits come before the actions on the open check, so that Enter after a search does
        // not pause the open check.
        { group: 'Monitors', actions: found('monitors', hits.monitors) },
        { group: 'Scenarios', actions: found('scenarios', hits.scenarios) },
        {
          group: 'Actions',
          actions:
            order === null
              ? []
              : [...open.actions, ...actions(order, [...ordered.monitors, ...ordered.scenarios])],
        },
        opened,
        // The hint comes after the actions on the open object, to which the verb may apply without a name.
        { group: 'Command', actions: isNameless ? hint(order.verbs) : [] },
        { group: 'Commands', actions: useCommands(onHelp) },
        { group: 'Views', actions: useViewActions(isShown) },
        { group: 'Pages', actions: usePageActions() },
      ]}
      query={query}
      onQueryChange={setQuery}
      // The palette has no animation. Otherwise, a palette that is reopened while it fades out would show the last
      // query.
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Search' } }}
      // The frame of the page handles the shortcut, because it is loaded earlier than this code.
      shortcut={null}
      scrollable
      maxHeight="70vh"
      // Makes the results scrollable by keyboard.
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': 'Results' } }}
      highlightQuery
      nothingFound={isSearching ? 'Searching …' : 'No results'}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: 'Search …',
        'aria-label': 'Search',
        onKeyDownCapture: waitForHits,
      }}
    />
  );
}

interface Hits {
  readonly monitors: readonly Monitor[];
  readonly scenarios: readonly Scenario[];
  readonly isSearching: boolean;
  /** Changes whenever the hits change. */
  readonly readAt: string;
}

/** Searches for the text. There are no hits for an empty text. */
function useHits(text: string): Hits {
  const wanted = { limit: FOUND_MAX, q: text };
  const options = { enabled: text !== '' };
  const monitors = useRead<Page<Monitor>>(withQuery('/v1/monitors', wanted), options);
  const scenarios = useRead<Page<Scenario>>(withQuery('/v1/scenarios', wanted), options);
  const isAsked = text !== '';
  return {
    monitors: (isAsked && monitors.data?.data) || [],
    scenarios: (isAsked && scenarios.data?.data) || [],
    isSearching: isAsked && [monitors, scenarios].some(isUnanswered),
    readAt: `${monitors.dataUpdatedAt} ${scenarios.dataUpdatedAt}`,
  };
}

interface OpenIncidents extends Pick<Hits, 'isSearching' | 'readAt'> {
  readonly actions: SpotlightActionData[];
}

/** Returns the actions that acknowledge an incident. Reads incidents only if `isAsked`. */
function useOpenIncidents(isAsked: boolean, text: string): OpenIncidents {
  const isOffered = useCan('write') && isAsked;
  const actions = useIncidentActions(text);
  const read = useRead<Page<Incident>>(
    withQuery('/v1/incidents', { state: 'open', limit: FOUND_MAX }),
    { enabled: isOffered },
  );
  return {
    actions: isOffered ? actions(read.data?.data ?? []) : [],
    isSearching: isOffered && isUnanswered(read),
    readAt: String(read.dataUpdatedAt),
  };
}

type FoundRows = readonly (Monitor | Scenario)[];

function useFound(text: string): (kind: string, rows: FoundRows) => SpotlightActionData[] {
  const navigate = useNavigate();
  return (kind, rows) =>
    rows.map(({ id, name, status, groupKey }) => ({
      id,
      label: name,
      description: groupKey,
      keywords: [text],
      onClick: () => void navigate({ to: `/${kind}/${id}` }),
      leftSection: <StatusIcon status={status} />,
    }));
}

interface Search {
  readonly data: unknown;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
}

function isUnanswered({ data, error, isPlaceholderData }: Search): boolean {
  return error === null && (data === undefined || isPlaceholderData);
}

/**
 * Selects the first hit. If the user presses Enter before the hits arrive, the first hit is opened when they arrive. A
 * selection made with the arrow keys is kept.
 */
function useFirstHit(isSearching: boolean, shown: string): (event: KeyboardEvent) => void {
  const [isAwaited, setIsAwaited] = useState(false);
  const hasChosen = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run again when other hits are shown.
  useEffect(() => {
    if (isSearching) return;
    const selected = document.querySelector(SELECTED);
    const first = document.querySelector<HTMLElement>(ACTION);
    if (first !== null && (selected === null || !hasChosen.current)) {
      selected?.removeAttribute('data-selected');
      // Spotlight sets this attribute itself, but not for hits that arrive later.
      first.setAttribute('data-selected', 'true');
    }
    if (!isAwaited) return;
    setIsAwaited(false);
    first?.click();
  }, [isSearching, isAwaited, shown]);
  return (event) => {
    hasChosen.current = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (event.key !== 'Enter' || !isSearching) return;
    event.preventDefault();
    event.stopPropagation();
    setIsAwaited(true);
  };
}

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

/**
 * Lists the commands that the palette has on every page: create an object, change the theme, and open a saved view or a
 * page.
 */
function useCommands(onHelp: () => void): SpotlightActionData[] {
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

/** Returns the saved views as palette actions. Reads nothing until the palette is open (`isShown`). */
function useViewActions(isShown: boolean): SpotlightActionData[] {
  const navigate = useNavigate();
  const { data } = useRead<Page<SavedView>>(SAVED_VIEWS, { enabled: isShown });
  return (data?.data ?? []).map((view) => ({
    id: view.id,
    label: view.name,
    onClick: () => void navigate({ to: `/${view.list}`, search: buildSearch(view) as never }),
    leftSection: <IconBookmark size={18} aria-hidden />,
  }));
}

/** Lists the pages of the navigation. Alerting and settings are replaced by their sections. */
function usePageActions(): SpotlightActionData[] {
  const navigate = useNavigate();
  const isAdmin = useMayRead('admin');
  const listSections = (path: string, sections: readonly Section[]) =>
    sections
      .filter(({ isForAdmins }) => isAdmin || !isForAdmins)
      .map(({ name, label, Icon }) => ({ to: `${path}/${name}`, label, Icon }));
  const pages = [
    ...PAGES.filter(({ label }) => label !== 'Alerting' && label !== 'Settings'),
    ...CHECK_PAGES,
    { to: WALLBOARD, label: 'Wallboard', Icon: IconDeviceTv },
    ...listSections('/alerting', ALERTING),
    ...listSections('/settings', SETTINGS),
  ];
  return pages.map(({ to, label, Icon }) => ({
    id: to,
    label,
    onClick: () => void navigate({ to }),
    leftSection: <Icon size={18} />,
  }));
}
