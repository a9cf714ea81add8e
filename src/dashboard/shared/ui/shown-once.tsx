/** Shows a value that cannot be shown again, until the user dismisses it. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface ShownOnceProps {
  readonly title: string;
  readonly about?: string;
  readonly children: ReactNode;
  readonly onDone: () => void;
}

export function ShownOnce({
  title,
  about = 'Copy it now. You won’t be able to see it again.',
  children,
  onDone,
}: ShownOnceProps) {
  return (
    <Alert
      role="status"
      variant="outline"
      title={title}
      icon={<IconKey aria-hidden />}
      mb="lg"
      styles={{ body: { minWidth: 0 } }}
    >
      <Stack gap="sm">
        <Text size="sm">{about}</Text>
        {children}
        <Button variant="default" onClick={onDone} style={{ alignSelf: 'flex-start' }}>
          Done
        </Button>
      </Stack>
    </Alert>
  );
}
