/** The regions that checks run in, with their probes, and how to add one. */
import { Badge, Box, Code, List, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheckFilled,
  IconClockExclamation,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import type { Page, Region } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { formatDuration, RelativeTime } from '../../shared/text/time';
import { EmptyState } from '../../shared/ui/empty-state';
import { Heading } from '../../shared/ui/heading';
import { PageHead } from '../../shared/ui/page-head';
import { StartProbe } from '../../shared/ui/start-probe';

const READ_AGAIN_MS = 20_000;

export function RegionsPage() {
  const { data, error } = useRead<Page<Region>>('/v1/regions?include=backlog', {
    refetchInterval: READ_AGAIN_MS,
  });
  return (
    <div data-touch>
      <PageHead
        title="Regions"
        about={<Text c="dimmed">Where checks run. Each region has one or more probes.</Text>}
      />
      <Unread of={{ data, error }} shape={<PageLoading isBelowHead />} />
      {data?.data.length === 0 && (
        <EmptyState
          title="No regions yet"
          text="Start a probe as described below. It appears here within a few seconds."
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
        {data?.data.map((region) => (
          <RegionCard key={region.id} region={region} />
        ))}
      </SimpleGrid>
      {(data !== undefined || error !== null) && <AddRegion />}
    </div>
  );
}

/** Shown below the regions, and therefore only once they are loaded. */
function AddRegion() {
  return (
    <Stack component="section" gap="xs" mt="xl">
      <Heading>Add a region</Heading>
      <Text size="sm" maw={640}>
        Start a probe on a machine in that region. It needs three environment variables, and no
        access to the database:
      </Text>
      <List size="sm" maw={640}>
        <List.Item>
          <Code>KEEPWATCH_PROBE_KEY</Code> is its key, which names the region
        </List.Item>
        <List.Item>
          <Code>KEEPWATCH_API_URL</Code> is the URL of this service
        </List.Item>
        <List.Item>
          <Code>TEMPORAL_ADDRESS</Code> is the host and port of Temporal
        </List.Item>
      </List>
      <Text size="sm" maw={640}>
        Start a second probe in the same region for more throughput, and so that checks go on if one
        fails.
      </Text>
      <Box maw={760}>
        <StartProbe probeKey={'"$(keepwatch regions add-probe ap-south)"'} />
      </Box>
    </Stack>
  );
}

function RegionCard({ region }: { readonly region: Region }) {
  const { id, status, workers, lastSeenAt, networkSuspectSince, backlog } = region;
  const isOnline = status === 'online';
  const Icon = isOnline ? IconCircleCheckFilled : IconPlugConnectedX;
  return (
    <Paper component="section" withBorder p="md" aria-label={id}>
      <Heading size="h5" style={{ overflowWrap: 'anywhere' }}>
        {id}
      </Heading>
      <Badge
        mt={6}
        variant="outline"
        tt="none"
        leftSection={<Icon size={13} aria-hidden />}
        styles={{
          root: { color: `var(--kw-${isOnline ? 'up' : 'down'})`, borderColor: 'currentcolor' },
        }}
      >
        {isOnline ? 'Online' : 'Offline: no checks run here'}
      </Badge>
      <Text size="sm" mt="xs">
        {workers} {workers === 1 ? 'probe' : 'probes'}
      </Text>
      <Text size="sm" c="dimmed">
        Last seen <RelativeTime at={lastSeenAt} />
      </Text>
      {backlog !== undefined && <Backlog backlog={backlog} />}
      {networkSuspectSince !== null && (
        <Text size="sm" mt="xs" c="var(--kw-degraded)">
          <IconAlertTriangle size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> Network
          problem in this region: its results are not counted (
          <RelativeTime at={networkSuspectSince} />)
        </Text>
      )}
    </Paper>
  );
}

/** The number of checks that wait for the region's probes, and the time that they have waited. */
function Backlog({ backlog }: { readonly backlog: NonNullable<Region['backlog']> | null }) {
  if (backlog === null) return <Text size="sm">Backlog unknown: Temporal is not responding</Text>;
  const { checks, oldestMs } = backlog;
  if (checks === 0) return <Text size="sm">No backlog</Text>;
  return (
    <Text size="sm" c="var(--kw-degraded)">
      <IconClockExclamation size={14} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
      {checks === 1 ? '1 check waits' : `${checks} checks wait`} for a probe, the oldest for{' '}
      {formatDuration(oldestMs / 1000)}
    </Text>
  );
}
