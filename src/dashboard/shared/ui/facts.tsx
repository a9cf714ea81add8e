/** Names with their values, one line each, in a card. */
import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface FactsProps {
  readonly label: string;
  readonly facts: Readonly<Record<string, ReactNode>>;
}

export function Facts({ label, facts }: FactsProps) {
  return (
    <Paper component="dl" withBorder className={classes['facts'] ?? ''} aria-label={label}>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} className={classes['fact']}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </Paper>
  );
}
