/** What a list shows when there is nothing yet: why, and the one thing to do about it. */
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <Stack align="center" py={48} gap="sm" ta="center">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw={460} style={{ textWrap: 'balance' }}>
        {text}
      </Text>
      {action}
    </Stack>
  );
}
