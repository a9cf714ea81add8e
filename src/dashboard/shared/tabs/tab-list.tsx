/** Tabs in one line, on every screen. If they do not fit, the line scrolls, and a shadow shows that it does. */
import { Tabs, type TabsListProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './tab-list.module.css';

interface TabListProps extends TabsListProps {
  /** The chosen tab, which is scrolled into view. */
  readonly value?: string;
}

export function TabList({ value, ...props }: TabListProps) {
  const list = useChosenInSight<HTMLDivElement>(value);
  return <Tabs.List ref={list} className={classes['tabs'] ?? ''} {...props} />;
}

/** Keeps the chosen tab or link of a line in its middle, so that its neighbours show that the line scrolls. */
export function useChosenInSight<Line extends HTMLElement>(chosen: string | undefined) {
  const line = useRef<Line>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run again when another tab is chosen.
  useEffect(() => {
    const current = line.current?.querySelector('[aria-selected=true], [aria-current=page]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [chosen]);
  return line;
}
