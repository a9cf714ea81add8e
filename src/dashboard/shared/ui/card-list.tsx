/** A list of cards, without bullets and margins, and the head of such a card. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './card-list.module.css';

interface CardListProps {
  readonly label?: string;
  readonly children: ReactNode;
}

export function CardList({ label, children }: CardListProps) {
  return (
    <Stack
      component="ul"
      gap="xs"
      p={0}
      m={0}
      style={{ listStyle: 'none' }}
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {children}
    </Stack>
  );
}

interface CardHeadProps {
  /** Absent or false if there are no actions. */
  readonly actions?: ReactNode;
  /** Gives the subject a line of its own on a phone, with the actions below it. */
  readonly isStacked?: boolean;
  readonly children: ReactNode;
}

/** A long name wraps next to the actions; the actions move below it only if both do not fit side by side. */
export function CardHead({ actions, isStacked = false, children }: CardHeadProps) {
  return (
    <div className={classes['head']} data-stacked={isStacked || undefined}>
      <div className={classes['subject']}>{children}</div>
      {actions}
    </div>
  );
}
