// The summary at the end of a test run: the most expensive files, the started servers, each stage, and the budget.
import { groupOf } from './groups.mjs';

const DEAREST = 20;
const seconds = (ms) => (ms / 1000).toFixed(1);

/** Formats a time as minutes and seconds, for example `3:07`. */
export function minutes(ms) {
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function sumBy(rows, readKey, readAmount) {
  const sums = new Map();
  for (const row of rows) sums.set(readKey(row), (sums.get(readKey(row)) ?? 0) + readAmount(row));
  return [...sums].sort((a, b) => b[1] - a[1]);
}

/** Lists the twenty files that cost most CPU. */
export function mostExpensiveFiles(costs) {
  const rows = [...costs].sort((a, b) => b.cpuMs - a.cpuMs).slice(0, DEAREST);
  return [
    '  CPU s  elapsed s  file',
    ...rows.map(
      ({ file, cpuMs, wallMs }) =>
        `${seconds(cpuMs).padStart(7)}${seconds(wallMs).padStart(11)}  ${file}`,
    ),
  ];
}

export function costsByGroup(costs) {
  return sumBy(
    costs,
    ({ file }) => groupOf(file),
    ({ cpuMs }) => cpuMs,
  ).map(([group, cpuMs]) => `${group.padEnd(14)}${seconds(cpuMs).padStart(8)} CPU s`);
}

/** Formats a line like `Started: 12 service, 1 browser`. */
export function startsLine(starts) {
  const sums = sumBy(
    starts,
    (what) => what,
    () => 1,
  );
  return `Started: ${sums.map(([what, count]) => `${count} × ${what}`).join(', ') || 'nothing'}`;
}

/** Formats one line per stage, and a line with the sum of all stages. */
export function stageTable(stages) {
  const line = (name, elapsedMs, cpu) =>
    `${name.padEnd(26)}${minutes(elapsedMs).padStart(7)}${Number.isNaN(cpu) ? '' : `${cpu.toFixed(0)} CPU s`.padStart(14)}`;
  const total = (key) => stages.reduce((sum, stage) => sum + stage[key], 0);
  return [
    ...stages.map(({ name, elapsedMs, cpu }) => line(name, elapsedMs, cpu)),
    line('all', total('elapsedMs'), total('cpu')),
  ];
}

/**
 * Returns whether the run stayed within the budget, and a sentence that says so. `loopMs` is the cost of the fixed loop
 * on the budget's machine. A slower machine gets a proportionally larger budget; a faster machine gets the same budget.
 */
export function judgeBudget({ cpuSeconds, loopMs }, spent, measuredLoopMs) {
  if (Number.isNaN(spent)) return { isKept: true, line: 'This system does not count CPU time.' };
  const factor = Math.max(1, measuredLoopMs / loopMs);
  const allowed = cpuSeconds * factor;
  const line = `CPU: ${spent.toFixed(0)} s of ${allowed.toFixed(0)} s (budget ${cpuSeconds} s × ${factor.toFixed(2)} for this machine)`;
  return { isKept: spent <= allowed, line };
}
