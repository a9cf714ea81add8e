/** Adds a repository whose CI runs get access without a stored API key. */
import { Autocomplete, Checkbox, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { GITHUB_ISSUER, GITLAB_ISSUER } from '../../../../domain/accounts/pipeline-claims';
import type { Pipeline } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { NameField } from '../../../shared/form/name-field';
import { faultAt } from '../../../shared/text/faults';
import { SCOPE_WORDS } from '../api-keys/strings';
import { TEXT } from './strings';

/** Leaves out the admin scope, so that a run cannot create an API key that outlives the run. */
const SCOPES = Object.entries(SCOPE_WORDS).filter(([scope]) => scope !== 'admin');

interface PipelineFormProps {
  /** Called with the added pipeline; null when the form was cancelled. */
  readonly onClose: (added: Pipeline | null) => void;
}

export function PipelineForm({ onClose }: PipelineFormProps) {
  const [name, setName] = useState('');
  const [repository, setRepository] = useState('');
  const [branch, setBranch] = useState('');
  const [issuer, setIssuer] = useState<string>(GITHUB_ISSUER);
  const [scopes, setScopes] = useState(['run']);
  const { mutate, isPending, error } = useChange<Pipeline>(['/v1/pipelines']);
  const save = (): void => {
    const body = { name, repository, branch: branch.trim() === '' ? null : branch, issuer, scopes };
    mutate({ method: 'POST', path: '/v1/pipelines', body }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={TEXT.add}
      problem={error}
      action={TEXT.add}
      isPending={isPending}
      isDisabled={scopes.length === 0}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <NameField maxLength={100} value={name} onChange={setName} error={faultAt(error, 'name')} />
      <TextInput
        label="Repository"
        description="Owner and name, like acme/shop."
        required
        maxLength={300}
        value={repository}
        onChange={({ currentTarget }) => setRepository(currentTarget.value)}
        error={faultAt(error, 'repository')}
      />
      <TextInput
        label="Branch"
        description="Only runs on this branch are let in. Empty: all runs, also of tags and pull requests."
        maxLength={200}
        value={branch}
        onChange={({ currentTarget }) => setBranch(currentTarget.value)}
        error={faultAt(error, 'branch')}
      />
      <Autocomplete
        label="CI service"
        description="Who signs the tokens: GitHub, gitlab.com, or one that the operator trusts."
        required
        openOnFocus={false}
        maxLength={300}
        data={[GITHUB_ISSUER, GITLAB_ISSUER]}
        value={issuer}
        onChange={setIssuer}
        error={faultAt(error, 'issuer')}
      />
      <Checkbox.Group
        label="Scopes"
        description="What a run may do. Each scope includes the ones above."
        value={scopes}
        onChange={setScopes}
        error={faultAt(error, 'scopes')}
      >
        <Stack gap="xs" mt="xs">
          {SCOPES.map(([scope, words]) => (
            <Checkbox key={scope} value={scope} label={words} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
