/** The form of a heartbeat: nothing is sent to it, so that there is nothing to test. */
import { Box } from '@mantine/core';
import { DefinitionForm } from '../../../shared/definition/definition-form';
import { type Saved, useDefinition } from '../../../shared/definition/use-definition';
import { HEARTBEAT, type HeartbeatDraft } from './heartbeat-draft';
import { HeartbeatFields } from './heartbeat-fields';

interface HeartbeatFormProps {
  readonly initial: HeartbeatDraft;
  /** null: it is a new one. */
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
