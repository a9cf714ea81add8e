/** The head of a page: its title, subject and actions. Also sets the tab's title. */
import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTabTitle } from '../text/tab-title';
import classes from './page-head.module.css';

interface PageHeadProps {
  readonly title: string;
  /** Shown next to the title, like a status. */
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
  /** The line below the title. */
  readonly about?: ReactNode;
}

export function PageHead({ title, aside, about, children }: PageHeadProps) {
  useTabTitle(title);
  return (
    <Box mb={{ base: 'xs', sm: 'lg' }}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group gap="sm" miw={0}>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {aside}
        </Group>
        <Group gap="xs" className={classes['actions'] ?? ''}>
          {children}
        </Group>
      </Group>
      {about !== undefined && <Box mt={8}>{about}</Box>}
    </Box>
  );
}
