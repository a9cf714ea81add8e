/** The form of a heartbeat. What is wrong is found by the shape of /v1 before anything is sent. */
import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { validate } from '../../../../schemas/issues';
import { monitorBody } from '../../../../schemas/monitor';
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
import { type HeartbeatDraft, heartbeatBodyOf } from './heartbeat-draft';
import { HeartbeatFields } from './heartbeat-fields';

interface HeartbeatFormProps {
  readonly initial: HeartbeatDraft;
  /** null: it is a new one. */
  readonly saved: Monitor | null;
}

export function HeartbeatForm({ initial, saved }: HeartbeatFormProps) {
  const [draft, setDraft] = useState(initial);
  const [isTried, setIsTried] = useState(false);
  const navigate = useNavigate();
  const goBack = useGoBack(saved === null ? '/monitors' : `/monitors/${saved.id}`);
  useUnsaved(draft, false);
  const save = useChange<Monitor>(['/v1/monitors', '/v1/checks', '/v1/overview']);
  const body = heartbeatBodyOf(draft);
  const checked = validate(monitorBody, body);
  const found: Problems = checked.ok ? [] : checked.problems;
  const refused = save.error?.errors ?? [];
  const submit = (): void => {
    setIsTried(true);
    const [first] = found;
    if (first !== undefined) {
      focusField(first.path);
      return;
    }
    const target =
      saved === null
        ? ({ method: 'POST', path: '/v1/monitors' } as const)
        : ({ method: 'PUT', path: `/v1/monitors/${saved.id}`, ifVersion: saved.version } as const);
    save.mutate(
      { ...target, body },
      {
        onSuccess: ({ id, name }) => {
          tell(saved === null ? 'Heartbeat created. Send it a first ping.' : `${name} saved.`);
          void navigate({ to: `/monitors/${id}`, ignoreBlocker: true });
        },
      },
    );
  };
  useFormKey('mod+S', () => !save.isPending && submit());
  return (
    <form
      noValidate
      aria-label="Heartbeat"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack maw={800}>
        <HeartbeatFields
          draft={draft}
          onChange={(next) => {
            save.reset();
            setDraft(next);
          }}
          problems={isTried ? [...found, ...refused] : refused}
        />
        {isTried && found.length > 0 && <FaultSummary problems={found} purpose="continue" />}
        {save.error !== null && <ProblemNote problem={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {saved === null ? 'Create heartbeat' : TEXT.save}
          </Button>
          <Button variant="subtle" color="gray" onClick={goBack}>
            {TEXT.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
