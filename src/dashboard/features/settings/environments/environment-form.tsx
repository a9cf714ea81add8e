/** Creates or edits an environment. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Environment } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { NameField } from '../../../shared/form/name-field';
import { faultAt } from '../../../shared/text/faults';
import { notify } from '../../../shared/ui/notify';
import { buildBody, createDraft, type EnvironmentDraft, withName } from './environment-draft';
import { TEXT } from './strings';
import { ValueRows } from './value-rows';

/** Paths whose data changes with an environment or with variables of the account. */
export const TOUCHED = [
  '/v1/environments',
  '/v1/variables',
  '/v1/rollouts',
  '/v1/monitors',
  '/v1/scenarios',
  '/v1/checks',
];

interface EnvironmentFormProps {
  /** null for a new environment. */
  readonly environment: Environment | null;
  readonly onClose: () => void;
}

export function EnvironmentForm({ environment, onClose }: EnvironmentFormProps) {
  const [draft, setDraft] = useState(() => createDraft(environment));
  const { mutate, isPending, error } = useChange<Environment>(TOUCHED);
  const set = (patch: Partial<EnvironmentDraft>): void => setDraft({ ...draft, ...patch });
  const fault = (path: string): string | null => faultAt(error, path);
  const save = (): void => {
    const onSuccess = (): void => {
      notify('Environment saved.');
      onClose();
    };
    mutate(buildRequest(environment, draft), { onSuccess });
  };
  return (
    <FormDialog
      size="lg"
      title={environment === null ? TEXT.add : 'Edit environment'}
      isUnchecked
      draft={draft}
      problem={error}
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField
        value={draft.name}
        onChange={(name) => set(environment === null ? withName(draft, name) : { name })}
        error={fault('name')}
      />
      <TextInput
        label="Key"
        description="Identifier in configuration files. It never changes."
        required
        disabled={environment !== null}
        value={draft.key}
        onChange={({ currentTarget }) => set({ key: currentTarget.value })}
        error={fault('key')}
      />
      <ValueRows
        legend="Variables, used as {{name}}"
        noun="variable"
        example={['baseUrl', 'https://staging.example.com']}
        rows={draft.variables}
        onChange={(variables) => set({ variables })}
        fault={(name) => fault(`variables.${name}`)}
      />
      <ValueRows
        legend="Secrets: the name in {{secret:name}}, and the secret that it stands for"
        noun="secret"
        example={['token', 'staging-token']}
        rows={draft.secrets}
        onChange={(secrets) => set({ secrets })}
        fault={(name) => fault(`secrets.${name}`)}
      />
    </FormDialog>
  );
}

function buildRequest(environment: Environment | null, draft: EnvironmentDraft) {
  const body = buildBody(draft);
  if (environment === null) return { method: 'POST', path: '/v1/environments', body } as const;
  const { id, version } = environment;
  return { method: 'PUT', path: `/v1/environments/${id}`, body, ifVersion: version } as const;
}
