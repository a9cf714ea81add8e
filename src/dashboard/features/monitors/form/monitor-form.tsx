/** The form of a monitor, with a test panel next to it. */
import { Grid } from '@mantine/core';
import { Section } from '../../../shared/definition/definition-fields';
import { DefinitionForm } from '../../../shared/definition/definition-form';
import { type Saved, useDefinition } from '../../../shared/definition/use-definition';
import { MONITOR, type MonitorDraft } from './monitor-draft';
import { MonitorFields } from './monitor-fields';
import { TestPanel } from './test-panel';

interface MonitorFormProps {
  readonly initial: MonitorDraft;
  /** null for a new monitor. */
  readonly saved: Saved | null;
}

export function MonitorForm({ initial, saved }: MonitorFormProps) {
  const definition = useDefinition(MONITOR, initial, saved);
  const { draft, change, problems, found, tested } = definition;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7.5 }}>
        <DefinitionForm definition={definition}>
          <MonitorFields
            draft={draft}
            set={(patch) => change({ ...draft, ...patch })}
            problems={problems}
          />
        </DefinitionForm>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4.5 }}>
        <Section title="Test now">
          <TestPanel
            kind={MONITOR}
            draft={draft}
            problems={found}
            onTested={tested}
            onAssert={(assertion) =>
              change({ ...draft, assertions: [...draft.assertions, assertion] })
            }
          />
        </Section>
      </Grid.Col>
    </Grid>
  );
}
