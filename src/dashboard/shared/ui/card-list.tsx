/** A list whose items are cards, without the marks and margins of a list. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

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
