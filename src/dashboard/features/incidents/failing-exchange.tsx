/** What the failing check sent and got, in the few lines that say most: for the first screen of a phone. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Incident, Result, Run } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import classes from '../../shared/results/results.module.css';
import { firstLines } from './first-lines';

type Exchange = Pick<Result, 'request' | 'response'>;

/** With the way to the whole result, as long as that is kept. */
export function FailingExchange({ incident }: { readonly incident: Incident }) {
  const { firstResultId, firstRunId } = incident;
  if (firstResultId !== null) return <OfResult incident={incident} id={firstResultId} />;
  return firstRunId === null ? null : <OfRun incident={incident} id={firstRunId} />;
}

/** Until then the page waits, so that no button moves under a finger. True also where there is nothing to read. */
export function useIsExchangeRead(incident: Incident | undefined): boolean {
  const path = incident === undefined ? null : exchangePath(incident);
  const { data, error } = useRead<unknown>(path ?? '', { enabled: path !== null });
  return path === null || data !== undefined || error !== null;
}

function exchangePath({ resourceId, firstResultId, firstRunId }: Incident): string | null {
  if (firstResultId !== null) return resultPath(resourceId, firstResultId);
  return firstRunId === null ? null : runPath(resourceId, firstRunId);
}

function resultPath(monitorId: string, id: string): string {
  return `/v1/monitors/${monitorId}/results/${encodeURIComponent(id)}`;
}

function runPath(scenarioId: string, id: string): string {
  return `/v1/scenarios/${scenarioId}/results/${id}`;
}

interface OfProps {
  readonly incident: Incident;
  readonly id: string;
}

function OfResult({ incident: { resourceId }, id }: OfProps) {
  const path = resultPath(resourceId, id);
  const { data } = useRead<Result>(path);
  return data === undefined ? null : (
    <Lines exchange={data} to={path.replace('/v1', '')} label="First failing result" />
  );
}

function OfRun({ incident: { resourceId }, id }: OfProps) {
  const { data: run } = useRead<Run>(runPath(resourceId, id));
  if (run === undefined) return null;
  const failed = run.steps.find(({ name }) => name === run.failure?.stepName);
  const label = failed === undefined ? 'First failing run' : `Failed at step “${failed.name}”`;
  const exchange = failed ?? { request: null, response: null };
  return <Lines exchange={exchange} to={`/scenarios/${resourceId}/runs/${id}`} label={label} />;
}

interface LinesProps {
  readonly exchange: Exchange;
  readonly to: string;
  readonly label: string;
}

function Lines({ exchange: { request, response }, to, label }: LinesProps) {
  const body = firstLines(response?.bodyPreview ?? '');
  return (
    <>
      {request !== null && (
        <div className={classes['line']}>
          <b>{request.method}</b> {request.url}
          {response !== null && ` → ${response.status}`}
        </div>
      )}
      {body !== '' && (
        <Text
          component="pre"
          className={classes['line'] ?? ''}
          m={0}
          style={{ whiteSpace: 'pre-wrap' }}
        >
          {body}
        </Text>
      )}
      <Anchor component={Link} to={to} size="sm">
        {label}
      </Anchor>
    </>
  );
}
