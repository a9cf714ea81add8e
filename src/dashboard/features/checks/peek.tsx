/** Shows details of one check in a drawer next to the table. */
import { Button, Drawer, Group, Kbd, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Spark } from '../../shared/charts/spark';
import { minuteBars } from '../../shared/charts/spark-bars';
import { UptimeTiles } from '../../shared/charts/uptime-tiles';
import { uptimePath } from '../../shared/charts/windows';
import type { ListedCheck, Uptime } from '../../shared/data/api-types';
import { checkPath, findCheckType } from '../../shared/data/check-type';
import { useRead } from '../../shared/data/queries';
import { useCan } from '../../shared/data/session';
import { Unread } from '../../shared/loading/unread';
import { ClockTime, everyWords, milliseconds, RelativeTime } from '../../shared/text/time';
import { useNowMs } from '../../shared/text/use-now';
import { StatusLabel } from '../../shared/ui/status';
import classes from './checks.module.css';
import { reasonText } from './row-text';

interface PeekProps {
  /** undefined when the drawer is closed. */
  readonly check: ListedCheck | undefined;
  /** The last slots of the check, oldest first. undefined until they are read. */
  readonly recent: ListedCheck['recent'];
  readonly onClose: () => void;
}

export function Peek({ check, recent, onClose }: PeekProps) {
  return (
    <Drawer
      opened={check !== undefined}
      onClose={onClose}
      position="right"
      size="md"
      title="Peek"
      returnFocus={false}
    >
      {check !== undefined && <Content check={check} recent={recent} />}
    </Drawer>
  );
}

function Content({ check, recent }: AboutProps & Pick<PeekProps, 'recent'>) {
  const canWrite = useCan('write');
  const reason = reasonText(check, useNowMs());
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Text fw={650} fz="lg" style={{ overflowWrap: 'anywhere' }}>
          {check.name}
        </Text>
        <StatusLabel status={check.status} />
      </Group>
      {reason !== null && <Text size="sm">{reason}</Text>}
      <About check={check} />
      <LastSlots recent={recent ?? []} />
      <LastHour key={check.id} check={check} />
      <SimpleGrid cols={canWrite ? 2 : 1}>
        <Button component={Link} to={checkPath(check)}>
          Open
        </Button>
        {canWrite && (
          <Button component={Link} to={`${checkPath(check)}/edit`} variant="default">
            Edit
          </Button>
        )}
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        <Kbd size="xs">j</Kbd> next check, <Kbd size="xs">k</Kbd> previous check
      </Text>
    </Stack>
  );
}

function About({ check }: AboutProps) {
  const { url, interval, regions, lastCheckedAt } = check;
  const every = everyWords(interval);
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {findCheckType(check) === 'heartbeat' ? (
        `Heartbeat, expected ${every}`
      ) : (
        <>
          {url}
          <br />
          {every} from {regions.join(', ')}
        </>
      )}
      , last <RelativeTime at={lastCheckedAt} />
    </Text>
  );
}

interface AboutProps {
  readonly check: ListedCheck;
}

const SLOTS_MAX = 5;

/** Lists the last five slots, newest first. Renders nothing if there are none. */
function LastSlots({ recent }: { readonly recent: NonNullable<ListedCheck['recent']> }) {
  if (recent.length === 0) return null;
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        Last results
      </Text>
      <Table fz="sm" verticalSpacing={2} aria-label="Last results">
        <Table.Tbody>
          {recent
            .slice(-SLOTS_MAX)
            .toReversed()
            .map(({ at, status, responseTimeMs }) => (
              <Table.Tr key={at}>
                <Table.Td>
                  <StatusLabel status={status} />
                </Table.Td>
                <Table.Td>
                  <ClockTime at={at} />
                </Table.Td>
                <Table.Td ta="right">{milliseconds(responseTimeMs)}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function LastHour({ check }: AboutProps) {
  const { type, id } = check;
  const path = `/v1/${type}s/${id}/uptime`;
  const { data: hour, error: ofHour } = useRead<Uptime>(uptimePath(path, { window: '1h' }));
  const { data: day, error: ofDay } = useRead<Uptime>(uptimePath(path, { window: '24h' }));
  if (hour === undefined || day === undefined)
    return <Unread of={{ data: undefined, error: ofHour ?? ofDay }} />;
  return (
    <>
      <div>
        <Text size="xs" c="dimmed" mb={4}>
          Last hour
        </Text>
        <div className={classes['hour']}>
          <Spark bars={minuteBars(hour.buckets)} label="Last hour" />
        </div>
      </div>
      <div>
        <Text size="xs" c="dimmed" mb={4}>
          Last 24 hours
        </Text>
        <UptimeTiles uptime={day} {...TILES[findCheckType(check)]} />
      </div>
    </>
  );
}

const TILES = {
  monitor: { counted: 'check', hasTimes: true },
  heartbeat: { counted: 'result', hasTimes: false },
  scenario: { counted: 'run', hasTimes: true },
} as const;
