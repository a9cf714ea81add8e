/** Tabs on one line. If they do not fit, the line scrolls, and a shadow shows it. */
import { Tabs, type TabsListProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './tab-list.module.css';

interface TabListProps extends TabsListProps {
  /** The chosen tab, which is scrolled into view. */
  readonly value?: string;
}

export function TabList({ value, ...props }: TabListProps) {
  const list = useChosenInSight(value);
  return <Tabs.List ref={list} className={classes['tabs'] ?? ''} {...props} />;
}

/** Keeps the chosen tab in the middle, between its neighbours. */
function useChosenInSight(chosen: string | undefined) {
  const line = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another tab.
  useEffect(() => {
    const current = line.current?.querySelector('[aria-selected=true], [aria-current=page]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [chosen]);
  return line;
}
