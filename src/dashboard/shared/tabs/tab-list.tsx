/** Tabs in one line, on every screen: what has no room scrolls, under a shadow that says so. */
import { Tabs, type TabsListProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './tab-list.module.css';

interface TabListProps extends TabsListProps {
  /** The chosen tab: it is in sight. */
  readonly value?: string;
}

export function TabList({ value, ...props }: TabListProps) {
  const list = useChosenInSight<HTMLDivElement>(value);
  return <Tabs.List ref={list} className={classes['tabs'] ?? ''} {...props} />;
}

/** Keeps the chosen tab or link of a line in its middle, so that its neighbours show that the line scrolls. */
export function useChosenInSight<Line extends HTMLElement>(chosen: string | undefined) {
  const line = useRef<Line>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another tab.
  useEffect(() => {
    const current = line.current?.querySelector('[aria-selected=true], [aria-current=page]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [chosen]);
  return line;
}
