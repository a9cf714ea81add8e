/** In place of what is not read: its shape while it is on its way, or why it is not there, with a way to try again. */
import { Box, Button } from '@mantine/core';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApiProblem } from '../data/api';
import { isUnreached } from '../data/queries';
import { TEXT } from '../text/strings';
import { Loading } from '../ui/loading';
import { ProblemNote } from '../ui/problem-note';

const FORBIDDEN = 403;

interface UnreadProps {
  readonly of: { readonly data: unknown; readonly error: ApiProblem | null };
  /** What stands there until it is read. */
  readonly shape?: ReactNode;
}

/** Nothing once it is read, unless reading it again was refused. */
export function Unread({ of: { data, error }, shape = <Loading /> }: UnreadProps) {
  // While the service is away, a banner says so for the whole page, and what is read again comes in here.
  if (error !== null && !isUnreached(error)) return <ReadProblem problem={error} />;
  return data === undefined ? shape : null;
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
