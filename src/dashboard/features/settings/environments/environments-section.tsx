/** The environments of the account, and its variables. */
import { Group, List, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { AccountVariables, Environment } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { CardHead, CardList } from '../../../shared/ui/card-list';
import { Heading } from '../../../shared/ui/heading';
import { SmallButton } from '../../../shared/ui/small-button';
import { SettingsList } from '../settings-list';
import { AccountVariablesForm } from './account-variables-form';
import { EnvironmentForm, TOUCHED } from './environment-form';
import { TEXT, VARIABLES_TEXT } from './strings';

export function EnvironmentsSection() {
  const [edited, setEdited] = useState<Environment | 'new' | null>(null);
  return (
    <Stack gap="xl">
      <div>
        <SettingsList<Environment>
          path="/v1/environments"
          text={TEXT}
          mayAdd="write"
          onAdd={() => setEdited('new')}
        >
          {(all) => (
            <CardList>
              {all.map((environment) => (
                <EnvironmentCard
                  key={environment.id}
                  environment={environment}
                  onEdit={() => setEdited(environment)}
                />
              ))}
            </CardList>
          )}
        </SettingsList>
      </div>
      <AccountVariablesPanel />
      {edited !== null && (
        <EnvironmentForm
          environment={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </Stack>
  );
}

interface EnvironmentCardProps {
  readonly environment: Environment;
  readonly onEdit: () => void;
}

function EnvironmentCard({ environment, onEdit }: EnvironmentCardProps) {
  const { id, version, key, name, variables, secrets } = environment;
  const mayWrite = useCan('write');
  return (
    <Paper component="li" withBorder p="sm">
      <CardHead
        actions={
          mayWrite && (
            <Group gap="xs">
              <SmallButton onClick={onEdit} aria-label={`Edit ${name}`}>
                Edit
              </SmallButton>
              <DeleteButton
                path={`/v1/environments/${id}`}
                ifVersion={version}
                touches={TOUCHED}
                label={`Delete ${name}`}
                question={{
                  title: `Delete “${name}”?`,
                  text: 'An environment that a check uses cannot be deleted.',
                }}
                done="Environment deleted."
              />
            </Group>
          )
        }
      >
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}{' '}
          <Text span size="sm" c="dimmed" ff="monospace">
            {key}
          </Text>
        </Text>
      </CardHead>
      <Values values={variables} />
      <Values values={secrets} prefix="secret:" />
    </Paper>
  );
}

function AccountVariablesPanel() {
  const { data } = useRead<AccountVariables>('/v1/variables');
  const [isEdited, setIsEdited] = useState(false);
  const mayWrite = useCan('write');
  if (data === undefined) return null;
  return (
    <Stack component="section" gap="xs" aria-labelledby="account-variables">
      <Group justify="space-between">
        <Heading id="account-variables">{VARIABLES_TEXT.title}</Heading>
        {mayWrite && (
          <SmallButton onClick={() => setIsEdited(true)} aria-label="Edit variables">
            Edit
          </SmallButton>
        )}
      </Group>
      <Text c="dimmed">{VARIABLES_TEXT.about}</Text>
      {Object.keys(data.variables).length === 0 ? (
        <Text size="sm">{VARIABLES_TEXT.none}</Text>
      ) : (
        <Values values={data.variables} />
      )}
      {isEdited && <AccountVariablesForm stored={data} onClose={() => setIsEdited(false)} />}
    </Stack>
  );
}

interface ValuesProps {
  readonly values: Readonly<Record<string, string>>;
  readonly prefix?: string;
}

function Values({ values, prefix = '' }: ValuesProps) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <List size="sm" mt="xs">
      {entries.map(([name, value]) => (
        <List.Item key={name} style={{ overflowWrap: 'anywhere' }}>
          <Text span size="sm" ff="monospace">{`{{${prefix}${name}}}`}</Text> {value}
        </List.Item>
      ))}
    </List>
  );
}
