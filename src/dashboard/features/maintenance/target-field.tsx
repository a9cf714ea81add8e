/** Chooses the checks that a maintenance window covers: all, or by name, tag or group. */
import { MultiSelect, SegmentedControl, Stack, TagsInput, Text } from '@mantine/core';
import { isTargeted } from '../../../domain/definitions/is-targeted';
import { useNamedChecks } from '../../shared/alerts/use-named-checks';
import type { ApiProblem } from '../../shared/data/api';
import type { Overview } from '../../shared/data/api-types';
import { useChecks } from '../../shared/data/checks';
import { useRead } from '../../shared/data/queries';
import { faultAt } from '../../shared/text/faults';
import { TEXT } from './strings';
import { coveredWords, EVERYTHING, type TargetDraft } from './window-draft';

interface TargetFieldProps {
  readonly value: TargetDraft;
  readonly onChange: (target: TargetDraft) => void;
  readonly problem: ApiProblem | null;
}

export function TargetField({ value, onChange, problem }: TargetFieldProps) {
  return (
    <Stack gap="xs" component="fieldset" p={0} m={0} style={{ border: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={600} mb={4}>
        {TEXT.target}
      </Text>
      <SegmentedControl
        aria-label={TEXT.target}
        value={value.all ? 'all' : 'some'}
        onChange={(choice) => onChange({ ...value, all: choice === 'all' })}
        data={[
          { value: 'all', label: 'Everything' },
          { value: 'some', label: 'Selected' },
        ]}
      />
      {!value.all && <ChosenFields value={value} onChange={onChange} problem={problem} />}
      <Covered target={value} />
      {faultAt(problem, 'target') !== null && (
        <Text size="xs" c="var(--mantine-color-error)">
          {faultAt(problem, 'target')}
        </Text>
      )}
    </Stack>
  );
}

/** Shows how many checks the window covers, before it is saved. */
function Covered({ target }: { readonly target: TargetDraft }) {
  const { checks } = useChecks();
  if (checks === undefined) return null;
  const count = checks.filter((check) => isTargeted(target, check)).length;
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {coveredWords(count, checks.length)}
    </Text>
  );
}

function ChosenFields({ value, onChange, problem }: TargetFieldProps) {
  const { options, search, setSearch } = useNamedChecks(value.ids);
  const { data: overview } = useRead<Overview>('/v1/overview');
  const change = (patch: Partial<TargetDraft>): void =>
    onChange({ ...EVERYTHING, ...value, ...patch, all: false });
  return (
    <>
      <MultiSelect
        label="Monitors and scenarios"
        description="Type part of the name."
        data={[...options]}
        value={[...value.ids]}
        onChange={(ids) => change({ ids })}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        // Shows all options, because the service has already filtered them.
        filter={({ options: found }) => found}
        nothingFoundMessage="Nothing found"
        hidePickedOptions
        error={faultAt(problem, 'target.ids')}
      />
      <TagsInput
        label="Tags"
        value={[...value.tags]}
        onChange={(tags) => change({ tags })}
        acceptValueOnBlur
        error={faultAt(problem, 'target.tags')}
      />
      <TagsInput
        label="Groups"
        description="Includes nested groups."
        data={[...new Set(overview?.groups.map(({ groupKey }) => groupKey))]}
        value={[...value.groups]}
        onChange={(groups) => change({ groups })}
        acceptValueOnBlur
        error={faultAt(problem, 'target.groups')}
      />
    </>
  );
}
