/** The account and its plan, the state of the service, and further links. */
import { Anchor, Button, Code, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AccountDetail } from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { faultAt } from '../../../shared/text/faults';
import { TEXT as COMMON } from '../../../shared/text/strings';
import { Heading } from '../../../shared/ui/heading';
import { notify } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { PlanTable } from './plan-table';
import { Readiness } from './readiness';
import { ServiceFacts } from './service-facts';
import { Watchdog } from './watchdog';

export function AboutSection() {
  const { data: account, error } = useRead<AccountDetail>('/v1/account?include=service');
  const isAdmin = useCan('admin');
  if (account === undefined)
    return <Unread of={{ data: account, error }} shape={<PageLoading isBelowHead />} />;
  return (
    <Stack gap="xl">
      {isAdmin ? (
        <NameForm name={account.name} />
      ) : (
        <Text>
          Account <b>{account.name}</b>
        </Text>
      )}
      <PlanTable account={account} />
      <Readiness />
      {account.service != null && (
        <>
          <ServiceFacts facts={account.service} />
          <Watchdog facts={account.service.watchdog} />
        </>
      )}
      <section>
        <Heading mb="xs">More</Heading>
        <List size="sm">
          <List.Item>
            <Anchor inherit underline="always" href="/docs">
              API reference
            </Anchor>
            : every endpoint, with a form to try it
          </List.Item>
          {isAdmin && (
            <List.Item>
              <Anchor inherit underline="always" href="/temporal">
                Temporal UI
              </Anchor>
              : the workflow behind each monitor
            </List.Item>
          )}
          <List.Item>
            <Code>/metrics</Code>: for Prometheus, on this machine or with the metrics token
          </List.Item>
        </List>
      </section>
    </Stack>
  );
}

function NameForm({ name: before }: { readonly name: string }) {
  const [name, setName] = useState(before);
  const { mutate, isPending, error } = useChange(['/v1/account', '/v1/session']);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    mutate(
      { method: 'PATCH', path: '/v1/account', body: { name } },
      { onSuccess: () => notify('Account renamed.') },
    );
  };
  return (
    <form onSubmit={save}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Account name"
          required
          maxLength={200}
          w={{ base: '100%', xs: 340 }}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={faultAt(error, 'name')}
        />
        <Button type="submit" variant="default" loading={isPending} disabled={name === before}>
          {COMMON.save}
        </Button>
      </Group>
      {error !== null && <ProblemNote problem={error} />}
    </form>
  );
}
