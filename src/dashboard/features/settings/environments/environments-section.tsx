/** The environments of the account, and its variables. */
import { Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AccountVariables, Environment } from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { FormDialog } from '../../../shared/form/form-dialog';
import { RowList } from '../../../shared/form/rows/row-list';
import {
  doubledNames,
  type HeaderRow,
  newHeaderRow,
  readRows,
  toRecord,
} from '../../../shared/form/rows/rows';
import { findStartedRollout } from '../../../shared/rollouts/find-started-rollout';
import { RolloutDialog } from '../../../shared/rollouts/rollout-dialog';
import { faultAt } from '../../../shared/text/faults';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { Heading } from '../../../shared/ui/heading';
import { notify } from '../../../shared/ui/notify';
import { SmallButton } from '../../../shared/ui/small-button';
import type { Edited, KeyedKind } from '../keyed/keyed';
import { KeyedForm } from '../keyed/keyed-form';
import { KeyedSection } from '../keyed/keyed-section';
import { UsedByChecks } from '../used-by';
import { buildBody, createDraft } from './environment-draft';
import classes from './values.module.css';

/** The API paths and texts of environments, for the shared section and form. */
const ENVIRONMENTS: KeyedKind = {
  path: '/v1/environments',
  touches: [
    '/v1/environments',
    '/v1/variables',
    '/v1/rollouts',
    '/v1/monitors',
    '/v1/scenarios',
    '/v1/checks',
  ],
  text: {
    about:
      'Sets of variable values, such as staging and production. Changing one updates every check that uses it.',
    add: 'Add environment',
    edit: 'Edit environment',
    noneTitle: 'No environments yet',
    none: 'Add one, use its variables as {{name}} in a check, then choose the environment in that check.',
    noneReadOnly: 'An editor of this account can add environments here.',
    saved: 'Environment saved.',
    deleted: 'Environment deleted.',
    loss: 'An environment that is still in use can’t be deleted.',
  },
};

const VARIABLES_TEXT = {
  title: 'Account variables',
  about: 'Every check can use these as {{name}}. An environment or a check can override a value.',
} as const;

export function EnvironmentsSection() {
  return (
    <>
      <KeyedSection<Environment> kind={ENVIRONMENTS} Form={EnvironmentForm}>
        {({ key, variables, secrets }) => (
          <>
            <Values variables={variables} secrets={secrets} />
            <UsedByChecks filter={{ environment: key }} />
          </>
        )}
      </KeyedSection>
      <AccountVariablesPanel />
    </>
  );
}

function AccountVariablesPanel() {
  const { data } = useRead<AccountVariables>('/v1/variables');
  const [isEdited, setIsEdited] = useState(false);
  const mayWrite = useCan('write');
  if (data === undefined) return null;
  return (
    <Stack component="section" mt="xl" gap="xs" aria-labelledby="account-variables">
      <Group justify="space-between">
        <Heading id="account-variables">{VARIABLES_TEXT.title}</Heading>
        {mayWrite && (
          <SmallButton onClick={() => setIsEdited(true)} aria-label="Edit variables">
            Edit
          </SmallButton>
        )}
      </Group>
      <Text c="dimmed">{VARIABLES_TEXT.about}</Text>
      <CardList label={VARIABLES_TEXT.title}>
        <CardItem>
          <Values variables={data.variables} />
        </CardItem>
      </CardList>
      {isEdited && <AccountVariablesForm stored={data} onClose={() => setIsEdited(false)} />}
    </Stack>
  );
}

interface AccountVariablesFormProps {
  readonly stored: AccountVariables;
  readonly onClose: () => void;
}

function AccountVariablesForm({ stored, onClose }: AccountVariablesFormProps) {
  const [rows, setRows] = useState(() => readRows(stored.variables));
  const { mutate, isPending, error } = useChange<AccountVariables>(ENVIRONMENTS.touches);
  const [rolloutId, setRolloutId] = useState<string | null>(null);
  const showRollout = async ({ updatedAt }: AccountVariables): Promise<void> => {
    const cause = { type: 'variables' } as const;
    const found = await findStartedRollout(cause, updatedAt ?? '').catch(() => null);
    if (found === null) onClose();
    else setRolloutId(found);
  };
  const save = (): void => {
    const onSuccess = (saved: AccountVariables): void => {
      notify('Variables saved.');
      void showRollout(saved);
    };
    const body = { variables: toRecord(rows) };
    const ifVersion = stored.version;
    mutate({ method: 'PUT', path: '/v1/variables', body, ifVersion }, { onSuccess });
  };
  if (rolloutId !== null) return <RolloutDialog id={rolloutId} onClose={onClose} />;
  return (
    <FormDialog
      title={VARIABLES_TEXT.title}
      isUnchecked
      draft={rows}
      problem={error}
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <ValueRows
        legend="Variables, used as {{name}}"
        noun="variable"
        example={['language', 'de']}
        rows={rows}
        onChange={setRows}
        fault={(name) => faultAt(error, `variables.${name}`)}
      />
    </FormDialog>
  );
}

function EnvironmentForm(edited: Edited<Environment>) {
  return (
    <KeyedForm
      kind={ENVIRONMENTS}
      {...edited}
      createDraft={createDraft}
      buildBody={buildBody}
      findRollout={({ key, updatedAt }) =>
        findStartedRollout({ type: 'environment', key }, updatedAt)
      }
    >
      {({ draft, set, fault }) => (
        <>
          <ValueRows
            legend="Variables, used as {{name}}"
            noun="variable"
            example={['baseUrl', 'https://staging.example.com']}
            rows={draft.variables}
            onChange={(variables) => set({ variables })}
            fault={(name) => fault(`variables.${name}`)}
          />
          <ValueRows
            legend="Secrets: the name in {{secret:name}}, and the stored secret to use"
            noun="secret"
            example={['token', 'staging-token']}
            rows={draft.secrets}
            onChange={(secrets) => set({ secrets })}
            fault={(name) => fault(`secrets.${name}`)}
          />
        </>
      )}
    </KeyedForm>
  );
}

interface ValuesProps {
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** Lists variables with their values, or with the names of secrets, one line each. */
function Values({ variables, secrets = {} }: ValuesProps) {
  const lines = [
    ...Object.entries(variables).map(([name, value]) => [`{{${name}}}`, value] as const),
    ...Object.entries(secrets).map(
      ([name, secret]) => [`{{secret:${name}}}`, `secret ${secret}`] as const,
    ),
  ];
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No variables yet. Example: <Code>baseUrl</Code> with the URL of your service.
      </Text>
    );
  return (
    <dl className={classes['values']}>
      {lines.map(([reference, value]) => (
        <div key={reference} className={classes['value']}>
          <dt>{reference}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ValueRowsProps {
  readonly legend: string;
  readonly noun: string;
  /** Examples of a name and a value. */
  readonly example: readonly [name: string, value: string];
  readonly rows: readonly HeaderRow[];
  readonly onChange: (rows: readonly HeaderRow[]) => void;
  readonly fault: (name: string) => string | null;
}

/** Names with values, one row each. */
function ValueRows({ legend, noun, example, rows, onChange, fault }: ValueRowsProps) {
  const doubled = doubledNames(rows);
  const [nameExample, valueExample] = example;
  return (
    <Stack gap="xs" component="fieldset" p={0} m={0} style={{ border: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={600}>
        {legend}
      </Text>
      <RowList
        rows={rows}
        onChange={onChange}
        newRow={() => newHeaderRow()}
        noun={noun}
        layout="pair"
      >
        {(row, number, change) => (
          <>
            <TextInput
              aria-label={`Name of ${noun} ${number}`}
              placeholder={nameExample}
              value={row.name}
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
              error={doubled.includes(row.name.trim()) ? 'This name is used twice' : null}
            />
            <TextInput
              aria-label={`Value of ${noun} ${number}`}
              placeholder={valueExample}
              autoComplete="off"
              value={row.value}
              onChange={({ currentTarget }) => change({ value: currentTarget.value })}
              error={fault(row.name.trim())}
            />
          </>
        )}
      </RowList>
    </Stack>
  );
}
