/**
 * Shows a run in the Temporal UI: its steps as a table, and its state. The view may show names and hosts of steps, but
 * no whole URL, value or secret.
 */

import { setCurrentDetails } from '@temporalio/workflow';
import type { RunStepRecord } from '../../contracts/records';
import type { StepPlan } from '../../contracts/workflows';
import { cutText } from '../../domain/text/cut-text';
import { formatInstant, publish, stateKey } from '../loop/show';
import { findRunStatus, type Run } from './run-record';

/**
 * Shows the current state of the run. An update of the search attribute adds an event to the history, so it is sent
 * only on change.
 */
export function showRun(run: Run): void {
  setCurrentDetails(formatRun(run).join('\n'));
  publish([{ key: stateKey, value: findRunStatus(run) }]);
}

/** Formats the state and the steps of the run as lines of Markdown. */
export function formatRun(run: Run): readonly string[] {
  const { trigger, region, steps, scenarioId, runId } = run.input;
  const isKept = trigger !== 'test';
  return [
    `**${findRunStatus(run)}** · ${trigger} · ${region}`,
    '',
    ...(isKept ? [`[run ${runId}](/scenarios/${scenarioId}/runs/${runId})`, ''] : []),
    '| step | name | request | status | tries | ms |',
    '|---|---|---|---|---|---|',
    ...run.steps.map((step) => formatRow(step, steps[step.index])),
  ];
}

function formatRow(step: RunStepRecord, plan: StepPlan | undefined): string {
  const { index, name, method, status, tries, outcome, waitingUntilMs } = step;
  const state =
    waitingUntilMs === null ? status : `${status} until ${formatInstant(waitingUntilMs)}`;
  const request = `${method} ${plan?.host ?? ''}`.trim();
  const cells = [index + 1, asCell(name), request, state, tries, outcome?.responseTimeMs ?? ''];
  return `| ${cells.join(' | ')} |`;
}

/** Returns the name for a cell of the table. A name is user input, so nothing in it may be read as markup. */
function asCell(name: string): string {
  return cutText(name, 60).replaceAll(/[^\p{L}\p{N} .,:+-]/gu, ' ');
}
