/** The form of a heartbeat. It has no test panel, because a heartbeat sends no requests. */
import { Box } from '@mantine/core';
import { DefinitionForm } from '../../../shared/definition/definition-form';
import { type Saved, useDefinition } from '../../../shared/definition/use-definition';
import { HEARTBEAT, type HeartbeatDraft } from './heartbeat-draft';
import { HeartbeatFields } from './heartbeat-fields';

interface HeartbeatFormProps {
  readonly initial: HeartbeatDraft;
  /** null for a new heartbeat. */
  readonly saved: Saved | null;
}

export function HeartbeatForm({ initial, saved }: HeartbeatFormProps) {
  const definition = useDefinition(HEARTBEAT, initial, saved);
  const { draft, change, problems } = definition;
  return (
    <Box maw={800}>
      <DefinitionForm definition={definition}>
        <HeartbeatFields
          draft={draft}
          set={(patch) => change({ ...draft, ...patch })}
          problems={problems}
        />
      </DefinitionForm>
    </Box>
  );
}
