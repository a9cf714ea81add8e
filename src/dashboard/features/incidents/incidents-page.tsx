/** All incidents, newest first, with the cause and how long each lasted. */
import { Button, SegmentedControl } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { withQuery } from '../../shared/data/api';
import type { Incident, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { type Search, useSearchState } from '../../shared/data/search';
import { CardList } from '../../shared/ui/card-list';
import { EmptyState } from '../../shared/ui/empty-state';
import { Loading } from '../../shared/ui/loading';
import { PageHead } from '../../shared/ui/page-head';
import { Pager } from '../../shared/ui/pager';
import { ProblemNote } from '../../shared/ui/problem-note';
import { IncidentRow } from './incident-row';
import { TEXT } from './strings';

const PAGE_SIZE = 50;
const ALL = 'all';

export function IncidentsPage() {
  const [search, change] = useSearchState();
  const { data, error } = useRead<Page<Incident>>(
    withQuery('/v1/incidents', {
      limit: PAGE_SIZE,
      state: search['state'],
      resourceId: search['resourceId'],
      cursor: search['cursor'],
    }),
  );
  return (
    <>
      <PageHead title={TEXT.title}>
        <SegmentedControl
          aria-label={TEXT.filter}
          value={search['state'] ?? ALL}
          onChange={(state) =>
            change({ state: state === ALL ? undefined : state, cursor: undefined })
          }
          data={[
            { value: ALL, label: TEXT.all },
            { value: 'open', label: TEXT.open },
            { value: 'acknowledged', label: TEXT.acknowledged },
            { value: 'resolved', label: TEXT.resolved },
          ]}
        />
      </PageHead>
      {error !== null && <ProblemNote problem={error} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && data.data.length === 0 && (
        <NoIncidents search={search} onShowAll={() => change(ALL_SHOWN)} />
      )}
      {data !== undefined && data.data.length > 0 && (
        <CardList>
          {data.data.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} />
          ))}
        </CardList>
      )}
      <Pager nextCursor={data?.nextCursor ?? null} />
    </>
  );
}

const ALL_SHOWN = { state: undefined, resourceId: undefined, cursor: undefined };

interface NoIncidentsProps {
  readonly search: Search;
  readonly onShowAll: () => void;
}

function NoIncidents({ search, onShowAll }: NoIncidentsProps) {
  const isFiltered = Object.keys(ALL_SHOWN).some((name) => search[name] !== undefined);
  if (!isFiltered) {
    const action = (
      <Button component={Link} to="/monitors" variant="default">
        {TEXT.toMonitors}
      </Button>
    );
    return <EmptyState title={TEXT.noneTitle} text={TEXT.none} action={action} />;
  }
  const isOnlyOpen = search['state'] === 'open' && search['resourceId'] === undefined;
  return (
    <EmptyState
      title={isOnlyOpen ? TEXT.noneOpenTitle : TEXT.noneHereTitle}
      text={isOnlyOpen ? TEXT.noneOpen : TEXT.noneHere}
      action={
        <Button variant="default" onClick={onShowAll}>
          {TEXT.showAll}
        </Button>
      }
    />
  );
}
