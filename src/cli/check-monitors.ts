/** Checks saved monitors now. On request, waits for the results. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { EXIT_CODES } from './cli-error';
import { formatMs } from './durations';
import { paintStatus, replaceControls } from './paint';
import { buildResultUrl, describeExchange } from './reports/exchange-text';
import type { ExitStatus, Session } from './session';
import { pageShape, type Resource, type Result, resultShape } from './shapes';
import { formatTable } from './table';

const ASK_EVERY_MS = 500;

const requestedShape = z.looseObject({ id: z.string() });

export interface CheckOptions {
  readonly isWaiting: boolean;
  readonly timeoutMs: number;
}

interface Checked {
  readonly monitor: Resource;
  readonly results: readonly Result[];
}

export async function checkMonitors(
  session: Session,
  monitors: readonly Resource[],
  { isWaiting, timeoutMs }: CheckOptions,
): ExitStatus {
  const { output } = session;
  const client = session.client();
  const requested = [];
  for (const monitor of monitors) {
    const path = `v1/monitors/${monitor.id}/run`;
    const { id } = await client.call(path, requestedShape, { method: 'POST', body: {} });
    requested.push({ monitor, id });
  }
  if (!isWaiting) {
    const data = requested.map(({ monitor, id }) => ({ id, monitorId: monitor.id }));
    output.show({ requested: data }, () => `${formatCount(data.length)} requested.`);
    return undefined;
  }
  output.progress(`Waiting for ${formatCount(requested.length)} …`);
  const deadlineMs = session.now() + timeoutMs;
  const checked = await Promise.all(
    requested.map((request) => waitForResults(session, request, deadlineMs)),
  ).finally(() => output.clearProgress());
  const results = checked.flatMap(({ monitor, results: found }) =>
    found.map((result) => ({ monitorKey: monitor.key ?? null, ...result })),
  );
  output.show({ results }, () =>
    [resultsText(session, checked), ...describeFailed(client.url, checked)].join('\n'),
  );
  if (results.some(({ status }) => status === 'down')) return EXIT_CODES.failed;
  const isCertain = checked.every(({ monitor, results: found }) => isVerdict(monitor, found));
  return isCertain ? EXIT_CODES.passed : EXIT_CODES.inconclusive;
}

function formatCount(checks: number): string {
  return checks === 1 ? '1 check' : `${checks} checks`;
}

function isVerdict(monitor: Resource, results: readonly Result[]): boolean {
  return (
    results.length >= countRegions(monitor) && results.every(({ status }) => status !== 'unknown')
  );
}

function countRegions({ regions = [] }: Resource): number {
  return regions.length;
}

interface Requested {
  readonly monitor: Resource;
  /** The id of the “check now” request. The results of the request refer to it. */
  readonly id: string;
}

/** Returns the results of the “check now” request, one per region. Some are missing if time runs out. */
async function waitForResults(
  session: Session,
  { monitor, id }: Requested,
  deadlineMs: number,
): Promise<Checked> {
  const path = `v1/monitors/${monitor.id}/results`;
  const query = { requestId: id, limit: '200' };
  for (;;) {
    const page = await session.client().call(path, pageShape, { query });
    const results = page.data.map((item) => resultShape.parse(item));
    if (results.length >= countRegions(monitor) || session.now() >= deadlineMs)
      return { monitor, results };
    await sleep(ASK_EVERY_MS);
  }
}

/** Returns the request, the response and the page in the dashboard of each failed check. */
function describeFailed(serviceUrl: string, checked: readonly Checked[]): readonly string[] {
  const failed = checked.flatMap(({ monitor, results }) =>
    results
      .filter(({ status }) => status === 'down')
      .map((result) => ({ title: `${monitor.key ?? monitor.name} in ${result.region}`, result })),
  );
  return failed.flatMap(({ title, result }) => {
    const url = buildResultUrl(serviceUrl, result);
    const facts = [...describeExchange(result), ...(url === null ? [] : [url])];
    return ['', replaceControls(title), ...facts.map((line) => `  ${replaceControls(line)}`)];
  });
}

function resultsText({ output }: Session, checked: readonly Checked[]): string {
  const rows = checked.flatMap(({ monitor, results }) =>
    results.map((result) => ({ ...result, name: monitor.key ?? monitor.name })),
  );
  if (rows.length === 0) return 'No result arrived in time.';
  return formatTable(
    rows,
    [
      {
        title: 'status',
        cell: ({ status }) => status,
        look: (text) => paintStatus(output.paint, text),
      },
      { title: 'monitor', cell: ({ name }) => name },
      { title: 'region', cell: ({ region }) => region },
      { title: 'time', cell: ({ responseTimeMs }) => formatMs(responseTimeMs) },
      { title: 'why', cell: ({ failure }) => failure?.message ?? '' },
    ],
    output.width,
  );
}
