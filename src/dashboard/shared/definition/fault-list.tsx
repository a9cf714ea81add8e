/** The problems of the draft and the warnings; each entry leads to its field. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { FaultLinks, formatTitle } from '../form/fault-summary';
import type { Problems } from '../form/problems';

interface FaultListProps {
  readonly problems: Problems;
  readonly warnings?: Problems;
  /** The names of a scenario's steps, in their order. */
  readonly stepNames?: readonly string[];
}

export function FaultList({ problems, warnings = [], stepNames = [] }: FaultListProps) {
  return (
    <div role="status">
      {problems.length > 0 && (
        <Alert
          color="red"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={formatTitle(problems, 'continue')}
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
