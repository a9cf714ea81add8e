/** Shows why a check failed: the kind of failure in words, and its message. */
import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { FAILURE_WORDS } from '../../../domain/states/failure-words';
import type { Result } from '../data/api-types';

export function FailureAlert({ failure }: { readonly failure: NonNullable<Result['failure']> }) {
  return (
    <Alert
      color="red"
      variant="outline"
      icon={<IconAlertCircle aria-hidden />}
      title={FAILURE_WORDS[failure.code]}
      style={{ overflowWrap: 'anywhere' }}
    >
      {failure.message}
    </Alert>
  );
}
