/** A list in one card, with a line between its items. */
import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './card-list.module.css';

interface CardListProps {
  readonly label?: string;
  readonly children: ReactNode;
}

export function CardList({ label, children }: CardListProps) {
  return (
    <Paper component="ul" withBorder className={classes['list'] ?? ''} aria-label={label}>
      {children}
    </Paper>
  );
}

interface CardItemProps {
  /** The name. Absent for an item that renders its own head. */
  readonly name?: ReactNode;
  /** Shown after the name, for example the key of the item in files. */
  readonly code?: string;
  /** Badges after the name. */
  readonly marks?: ReactNode;
  /** The text in the line below the name. */
  readonly about?: ReactNode;
  /** A short value in a separate column. */
  readonly aside?: ReactNode;
  /** Buttons next to the name. On a phone, the buttons are below the name. */
  readonly actions?: ReactNode;
  /** Content below the name, across the whole width. */
  readonly children?: ReactNode;
}

export function CardItem(props: CardItemProps) {
  const { name, code, marks, about, aside, actions, children } = props;
  const hasAside = aside !== undefined;
  return (
    <li className={classes['item']} data-aside={hasAside || undefined}>
      {name !== undefined && (
        <div className={classes['subject']}>
          <div className={classes['title']}>
            <Text component="div" fw={600} className={classes['name'] ?? ''}>
              {name}
              {code !== undefined && <code className={classes['code']}>{code}</code>}
            </Text>
            {marks}
          </div>
          {about !== undefined && (
            <Text component="div" size="sm" c="dimmed" className={classes['name'] ?? ''}>
              {about}
            </Text>
          )}
        </div>
      )}
      {Boolean(children) && <div className={classes['more']}>{children}</div>}
      {hasAside && <div className={classes['aside']}>{aside}</div>}
      {Boolean(actions) && <div className={classes['actions']}>{actions}</div>}
    </li>
  );
}
