/**
 * Shown instead of data that has not been read. Shows the shape of the data while it loads, or why reading failed and a
 * button to retry.
 */
import { Box, Button, Group, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApiProblem } from '../data/api';
import { isUnreached } from '../data/queries';
import { TEXT } from '../text/strings';
import { Loading } from '../ui/loading';
import { ProblemNote } from '../ui/problem-note';
import classes from './unread.module.css';

const FORBIDDEN = 403;

interface UnreadProps {
  readonly of: { readonly data: unknown; readonly error: ApiProblem | null };
  /** The placeholder that is shown until the data is read. */
  readonly shape?: ReactNode;
}

/** The placeholder or the error. Renders nothing once the data is read. If a later read is refused, shows the error. */
export function Unread({ of: { data, error }, shape = <Loading /> }: UnreadProps) {
  // If the service cannot be reached, the error is not shown here. One banner shows the error for the whole page.
  if (error !== null && !isUnreached(error)) return <ReadProblem problem={error} />;
  return data === undefined ? <Waiting shape={shape} /> : null;
}

/**
 * How long loading takes before the page shows a notice that it is slow. On a healthy service, no request takes that
 * long.
 */
const SLOW_MS = 5_000;

function Waiting({ shape }: { readonly shape: ReactNode }) {
  const client = useQueryClient();
  const [isSlow, setIsSlow] = useState(false);
  useTimeout(() => setIsSlow(true), SLOW_MS, { autoInvoke: true });
  const readAgain = (): void => {
    const isAwaited = ({ state }: Query): boolean => state.data === undefined;
    void client.refetchQueries({ type: 'active', predicate: isAwaited });
  };
  if (!isSlow) return shape;
  // The notice is drawn over the placeholder, so that nothing on the page moves.
  return (
    <Box pos="relative">
      {shape}
      <Group role="status" gap="sm" className={classes['slow'] ?? ''}>
        <Text size="sm">{TEXT.slow}</Text>
        <Button size="compact-sm" variant="default" onClick={readAgain}>
          {TEXT.retry}
        </Button>
      </Group>
    </Box>
  );
}

export function ReadProblem({ problem }: { readonly problem: ApiProblem }) {
  const client = useQueryClient();
  const [isTrying, setIsTrying] = useState(false);
  const readAgain = async (): Promise<void> => {
    const isRefused = ({ state }: Query): boolean => state.status === 'error';
    setIsTrying(true);
    await client.refetchQueries({ type: 'active', predicate: isRefused });
    setIsTrying(false);
  };
  return (
    <Box mb="md">
      <ProblemNote problem={problem} title="Could not load this">
        {problem.status !== FORBIDDEN && (
          <Button
            size="compact-sm"
            variant="default"
            mt="xs"
            loading={isTrying}
            onClick={() => void readAgain()}
          >
            {TEXT.retry}
          </Button>
        )}
      </ProblemNote>
    </Box>
  );
}
