/** Lists the faults of a form, each as a link to its field. */
import { Alert, Anchor, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { focusField } from './focus-field';
import { afterLabel, formatLabel } from './labels';
import type { Problems } from './problems';

interface FaultSummaryProps {
  readonly problems: Problems;
  /** The action that the faults prevent, like "continue" or "test". */
  readonly purpose: string;
  readonly stepNames?: readonly string[];
}

export function FaultSummary({ problems, purpose, stepNames = [] }: FaultSummaryProps) {
  return (
    <Alert
      role="alert"
      color="red"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={formatTitle(problems, purpose)}
    >
      <FaultLinks problems={problems} stepNames={stepNames} />
    </Alert>
  );
}

export function formatTitle(problems: Problems, purpose: string): string {
  const fields = new Set(problems.map(({ path }) => path)).size;
  return `Fix ${fields === 1 ? '1 field' : `${fields} fields`} to ${purpose}`;
}

export function FaultLinks({ problems, stepNames = [] }: Omit<FaultSummaryProps, 'purpose'>) {
  return (
    <List size="sm">
      {problems.map(({ path, message }) => (
        <List.Item key={`${path} ${message}`}>
          <Anchor
            component="button"
            type="button"
            size="sm"
            fw={600}
            ta="left"
            underline="always"
            onClick={() => focusField(path)}
          >
            {formatLabel(path, { stepNames })}
          </Anchor>
          {afterLabel(message)}
        </List.Item>
      ))}
    </List>
  );
}
