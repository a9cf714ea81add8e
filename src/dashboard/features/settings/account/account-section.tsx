/** Shows the account's name, its plan, and the limits of the plan. Admins can change the name. */
import {
  ActionIcon,
  Button,
  Code,
  CopyButton,
  Group,
  Paper,
  Progress,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { API_KEYS_MAX } from '../../../../domain/accounts/plan';
import type { AccountDetail } from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useCan, useSession } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { faultAt } from '../../../shared/text/faults';
import { TEXT as COMMON } from '../../../shared/text/strings';
import { AbsoluteTime } from '../../../shared/text/time';
import { Facts } from '../../../shared/ui/facts';
import { Heading } from '../../../shared/ui/heading';
import { notify } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { RequireFactor } from '../factors/require-factor';
import { ROLE_WORDS } from '../members/strings';

export function AccountSection() {
  const { data: account, error } = useRead<AccountDetail>('/v1/account');
  const isAdmin = useCan('admin');
  if (account === undefined)
    return <Unread of={{ data: account, error }} shape={<PageLoading isBelowHead />} />;
  return (
    <Stack gap="xl">
      <Stack gap="md">
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
      </Stack>
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

const SHOWN_MIN_PERCENT = 1;
const COUNT = new Intl.NumberFormat('en');

/** The limits of the plan, and how much of each is used. */
function PlanTable({ account }: { readonly account: AccountDetail }) {
  const { bounds, usage, rateLimits } = account;
  const rows = [
    ['Monitors', usage.monitors, bounds.monitors],
    ['Scenarios', usage.scenarios, bounds.scenarios],
    ['Members and open invitations', usage.members, bounds.members],
    ['API keys', usage.apiKeys, rateLimits === null ? 0 : API_KEYS_MAX],
  ] as const;
  return (
    <section>
      <Heading mb="xs">Usage and limits</Heading>
      <Paper withBorder p="md">
        <Stack gap="sm">
          {rows.map(([name, used, allowed]) => (
            <Usage key={name} name={name} used={used} allowed={allowed} />
          ))}
        </Stack>
        <Text size="sm" c="dimmed" mt="md">
          Shortest interval: {bounds.minIntervalSeconds} seconds. Results are kept for at most{' '}
          {bounds.retentionDays} days; the operator may keep them for less time.
          {rateLimits !== null &&
            ` Each API key may send ${COUNT.format(rateLimits.perMinute)} requests a minute and ${COUNT.format(rateLimits.perDay)} a day.`}
        </Text>
      </Paper>
    </section>
  );
}

interface UsageProps {
  readonly name: string;
  readonly used: number;
  /** The limit. 0 if the plan does not include the feature. */
  readonly allowed: number;
}

function Usage({ name, used, allowed }: UsageProps) {
  const percent = allowed === 0 ? 0 : Math.min(100, (100 * used) / allowed);
  // Shows at least a short bar for any use, even if it is a tiny part of the limit.
  const shown = used === 0 ? 0 : Math.max(SHOWN_MIN_PERCENT, percent);
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{name}</Text>
        <Text size="sm" c="dimmed">
          {allowed === 0 ? 'Not in this plan' : `${COUNT.format(used)} of ${COUNT.format(allowed)}`}
        </Text>
      </Group>
      <Progress
        size="sm"
        mt={4}
        value={shown}
        color={percent >= 90 ? 'var(--kw-degraded-fill)' : 'var(--mantine-color-anchor)'}
        aria-hidden
      />
    </div>
  );
}
