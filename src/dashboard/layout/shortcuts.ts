/** Keyboard shortcuts of every page. They do nothing while the user types. */
import { useHotkeys, useWindowEvent } from '@mantine/hooks';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useCan } from '../shared/data/session';
import { undoNewest } from '../shared/ui/notify';

const TARGETS: Readonly<Record<string, string>> = {
  c: '/checks',
  m: '/monitors',
  s: '/scenarios',
  i: '/incidents',
  o: '/',
};

/** Handles the shortcuts. The shortcut of the search works even while the user types. */
export function useShortcuts(openHelp: () => void, openSearch: () => void): void {
  useHotkeys([['mod+K', openSearch]], []);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const canWrite = useCan('write');
  /** True if the last key was `g`. The next letter names the page. */
  const isGoing = useRef(false);
  const goTo = (letter: string) => (): void => {
    const to = TARGETS[letter];
    if (to !== undefined && isGoing.current) void navigate({ to });
  };
  // Runs after the shortcuts below, because the window receives each key event last.
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'g') isGoing.current = false;
  });
  const startNew = (): void => {
    if (!canWrite) return;
    void navigate({ to: pathname.startsWith('/scenarios') ? '/scenarios/new' : '/monitors/new' });
  };
  useHotkeys([
    ['shift+?', openHelp],
    ['?', openHelp],
    ['n', startNew],
    ['/', focusSearch],
    ['u', undoNewest],
    [
      'g',
      () => {
        isGoing.current = true;
      },
    ],
    ['c', goTo('c')],
    ['m', goTo('m')],
    ['s', goTo('s')],
    ['i', goTo('i')],
    ['o', goTo('o')],
  ]);
}

/** Focuses the search field of a list, which has the attribute `data-search`. */
function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[data-search]')?.focus();
}
