/** Shows the most useful lines of the request and response of the failing check, for the first screen of a phone. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Incident, Result, Run } from '../data/api-types';
import { useRead } from '../data/queries';
import { firstLines } from './first-lines';
import classes from './results.module.css';

type Exchange = Pick<Result, 'request' | 'response'>;
/** An incident, or one of its outages with the id of the check. */
type Failed = Pick<Incident, 'resourceId' | 'firstResultId' | 'firstRunId'>;

/** Shows the exchange. If the whole result is still stored, also shows a link to it. */
export function FailingExchange({ failed }: { readonly failed: Failed }) {
  const { firstResultId, firstRunId } = failed;
  if (firstResultId !== null) return <OfResult failed={failed} id={firstResultId} />;
  return firstRunId === null ? null : <OfRun failed={failed} id={firstRunId} />;
}

/**
 * True once the exchange is read, or if there is none. The page waits for the exchange, because a button could
 * otherwise move while someone presses it.
 */
export function useIsExchangeRead(failed: Failed | undefined): boolean {
  const path = failed === undefined ? null : exchangePath(failed);
  const { data, error } = useRead<unknown>(path ?? '', { enabled: path !== null });
  return path === null || data !== undefined || error !== null;
}

function exchangePath({ resourceId, firstResultId, firstRunId }: Failed): string | null {
  if (firstResultId !== null) return resultPath(resourceId, firstResultId);
  return firstRunId === null ? null : runPath(resourceId, firstRunId);
}

export function resultPath(monitorId: string, id: string): string {
  return `/v1/monitors/${monitorId}/results/${encodeURIComponent(id)}`;
}

function runPath(scenarioId: string, id: string): string {
  return `/v1/scenarios/${scenarioId}/results/${id}`;
}

interface OfProps {
  readonly failed: Failed;
  readonly id: string;
}

function OfResult({ failed: { resourceId }, id }: OfProps) {
  const path = resultPath(resourceId, id);
  const { data } = useRead<Result>(path);
  return data === undefined ? null : (
    <Lines exchange={data} to={path.replace('/v1', '')} label="First failing result" />
  );
}

function OfRun({ failed: { resourceId }, id }: OfProps) {
  const { data: run, error } = useRead<Run>(runPath(resourceId, id));
  if (error?.status === 404)
    return (
      <Text size="sm" c="dimmed">
        The failing run is no longer kept.
      </Text>
    );
  if (run === undefined) return null;
  const step = run.steps.find(({ name }) => name === run.failure?.stepName);
  const label = step === undefined ? 'First failing run' : `Failed at step “${step.name}”`;
  const exchange = step ?? { request: null, response: null };
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
          {typeof response?.status === 'number' && ` → ${response.status}`}
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
