/** Formats what a failed check sent and received, and the address of its page in the dashboard. */
import { cutText } from '../../domain/text/cut-text';
import type { Result, Run } from '../shapes';

const BODY_LINE_MAX = 160;

export type Exchange = Pick<Result, 'request' | 'response'>;

/** Returns `GET URL → 503` and the first line of the body. Empty if nothing was sent. */
export function describeExchange({ request, response }: Exchange): readonly string[] {
  if (request == null) return [];
  const sent = `${request.method} ${request.url}`;
  const body = response?.bodyPreview?.split('\n').map((line) => line.trim());
  const first = body?.find((line) => line !== '');
  const status = response == null ? 'no response' : response.status;
  return [
    status === null ? sent : `${sent} → ${status}`,
    ...(first === undefined ? [] : [cutText(first, BODY_LINE_MAX)]),
  ];
}

/** Returns the URL of the run's page. null for a run that is not stored. */
export function buildRunUrl(serviceUrl: string, { id, scenarioId }: Run): string | null {
  return id == null || scenarioId == null
    ? null
    : `${serviceUrl}scenarios/${scenarioId}/runs/${id}`;
}

/** Returns the URL of the result's page. null for a result that is not stored. */
export function buildResultUrl(serviceUrl: string, { id, monitorId }: Result): string | null {
  return id == null || monitorId == null
    ? null
    : `${serviceUrl}monitors/${monitorId}/results/${id}`;
}
