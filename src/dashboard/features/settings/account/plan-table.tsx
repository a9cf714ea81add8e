/** The limits of the plan, and how much of each is used. */
import { Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { API_KEYS_MAX } from '../../../../domain/accounts/plan';
import type { AccountDetail } from '../../../shared/data/api-types';
import { Heading } from '../../../shared/ui/heading';

const SHOWN_MIN_PERCENT = 1;
const COUNT = new Intl.NumberFormat('en');

export function PlanTable({ account }: { readonly account: AccountDetail }) {
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
          Shortest interval: {bounds.minIntervalSeconds} seconds. Results are kept for{' '}
          {bounds.retentionDays} days.
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
  /** 0 if the plan does not include it. */
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
