/** The field for the number of regions that must fail before a monitor is down. */
import { Select } from '@mantine/core';
import type { FieldsProps } from '../../../shared/definition/definition-fields';
import { fieldAt } from '../../../shared/form/problems/problems';

interface QuorumDraft {
  readonly regions: readonly string[];
  readonly quorum: number | 'majority';
}

type QuorumProps = Pick<FieldsProps<QuorumDraft>, 'draft' | 'problems'> & {
  readonly set: (patch: Pick<QuorumDraft, 'quorum'>) => void;
};

export function QuorumField({ draft, set, problems }: QuorumProps) {
  const regions = Math.max(1, draft.regions.length);
  const quorums = ['majority', ...Array.from({ length: regions }, (_, at) => String(at + 1))];
  return (
    <Select
      label="Failing regions required (quorum)"
      description="Before the monitor is down."
      data={quorums}
      value={String(draft.quorum)}
      onChange={(next) =>
        next !== null && set({ quorum: next === 'majority' ? 'majority' : Number(next) })
      }
      allowDeselect={false}
      {...fieldAt(problems, 'quorum')}
    />
  );
}
