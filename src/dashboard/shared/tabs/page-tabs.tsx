/** The tabs of the page of one check. The URL names the open tab; the first tab is the default. */
import { Tabs, type TabsListProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { useSearchState } from '../data/search';
import classes from './tab-list.module.css';

interface PageTab {
  readonly value: string;
  readonly label: string;
  readonly content: ReactNode;
}

/** Search parameters that belong to one tab. They are dropped when another tab is opened. */
const OF_ONE_TAB = {
  cursor: undefined,
  status: undefined,
  region: undefined,
  trigger: undefined,
  result: undefined,
  from: undefined,
  to: undefined,
};

export function PageTabs({ tabs }: { readonly tabs: readonly PageTab[] }) {
  const [search, setSearch] = useSearchState();
  const first = tabs[0]?.value ?? '';
  const shown = tabs.find(({ value }) => value === search['tab'])?.value ?? first;
  const open = (value: string | null): void =>
    setSearch({ ...OF_ONE_TAB, tab: value === null || value === first ? undefined : value });
  return (
    <Tabs value={shown} onChange={open} keepMounted={false}>
      <TabList value={shown}>
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </TabList>
      {tabs.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface TabListProps extends TabsListProps {
  /** The name of the chosen tab, which is scrolled into view. */
  readonly value?: string;
}

/** Tabs on one line. If they do not fit, the line scrolls, and a shadow shows that there are more. */
function TabList({ value, ...props }: TabListProps) {
  const list = useChosenInSight(value);
  return <Tabs.List ref={list} className={classes['tabs'] ?? ''} {...props} />;
}

/**
 * Keeps the chosen tab in the middle of the line, so that its neighbours are visible. Does not use `scrollIntoView`,
 * because in Chromium the Tab key would then continue behind the tab and not at the start of the page.
 */
function useChosenInSight(chosen: string | undefined) {
  const line = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run again when another tab is chosen.
  useEffect(() => {
    const list = line.current;
    const current = list?.querySelector('[aria-selected=true], [aria-current=page]') ?? null;
    if (list === null || current === null) return;
    const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
    list.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }, [chosen]);
  return line;
}
