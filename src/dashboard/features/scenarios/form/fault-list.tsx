/** What is wrong with the draft and what is worth knowing, each with its place in words. */
import { Alert, List } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { Draft } from '../draft/draft';
import { type Problem, placeWords } from '../draft/validation';

interface FaultListProps {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly draft: Draft;
}

export function FaultList({ problems, warnings, draft }: FaultListProps) {
  return (
    <div role="status">
      {problems.length > 0 && (
        <Alert
          color="red"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={problems.length === 1 ? '1 problem' : `${problems.length} problems`}
        >
          <Lines problems={problems} draft={draft} />
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert
          mt="sm"
          variant="default"
          icon={<IconInfoCircle aria-hidden />}
          title="Worth knowing"
        >
          <Lines problems={warnings} draft={draft} />
        </Alert>
      )}
    </div>
  );
}

function Lines({ problems, draft }: Pick<FaultListProps, 'problems' | 'draft'>) {
  return (
    <List size="sm">
      {problems.map(({ path, message }) => (
        <List.Item key={`${path} ${message}`}>
          <b>{placeWords(path, draft)}</b> {message}
        </List.Item>
      ))}
    </List>
  );
}
