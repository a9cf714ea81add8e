/** Adds a repository whose CI runs get access without a stored API key. */
import { Autocomplete, TextInput } from '@mantine/core';
import { useState } from 'react';
import { GITHUB_ISSUER, GITLAB_ISSUER } from '../../../../domain/accounts/pipeline-claims';
import type { Pipeline } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { NameField } from '../../../shared/form/name-field';
import { faultAt } from '../../../shared/text/faults';
import { AccessField } from '../api-keys/access-field';
import { SCOPE_CHOICES } from '../api-keys/strings';
import { TEXT } from './strings';

/** Leaves out the admin scope, so that a run cannot create an API key that outlives the run. */
const CHOICES = SCOPE_CHOICES.filter(({ value }) => value !== 'admin');

interface PipelineFormProps {
  /** Called with the added pipeline; null when the form was cancelled. */
  readonly onClose: (added: Pipeline | null) => void;
}

export function PipelineForm({ onClose }: PipelineFormProps) {
  const [name, setName] = useState('');
  const [repository, setRepository] = useState('');
  const [branch, setBranch] = useState('');
  const [issuer, setIssuer] = useState<string>(GITHUB_ISSUER);
  const [scope, setScope] = useState('run');
  const { mutate, isPending, error } = useChange<Pipeline>(['/v1/pipelines']);
  const save = (): void => {
    const body = {
      name,
      repository,
      branch: branch.trim() === '' ? null : branch,
      issuer,
      scopes: [scope],
    };
    mutate({ method: 'POST', path: '/v1/pipelines', body }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={TEXT.add}
      problem={error}
      action={TEXT.add}
      isPending={isPending}
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
      <AccessField
        choices={CHOICES}
        value={scope}
        onChange={setScope}
        fault={faultAt(error, 'scopes')}
      />
    </FormDialog>
  );
}
