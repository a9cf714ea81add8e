/** The incidents of one check, newest first. */
import { Anchor, Paper, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { withQuery } from '../data/api';
import type { Incident, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { useSearchState } from '../data/search';
import { Unread } from '../loading/unread';
import { AbsoluteTime, formatDuration } from '../text/time';
import { EmptyState } from '../ui/empty-state';
import { Pager } from '../ui/pager';
import { ScrollBox } from '../ui/scroll-box';
import { TableHead } from '../ui/table-head';

const PAGE_SIZE = 50;
const STATES = { open: 'Open', acknowledged: 'Acknowledged' } as const;

interface IncidentsTabProps {
  readonly resourceId: string;
  /** The word for the check: monitor, heartbeat or scenario. */
  readonly noun: string;
  /** A button that leads to the results or runs. */
  readonly action: ReactNode;
}

export function IncidentsTab({ resourceId, noun, action }: IncidentsTabProps) {
  const [{ cursor }] = useSearchState();
  const path = withQuery('/v1/incidents', { resourceId, limit: PAGE_SIZE, cursor });
  const { data: page, error } = useRead<Page<Incident>>(path);
  if (page === undefined) return <Unread of={{ data: page, error }} />;
  if (page.data.length === 0)
    return (
      <EmptyState title="No incidents" text={`This ${noun} has not been down.`} action={action} />
    );
  return (
    <>
      <Paper withBorder>
        <ScrollBox label="Incidents" minWidth={640}>
          <Table fz="sm" style={{ whiteSpace: 'nowrap' }}>
            <TableHead columns={['Started', 'State', 'Duration', 'Regions', 'Cause']} />
            <Table.Tbody>
              {page.data.map((incident) => (
                <IncidentRow key={incident.id} incident={incident} />
              ))}
            </Table.Tbody>
          </Table>
        </ScrollBox>
      </Paper>
      <Pager nextCursor={page.nextCursor} />
    </>
  );
}

function IncidentRow({ incident }: { readonly incident: Incident }) {
  const { id, openedAt, state, durationSeconds, episodeCount, regions, cause } = incident;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/incidents/${id}`} size="sm">
          <AbsoluteTime at={openedAt} />
        </Anchor>
      </Table.Td>
      <Table.Td>{state === 'resolved' ? 'Resolved' : <b>{STATES[state]}</b>}</Table.Td>
      <Table.Td>
        {formatDuration(durationSeconds)}
        {episodeCount > 1 && ` (${episodeCount} outages)`}
      </Table.Td>
      <Table.Td>{regions.join(', ')}</Table.Td>
      <Table.Td miw={220} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
        {cause?.message ?? '–'}
      </Table.Td>
    </Table.Tr>
  );
}
