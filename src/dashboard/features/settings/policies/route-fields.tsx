/** One route: the checks that it matches, and the policy for these checks. */
import { Group, Paper, Select, Stack, TagsInput, Text } from '@mantine/core';
import { ROUTED_TYPES } from '../../../../contracts/escalation';
import { usePolicies } from '../../../shared/alerts/use-policies';
import { RemoveButton } from '../../../shared/form/remove-button';
import type { RouteRow } from './route-draft';
import { TEXT, TYPE_WORDS } from './strings';

interface RouteFieldsProps {
  readonly row: RouteRow;
  readonly number: number;
  readonly onChange: (row: RouteRow) => void;
  readonly onRemove: () => void;
  /** The error of a field like `.policy`. Pass '' for the error of the whole route. */
  readonly fault: (field: string) => string | null;
}

export function RouteFields({ row, number, onChange, onRemove, fault }: RouteFieldsProps) {
  const policies = usePolicies();
  const set = (patch: Partial<RouteRow>): void => onChange({ ...row, ...patch });
  const { policy } = row;
  const isKnown = policy === null || policies.some(({ value }) => value === policy);
  const options = isKnown ? policies : [...policies, { value: policy, label: policy }];
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Route ${number}`} data-row-id={row.rowId}>
      <Stack gap="xs">
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <Select
            label="Checks"
            placeholder={TEXT.anyOf}
            data={ROUTED_TYPES.map((value) => ({ value, label: TYPE_WORDS[value] }))}
            value={row.type}
            onChange={(type) => set({ type })}
            clearable
            flex={1}
          />
          <RemoveButton row={`route ${number}`} onRemove={onRemove} />
        </Group>
        <TagsInput
          label="Tags"
          description="Matches any"
          placeholder={row.tags.length === 0 ? TEXT.anyOf : ''}
          value={[...row.tags]}
          onChange={(tags) => set({ tags })}
          error={fault('.match.tags')}
          acceptValueOnBlur
        />
        <TagsInput
          label="Groups"
          description="Includes subgroups"
          placeholder={row.groups.length === 0 ? TEXT.anyOf : ''}
          value={[...row.groups]}
          onChange={(groups) => set({ groups })}
          error={fault('.match.groups')}
          acceptValueOnBlur
        />
        <Select
          label="Policy"
          placeholder={TEXT.ownChannels}
          data={[...options]}
          value={policy}
          onChange={(chosen) => set({ policy: chosen })}
          error={fault('.policy')}
          clearable
          allowDeselect={false}
        />
        {fault('') !== null && fault('.policy') === null && (
          <Text size="xs" c="var(--mantine-color-error)">
            {fault('')}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
