/** The incidents of one monitor, newest first. */
import { Anchor, Paper, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { withQuery } from '../../../shared/data/api';
import type { Incident, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { Unread } from '../../../shared/loading/unread';
import { AbsoluteTime, lengthOf } from '../../../shared/text/time';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Pager } from '../../../shared/ui/pager';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { TableHead } from '../../../shared/ui/table-head';
import { TabButton } from './tab-button';

const PAGE_SIZE = 50;
const STATES = { open: 'Open', acknowledged: 'Acknowledged' } as const;

export function IncidentsTab({ monitorId }: { readonly monitorId: string }) {
  const [{ cursor }] = useSearchState();
  const path = withQuery('/v1/incidents', { resourceId: monitorId, limit: PAGE_SIZE, cursor });
  const { data: page, error } = useRead<Page<Incident>>(path);
  if (page === undefined) return <Unread of={{ data: page, error }} />;
  if (page.data.length === 0)
    return (
      <EmptyState
        title="No incidents"
        text="This monitor has not been down."
        action={<TabButton tab="results" label="See its results" />}
      />
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
        {lengthOf(durationSeconds)}
        {episodeCount > 1 && ` (${episodeCount} outages)`}
      </Table.Td>
      <Table.Td>{regions.join(', ')}</Table.Td>
      <Table.Td miw={220} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
        {cause?.message ?? '–'}
      </Table.Td>
    </Table.Tr>
  );
}
