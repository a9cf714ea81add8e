/**
 * The repositories whose CI runs get access without a stored API key. After a pipeline is added, a dialog shows how to
 * set it up.
 */
import { Autocomplete, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { GITHUB_ISSUER, GITLAB_ISSUER } from '../../../../domain/accounts/pipeline-claims';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { Pipeline } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { Dialog } from '../../../shared/dialog/dialog';
import { NameField } from '../../../shared/form/fields/name-field';
import { FormDialog } from '../../../shared/form/form-dialog';
import { faultAt } from '../../../shared/text/faults';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem } from '../../../shared/ui/card-list';
import { CopyField } from '../../../shared/ui/copy-field';
import { SmallButton } from '../../../shared/ui/small-button';
import { AccessField } from '../api-keys/access-field';
import { accessWords, SCOPE_CHOICES } from '../api-keys/strings';
import { ObjectSection } from '../object-section';
import { buildSnippet } from './pipeline-snippet';

const SIGNERS: Readonly<Record<string, string>> = {
  [GITHUB_ISSUER]: 'GitHub',
  [GITLAB_ISSUER]: 'GitLab',
};

const TEXT = {
  about:
    'CI runs of a repository can use Keepwatch without a stored API key: each run exchanges its ID token for a key that is valid for 15 minutes.',
  add: 'Add pipeline',
  noneTitle: 'No pipelines yet',
  none: 'Add one to use Keepwatch in GitHub Actions or GitLab CI without a secret.',
  setUp: 'Set up',
  everyBranch: 'every branch',
} as const;

export function PipelinesSection() {
  const [shown, setShown] = useState<Pipeline | null>(null);
  return (
    <>
      <ObjectSection<Pipeline>
        path="/v1/pipelines"
        text={TEXT}
        mayAdd="admin"
        label="Pipelines"
        card={(pipeline) => (
          <PipelineCard key={pipeline.id} pipeline={pipeline} onShow={() => setShown(pipeline)} />
        )}
        form={(_pipeline, close) => (
          <PipelineForm
            onClose={(added) => {
              close();
              setShown(added);
            }}
          />
        )}
      />
      {shown !== null && <PipelineSetup pipeline={shown} onClose={() => setShown(null)} />}
    </>
  );
}

interface PipelineProps {
  readonly pipeline: Pipeline;
  readonly onShow: () => void;
}

function PipelineCard({ pipeline, onShow }: PipelineProps) {
  return (
    <CardItem
      name={pipeline.name}
      about={describePipeline(pipeline)}
      actions={<Actions pipeline={pipeline} onShow={onShow} />}
    >
      <Text size="sm" c="dimmed">
        {accessWords(pipeline.scopes)} · created <RelativeTime at={pipeline.createdAt} />
      </Text>
    </CardItem>
  );
}

/** Describes a pipeline, like `acme/shop, main · signed by GitHub`. */
function describePipeline({ repository, branch, issuer }: Pipeline): string {
  return `${repository}, ${branch ?? TEXT.everyBranch} · signed by ${SIGNERS[issuer] ?? issuer}`;
}

function Actions({ pipeline, onShow }: PipelineProps) {
  const { id, name, repository } = pipeline;
  return (
    <>
      <SmallButton onClick={onShow} aria-label={`${TEXT.setUp} ${name}`}>
        {TEXT.setUp}
      </SmallButton>
      <DeleteButton
        path={`/v1/pipelines/${id}`}
        touches={['/v1/pipelines', '/v1/api-keys']}
        label={`Delete ${name}`}
        question={{
          title: `Delete “${name}”?`,
          text: `Runs of ${repository} get no more keys, and the keys of runs in progress end. A new pipeline has another ID. This can’t be undone.`,
        }}
        done="Pipeline deleted."
      />
    </>
  );
}

interface PipelineSetupProps {
  readonly pipeline: Pipeline;
  readonly onClose: () => void;
}

/** Shows the id of a pipeline and the lines for its CI configuration, to be copied. */
function PipelineSetup({ pipeline, onClose }: PipelineSetupProps) {
  const { id, name, repository } = pipeline;
  const { file, text } = buildSnippet(pipeline, window.location.origin);
  return (
    <Dialog title={`Set up “${name}”`} size="lg" onClose={onClose}>
      <Stack>
        <Text size="sm">
          Add these lines to the CI configuration of {repository}. No secret is needed: each run
          exchanges its ID token for a key that is valid for 15 minutes.
        </Text>
        <CopyField label="Pipeline ID" value={id} />
        <CopyField label={file} value={text} />
        <Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
          Done
        </Button>
      </Stack>
    </Dialog>
  );
}

/**
 * The choices of access. The admin scope is left out, because with it a run could create an API key that outlives the
 * run.
 */
const CHOICES = SCOPE_CHOICES.filter(({ value }) => value !== 'admin');

interface PipelineFormProps {
  /** Called with the added pipeline; null when the form was cancelled. */
  readonly onClose: (added: Pipeline | null) => void;
}

/** The form that adds a repository, whose CI runs then get access without a stored API key. */
function PipelineForm({ onClose }: PipelineFormProps) {
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
