/** A part of a card whose fields are folded into one line. */
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './fold.module.css';

interface FoldedPartProps {
  readonly title: string;
  /** One line about the values, which stays in view while the fields are folded. */
  readonly summary: string;
  readonly isOpenAtFirst?: boolean;
  /** True if a field has a problem. The fields are then open. */
  readonly isBroken: boolean;
  readonly children: ReactNode;
}

export function FoldedPart(props: FoldedPartProps) {
  const { title, summary, isOpenAtFirst = false, isBroken, children } = props;
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details
      open={isOpen || isBroken}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <Text component="summary" size="sm" className={classes['summary'] ?? ''}>
        <span className={classes['title']}>{title}</span>{' '}
        <Text span size="xs" c="dimmed">
          {summary}
        </Text>
      </Text>
      <Stack gap="sm" mt="xs">
        {children}
      </Stack>
    </details>
  );
}
