/** Formats runs: one line each, followed by the steps of a failed run. */
import { formatMs } from '../durations';
import type { Output } from '../output';
import { paintStatus, replaceControls } from '../paint';
import type { Run } from '../shapes';
import { fitToWidth } from '../table';
import { buildRunUrl, describeExchange } from './exchange-text';

const STATUS_WIDTH = 9;
const DETAIL = ' '.repeat(12);

interface NamedRun {
  readonly name: string;
  readonly run: Run;
}

interface Place {
  readonly output: Output;
  /** The URL of the service, whose dashboard shows the runs. */
  readonly serviceUrl: string;
}

export function formatRuns(place: Place, runs: readonly NamedRun[]): string {
  return runs.flatMap((run) => linesOfRun(place, run)).join('\n');
}

function linesOfRun(
  { output: { paint }, serviceUrl }: Place,
  { name, run }: NamedRun,
): readonly string[] {
  const { status, region, durationMs, failure, steps, links } = run;
  const mark = (word: string): string =>
    fitToWidth(word, STATUS_WIDTH).replace(word, paintStatus(paint, word));
  const head = `${mark(status)} ${replaceControls(name)} in ${region}, ${formatMs(durationMs)}`;
  if (status === 'passed') return [head];
  const lines = steps.flatMap((step) => [
    `  ${mark(step.status)} ${replaceControls(step.name)}`,
    ...describeFaults(step).map((line) => `${DETAIL}${replaceControls(line)}`),
  ]);
  const url = buildRunUrl(serviceUrl, run) ?? links.temporal?.url;
  return [
    head,
    ...lines,
    ...(failure && failure.stepName === null ? [`  ${replaceControls(failure.message)}`] : []),
    ...(typeof url === 'string' ? [`  ${url}`] : []),
  ];
}

/** Returns the reasons of a failed step, what it sent and what it received. Empty for a step that has not failed. */
function describeFaults(step: Run['steps'][number]): readonly string[] {
  const { failure, assertions, status } = step;
  const unmet = (assertions ?? []).filter(({ ok, message }) => !ok && message !== failure?.message);
  const hasFailed = status === 'failed' || status === 'error';
  return [
    ...(failure ? [failure.message] : []),
    ...unmet.map(({ message }) => message ?? ''),
    ...(hasFailed ? describeExchange(step) : []),
  ];
}
