/** Shows its children to people who may write now. Shows everyone else why there is nothing to fill in. */
import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCan, useSession } from '../data/session';
import { PageHead } from './page-head';

interface WritersOnlyProps {
  /** The text that names the people who may write. */
  readonly text: string;
  /** The list that people without write access may read. */
  readonly list: { readonly to: string; readonly label: string };
  readonly children: ReactNode;
}

export function WritersOnly({ text, list, children }: WritersOnlyProps) {
  const { suspended } = useSession().account;
  if (useCan('write')) return children;
  return (
    <>
      <PageHead title="Read-only access" />
      <Stack align="start">
        <Text>
          {suspended === null ? text : 'Nothing can be changed while the account is suspended.'}
        </Text>
        <Button component={Link} to={list.to} variant="default">
          {list.label}
        </Button>
      </Stack>
    </>
  );
}
