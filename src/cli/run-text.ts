/** Formats runs: one line each, followed by the steps of a failed run. */
import { milliseconds } from './durations';
import type { Output } from './output';
import { harmless, paintStatus } from './paint';
import type { Run } from './shapes';
import { fitted } from './table';

const STATUS_WIDTH = 9;

export function runsText(
  output: Output,
  runs: readonly { readonly name: string; readonly run: Run }[],
): string {
  return runs.flatMap(({ name, run }) => linesOfRun(output, name, run)).join('\n');
}

function linesOfRun({ paint }: Output, name: string, run: Run): readonly string[] {
  const { status, region, durationMs, failure, steps, links } = run;
  const mark = (word: string): string =>
    fitted(word, STATUS_WIDTH).replace(word, paintStatus(paint, word));
  const head = `${mark(status)} ${harmless(name)} in ${region}, ${milliseconds(durationMs)}`;
  if (status === 'passed') return [head];
  const lines = steps.flatMap((step) => [
    `  ${mark(step.status)} ${harmless(step.name)}`,
    ...(step.failure ? [`            ${harmless(step.failure.message)}`] : []),
    ...(step.assertions ?? [])
      .filter(({ ok, message }) => !ok && message !== step.failure?.message)
      .map(({ message }) => `            ${harmless(message ?? '')}`),
  ]);
  const url = links.temporal?.url;
  return [
    head,
    ...lines,
    ...(failure && failure.stepName === null ? [`  ${harmless(failure.message)}`] : []),
    ...(typeof url === 'string' ? [`  ${url}`] : []),
  ];
}
