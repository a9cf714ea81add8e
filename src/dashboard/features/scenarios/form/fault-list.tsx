/** What is wrong with the draft, and what is worth knowing; each entry leads to its field. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { FaultLinks, titleOfFaults } from '../../../shared/form/fault-summary';
import type { Draft } from '../draft/draft';
import type { Problem } from '../draft/validation';

interface FaultListProps {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly draft: Draft;
}

export function FaultList({ problems, warnings, draft }: FaultListProps) {
  const stepNames = draft.steps.map(({ name }) => name);
  return (
    <div role="status">
      {problems.length > 0 && (
        <Alert
          color="red"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={titleOfFaults(problems, 'continue')}
        >
          <FaultLinks problems={problems} stepNames={stepNames} />
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert mt="sm" variant="default" icon={<IconInfoCircle aria-hidden />} title="Warnings">
          <FaultLinks problems={warnings} stepNames={stepNames} />
        </Alert>
      )}
    </div>
  );
}
