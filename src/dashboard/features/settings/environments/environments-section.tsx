/** The environments of the account, and its variables. */
import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AccountVariables, Environment } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { Heading } from '../../../shared/ui/heading';
import { SmallButton } from '../../../shared/ui/small-button';
import { KeyedSection } from '../keyed/keyed-section';
import { UsedByChecks } from '../used-by';
import { AccountVariablesForm } from './account-variables-form';
import { EnvironmentForm } from './environment-form';
import { ENVIRONMENTS, VARIABLES_TEXT } from './strings';
import { Values } from './values';

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
