/** The tabs of the page of one check. The URL says which tab is open; the first tab is the default. */
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchState } from '../data/search';
import { TabList } from './tab-list';

interface PageTab {
  readonly value: string;
  readonly label: string;
  readonly content: ReactNode;
}

/** Search parameters of only one tab. They are dropped when the tab changes. */
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
