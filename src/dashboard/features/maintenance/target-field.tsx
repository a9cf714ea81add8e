/** Chooses the checks that a maintenance window covers: all, or by name, tag or group. */
import { Group, MultiSelect, Radio, Stack, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import { isTargeted } from '../../../domain/definitions/is-targeted';
import { useNamedChecks } from '../../shared/alerts/use-named-checks';
import type { ApiProblem } from '../../shared/data/api';
import type { Overview } from '../../shared/data/api-types';
import { useChecks } from '../../shared/data/checks';
import { useRead } from '../../shared/data/queries';
import { focusField } from '../../shared/form/problems/focus-field';
import { faultAt } from '../../shared/text/faults';
import { AnnouncedPages } from './announced-pages';
import { TEXT } from './strings';
import { coveredWords, isTargetChosen, NOTHING, type TargetDraft } from './window-draft';

/** Refuses a form without a target, and moves the focus to the choice. */
export function useTargetRefusal(target: TargetDraft | null) {
  const [isRefused, setIsRefused] = useState(false);
  return {
    isMissing: isRefused && !isTargetChosen(target),
    /** Returns true if the target is chosen. */
    refuseNothing: (wanted: TargetDraft | null): boolean => {
      const isChosen = isTargetChosen(wanted);
      setIsRefused(!isChosen);
      if (!isChosen) focusField('target');
      return isChosen;
    },
  };
}

interface TargetFieldProps {
  /** null until the person chooses. */
  readonly value: TargetDraft | null;
  readonly onChange: (target: TargetDraft) => void;
  readonly problem: ApiProblem | null;
  /** True if the form was refused because nothing is chosen. */
  readonly isMissing: boolean;
}

export function TargetField({ value, onChange, problem, isMissing }: TargetFieldProps) {
  const choice = value === null ? null : value.all ? 'all' : 'some';
  return (
    <Stack gap="xs">
      <Radio.Group
        label={TEXT.target}
        required
        value={choice}
        onChange={(chosen) => onChange({ ...NOTHING, ...value, all: chosen === 'all' })}
        error={isMissing ? TEXT.targetMissing : faultAt(problem, 'target')}
        data-path="target"
      >
        <Group mt={6} mb={4}>
          <Radio value="all" label={TEXT.everything} />
          <Radio value="some" label={TEXT.some} />
        </Group>
      </Radio.Group>
      {value !== null && (
        <>
          {!value.all && <ChosenFields value={value} onChange={onChange} problem={problem} />}
          <Covered target={value} />
        </>
      )}
    </Stack>
  );
}

/** Shows how many checks the window covers, and which status pages announce it, before it is saved. */
function Covered({ target }: { readonly target: TargetDraft }) {
  const { checks } = useChecks();
  if (checks === undefined) return null;
  const count = checks.filter((check) => isTargeted(target, check)).length;
  return (
    <div>
      <Text size="sm" c="dimmed" aria-live="polite">
        {coveredWords(count, checks.length)}
      </Text>
      <AnnouncedPages target={target} checks={checks} />
    </div>
  );
}

interface ChosenFieldsProps extends Pick<TargetFieldProps, 'onChange' | 'problem'> {
  readonly value: TargetDraft;
}

function ChosenFields({ value, onChange, problem }: ChosenFieldsProps) {
  const { options, search, setSearch } = useNamedChecks(value.ids);
  const { data: overview } = useRead<Overview>('/v1/overview');
  const change = (patch: Partial<TargetDraft>): void =>
    onChange({ ...value, ...patch, all: false });
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
