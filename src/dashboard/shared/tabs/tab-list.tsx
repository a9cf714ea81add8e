/** Tabs in one line, on every screen: what has no room scrolls, under a shadow that says so. */
import { Tabs, type TabsListProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './tab-list.module.css';

interface TabListProps extends TabsListProps {
  /** The chosen tab: it is in sight. */
  readonly value?: string;
}

export function TabList({ value, ...props }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another tab.
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected=true]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [value]);
  return <Tabs.List ref={list} className={classes['tabs'] ?? ''} {...props} />;
}
