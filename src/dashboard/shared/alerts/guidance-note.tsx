/** The note of a check and the way to its runbook, where somebody has to do something about it. */
import { Anchor, Spoiler, Text } from '@mantine/core';
import type { Monitor } from '../data/api-types';

/** About three lines. */
const HEIGHT_MAX = 66;

/** Nothing without a note. */
export function GuidanceNote({ note }: Pick<Monitor, 'note'>) {
  if (note === null) return null;
  return (
    <Spoiler maxHeight={HEIGHT_MAX} showLabel="Show the whole note" hideLabel="Show less" fz="sm">
      <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        <Text span inherit fw={600}>
          Note:{' '}
        </Text>
        {note}
      </Text>
    </Spoiler>
  );
}

/** Nothing without a runbook. It opens beside Keepwatch, and learns nothing of where it was opened. */
export function RunbookLink({ runbookUrl }: Pick<Monitor, 'runbookUrl'>) {
  if (runbookUrl === null) return null;
  return (
    <Anchor href={runbookUrl} target="_blank" rel="noopener noreferrer" inherit>
      Runbook
    </Anchor>
  );
}
