/** A refusal in words, with every fault and its path. */
import { Alert, Code, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ApiProblem } from '../data/api';
import { afterLabel, formatLabel } from '../form/problems/labels';
import { TEXT } from '../text/strings';

const OWN_FAULT = 500;

function chooseTitle({ status, errors }: ApiProblem): string {
  if (status === 0) return TEXT.notReached;
  return errors.length === 0 ? TEXT.refused : 'Check your input';
}

interface ProblemNoteProps {
  readonly problem: ApiProblem;
  readonly title?: string;
  /** Actions that may solve the problem. */
  readonly children?: ReactNode;
}

export function ProblemNote({ problem, title = chooseTitle(problem), children }: ProblemNoteProps) {
  const { status, errors, message, requestId } = problem;
  return (
    <Alert
      role="alert"
      color="red"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
    >
      {errors.length === 0 ? (
        message
      ) : (
        <List size="sm">
          {errors.map((fault) => (
            <List.Item key={`${fault.path} ${fault.message}`}>
              <b>{formatLabel(fault.path)}</b>
              {afterLabel(fault.message)}
            </List.Item>
          ))}
        </List>
      )}
      {status >= OWN_FAULT && requestId !== null && (
        <Text size="sm" mt={4}>
          Request ID: <Code>{requestId}</Code>
        </Text>
      )}
      {children}
    </Alert>
  );
}
