/** The note of a check and the link to its runbook, shown to people who have to act on a failure. */
import { Anchor, Spoiler, Text } from '@mantine/core';
import type { Monitor } from '../data/api-types';

/** The height of about three lines. A longer note is collapsed. */
const HEIGHT_MAX = 66;

interface GuidanceNoteProps extends Pick<Monitor, 'note'> {
  readonly label?: string;
}

/** Shows the note of a check as it is now. Renders nothing if there is none. */
export function GuidanceNote({ note, label = 'Note' }: GuidanceNoteProps) {
  if (note === null) return null;
  return (
    <Spoiler maxHeight={HEIGHT_MAX} showLabel="Show the whole note" hideLabel="Show less" fz="sm">
      <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        <Text span inherit fw={600}>
          {label}:{' '}
        </Text>
        {note}
      </Text>
    </Spoiler>
  );
}

/** A link to the runbook of a check. Renders nothing if there is none. Sends no referrer to the runbook's site. */
export function RunbookLink({ runbookUrl }: Pick<Monitor, 'runbookUrl'>) {
  if (runbookUrl === null) return null;
  return (
    <Anchor href={runbookUrl} target="_blank" rel="noopener noreferrer" inherit>
      Runbook
    </Anchor>
  );
}
