/** A card for each check that is down or degraded. */
import { Card, Group, SimpleGrid, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TroubleFacts } from '../../shared/alerts/trouble-facts';
import { useOpenIncident } from '../../shared/alerts/use-open-incident';
import { Spark } from '../../shared/charts/spark';
import { minuteBars } from '../../shared/charts/spark-bars';
import { uptimePath } from '../../shared/charts/windows';
import type { ListedCheck, Uptime } from '../../shared/data/api-types';
import { checkPath } from '../../shared/data/check-type';
import { useRead } from '../../shared/data/queries';
import { degradedReason, troubleSince } from '../../shared/data/trouble';
import { lengthSince } from '../../shared/text/time-text';
import { useNowMs } from '../../shared/text/use-now';
import { Heading } from '../../shared/ui/heading';
import { StatusLabel } from '../../shared/ui/status';
import classes from './overview.module.css';

/** How often a chart is read again. The interval is long, because the page may show six of these charts. */
const EVERY_MS = 300_000;

function LastHour({ check: { type, id } }: { readonly check: ListedCheck }) {
  const path = uptimePath(`/v1/${type}s/${id}/uptime`, { window: '1h' });
  const { data } = useRead<Uptime>(path, { refetchInterval: EVERY_MS });
  return (
    <>
      <div className={classes['hour']}>
        {data !== undefined && <Spark bars={minuteBars(data.buckets)} label="Last hour" />}
      </div>
      <Group justify="space-between" aria-hidden>
        <Text size="xs" c="dimmed">
          1 hour ago
        </Text>
        <Text size="xs" c="dimmed">
          Height: p95 · red: down · orange: degraded
        </Text>
        <Text size="xs" c="dimmed">
          Now
        </Text>
      </Group>
    </>
  );
}

const SHOWN_MAX = 6;
const MORE = { status: 'down,degraded' };

/** Shows a card for each of the `checks`, which need attention and are sorted worst first. */
export function Attention({ checks }: { readonly checks: readonly ListedCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <section aria-label="Needs attention">
      <Heading mb="sm">Needs attention</Heading>
      <SimpleGrid
        cols={{ base: 1, sm: Math.min(2, checks.length), xl: Math.min(3, checks.length) }}
        spacing="sm"
      >
        {checks.slice(0, SHOWN_MAX).map((check) => (
          <AttentionCard key={check.id} check={check} />
        ))}
      </SimpleGrid>
      {checks.length > SHOWN_MAX && (
        <Text size="sm" mt="xs">
          <Link to="/checks" search={MORE as never}>
            All {checks.length} checks that are down or degraded
          </Link>
        </Text>
      )}
    </section>
  );
}

function AttentionCard({ check }: { readonly check: ListedCheck }) {
  const nowMs = useNowMs();
  const { name, status, currentIncidentId } = check;
  const { incident, isAwaited } = useOpenIncident(check);
  return (
    <Card withBorder className={classes['attention'] ?? ''} data-status={status}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Link to={checkPath(check)} className={classes['name'] ?? ''}>
          {name}
        </Link>
        <StatusLabel status={status} />
      </Group>
      <Text size="sm" c="dimmed">
        for {lengthSince(troubleSince(check), nowMs)}
      </Text>
      <TroubleFacts
        reason={formatReason(check)}
        currentIncidentId={currentIncidentId}
        incident={incident}
        isIncidentAwaited={isAwaited}
        note={incident?.note ?? null}
        runbookUrl={incident?.runbookUrl ?? null}
      />
      <LastHour check={check} />
    </Card>
  );
}

function formatReason(check: ListedCheck): string {
  const { status, failure } = check;
  if (failure?.message != null && failure.message !== '') return failure.message;
  return status === 'degraded' ? degradedReason(check) : 'No reason known.';
}
