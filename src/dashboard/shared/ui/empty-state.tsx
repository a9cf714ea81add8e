/** The text of an empty list: why it is empty, and the next step. */
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Heading } from './heading';

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <Stack align="center" py={48} gap="sm" ta="center">
      {icon}
      <Heading>{title}</Heading>
      <Text c="dimmed" maw={460} style={{ textWrap: 'balance' }}>
        {text}
      </Text>
      {action}
    </Stack>
  );
}
