/** The alert policy of a check. Renders nothing if the account has no policies. */
import { Select } from '@mantine/core';
import { fieldAt, type Problems } from '../form/problems';
import { usePolicies } from './use-policies';

interface PolicyFieldProps {
  /** The key of the policy; null for none. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly problems: Problems;
}

export function PolicyField({ value, onChange, problems }: PolicyFieldProps) {
  const policies = usePolicies();
  const isKnown = value === null || policies.some((policy) => policy.value === value);
  if (policies.length === 0 && value === null) return null;
  return (
    <Select
      label="Alert policy"
      description="Failures go through this policy; the recipients above get everything else. Left empty, the first matching route applies."
      placeholder="None"
      data={isKnown ? [...policies] : [...policies, { value, label: value }]}
      value={value}
      onChange={onChange}
      clearable
      {...fieldAt(problems, 'alerts.policy')}
    />
  );
}
