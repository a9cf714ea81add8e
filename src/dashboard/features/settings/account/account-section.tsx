/** The account's name, which admins can change, its plan, and the limits of the plan. */
import {
  ActionIcon,
  Button,
  Code,
  CopyButton,
  Group,
  Paper,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { AccountDetail } from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useCan, useSession } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { faultAt } from '../../../shared/text/faults';
import { TEXT as COMMON } from '../../../shared/text/strings';
import { AbsoluteTime } from '../../../shared/text/time';
import { Facts } from '../../../shared/ui/facts';
import { notify } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { RequireFactor } from '../factors/require-factor';
import { ROLE_WORDS } from '../members/strings';
import { PlanTable } from './plan-table';

export function AccountSection() {
  const { data: account, error } = useRead<AccountDetail>('/v1/account');
  const isAdmin = useCan('admin');
  if (account === undefined)
    return <Unread of={{ data: account, error }} shape={<PageLoading isBelowHead />} />;
  return (
    <Stack gap="xl">
      {isAdmin ? (
        <Paper withBorder p="md">
          <NameForm name={account.name} />
        </Paper>
      ) : (
        <Text fw={600} size="lg" style={{ overflowWrap: 'anywhere' }}>
          {account.name}
        </Text>
      )}
      <AccountFacts account={account} />
      <RequireFactor account={account} />
      <PlanTable account={account} />
    </Stack>
  );
}

function AccountFacts({ account }: { readonly account: AccountDetail }) {
  const { id, plan, createdAt } = account;
  const { user } = useSession();
  return (
    <Facts
      label="Account"
      facts={{
        Plan: `${plan.charAt(0).toUpperCase()}${plan.slice(1)}`,
        ...(user !== null && { 'Your role': ROLE_WORDS[user.role] }),
        Created: <AbsoluteTime at={createdAt} />,
        'Account ID': <AccountId id={id} />,
      }}
    />
  );
}

function AccountId({ id }: { readonly id: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Code>{id}</Code>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={copy}
            aria-label={copied ? 'Account ID copied' : 'Copy account ID'}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
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
      <Group align="flex-end" gap="xs" maw="var(--kw-form)">
        <TextInput
          label="Account name"
          description="Shown in alert messages and invitations."
          required
          maxLength={200}
          flex="1 1 200px"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={faultAt(error, 'name')}
        />
        <Button type="submit" variant="default" disabled={name === before} loading={isPending}>
          {COMMON.save}
        </Button>
      </Group>
      {error !== null && <ProblemNote problem={error} />}
    </form>
  );
}
