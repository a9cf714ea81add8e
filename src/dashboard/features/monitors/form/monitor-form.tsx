/** The form of a monitor: fields or YAML of the same object, Test now, and saving. */
import { Button, Card, Grid, Group, SegmentedControl, Stack, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Monitor } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FaultSummary } from '../../../shared/form/fault-summary';
import { focusField } from '../../../shared/form/focus-field';
import type { Problems } from '../../../shared/form/problems';
import { useGoBack, useUnsaved } from '../../../shared/form/unsaved';
import { useFormKey } from '../../../shared/form/use-form-key';
import { TEXT } from '../../../shared/text/strings';
import { tell } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { problemsOfDraft } from './check-draft';
import { type MonitorDraft, toMonitorBody } from './monitor-draft';
import { MonitorFields } from './monitor-fields';
import { MonitorYaml } from './monitor-yaml';
import { TestPanel } from './test-panel';

interface MonitorFormProps {
  readonly initial: MonitorDraft;
  /** null: it is a new one. */
  readonly saved: Monitor | null;
}

type View = 'form' | 'yaml';

export function MonitorForm({ initial, saved }: MonitorFormProps) {
  const [draft, setDraft] = useState(initial);
  const [view, setView] = useState<View>('form');
  const [isTried, setIsTried] = useState(false);
  const [yamlProblems, setYamlProblems] = useState<Problems>([]);
  const navigate = useNavigate();
  const goBack = useGoBack(saved === null ? '/monitors' : `/monitors/${saved.id}`);
  useUnsaved(draft, yamlProblems.length > 0);
  const save = useChange<Monitor>(['/v1/monitors', '/v1/checks', '/v1/overview']);
  const found = problemsOfDraft(draft);
  const refused = save.error?.errors ?? [];
  const problems: Problems = isTried ? [...found, ...refused] : refused;
  const isBlocked = view === 'yaml' && yamlProblems.length > 0;

  const change = (next: MonitorDraft): void => {
    save.reset();
    setDraft(next);
  };
  const submit = (): void => {
    setIsTried(true);
    const [first] = found;
    if (first !== undefined) focusField(first.path);
    if (first !== undefined || isBlocked) return;
    const body = toMonitorBody(draft);
    const target =
      saved === null
        ? ({ method: 'POST', path: '/v1/monitors' } as const)
        : ({ method: 'PUT', path: `/v1/monitors/${saved.id}`, ifVersion: saved.version } as const);
    save.mutate(
      { ...target, body },
      {
        onSuccess: ({ id, name }) => {
          tell(saved === null ? 'Monitor created. First check is running.' : `${name} saved.`);
          void navigate({ to: `/monitors/${id}`, ignoreBlocker: true });
        },
      },
    );
  };
  useFormKey('mod+S', () => !save.isPending && submit());

  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7.5 }}>
        <form
          noValidate
          aria-label="Monitor"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Stack>
            <SegmentedControl
              aria-label="Definition view"
              value={view}
              onChange={(next) => !isBlocked && setView(next)}
              data={[
                { value: 'form', label: 'Form' },
                { value: 'yaml', label: 'YAML' },
              ]}
              style={{ alignSelf: 'flex-start' }}
            />
            {view === 'form' ? (
              <MonitorFields draft={draft} onChange={change} problems={problems} />
            ) : (
              <MonitorYaml draft={draft} onChange={change} onProblems={setYamlProblems} />
            )}
            {isTried && found.length > 0 && <FaultSummary problems={found} purpose="continue" />}
            {save.error !== null && <ProblemNote problem={save.error} />}
            <Group>
              <Button type="submit" loading={save.isPending} disabled={isBlocked}>
                {saved === null ? 'Create monitor' : TEXT.save}
              </Button>
              <Button variant="subtle" color="gray" onClick={goBack}>
                {TEXT.cancel}
              </Button>
            </Group>
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4.5 }}>
        <Card withBorder>
          <Title order={2} size="h4" mb="sm">
            Test now
          </Title>
          <TestPanel
            draft={draft}
            problems={found}
            onAssert={(assertion) =>
              change({ ...draft, assertions: [...draft.assertions, assertion] })
            }
          />
        </Card>
      </Grid.Col>
    </Grid>
  );
}
