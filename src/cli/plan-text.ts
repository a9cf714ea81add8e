/** Formats the plan of an apply as text: created, changed and deleted objects, field by field. */
import type { ErrorCode } from '../contracts/error-codes';
import { formatFault } from './cli-error';
import type { DefinitionSet } from './files/definition-files';
import type { Output } from './output';
import { type Colour, replaceControls } from './paint';
import type { AppliedObject, AppliedSet } from './shapes';
import { fitToWidth } from './table';

const MARKS: Readonly<Record<AppliedObject['action'], readonly [string, Colour]>> = {
  create: ['+', 'green'],
  update: ['~', 'yellow'],
  delete: ['-', 'red'],
  unchanged: ['=', 'grey'],
};
const LIST_OF_KIND = {
  alertChannel: 'alertChannels',
  alertPolicy: 'alertPolicies',
  alertRoutes: 'alertRoutes',
  hours: 'hours',
  profile: 'profiles',
  maintenanceWindow: 'maintenanceWindows',
  monitor: 'monitors',
  scenario: 'scenarios',
  statusPage: 'statusPages',
  variables: 'variables',
  environment: 'environments',
} as const;
const WORDS: Readonly<Record<AppliedObject['action'], readonly [planned: string, done: string]>> = {
  create: ['to create', 'created'],
  update: ['to update', 'updated'],
  delete: ['to delete', 'deleted'],
  unchanged: ['unchanged', 'unchanged'],
};
const VALUE_WIDTH = 60;
/** The code of an object that failed because Temporal or the database did not respond in time. */
const UNAVAILABLE: ErrorCode = 'unavailable';

export function isEmptyPlan({ summary }: AppliedSet): boolean {
  return summary.create + summary.update + summary.delete === 0;
}

export function formatPlan(output: Output, applied: AppliedSet, files: DefinitionSet): string {
  const deferred = applied.objects.filter(isDeferred);
  const shown = applied.objects.filter(
    (object) => !isDeferred(object) && (object.action !== 'unchanged' || hasFailed(object)),
  );
  const lines = shown.flatMap((object) => formatLines(output, object, findOrigin(object, files)));
  const missing =
    applied.missingSecrets.length === 0
      ? []
      : [
          `${output.paint('yellow', `Missing secrets: ${applied.missingSecrets.join(', ')}`)} (checks that use them stay “unknown”). Set: keepwatch secrets set NAME`,
        ];
  return [
    ...lines,
    ...deferredLines(output, deferred),
    ...missing,
    summaryText(output, applied),
  ].join('\n');
}

function hasFailed({ outcome }: AppliedObject): boolean {
  return outcome === 'failed';
}

/** True if the object itself is valid, but the service was too busy or a dependency did not respond. */
function isDeferred(object: AppliedObject): boolean {
  return hasFailed(object) && object.problem?.code === UNAVAILABLE;
}

/** True if a repeated apply may succeed for every object that failed. */
export function areAllDeferred({ objects }: AppliedSet): boolean {
  return objects.filter(hasFailed).every(isDeferred);
}

function deferredLines({ paint }: Output, deferred: readonly AppliedObject[]): readonly string[] {
  const [first] = deferred;
  if (first === undefined) return [];
  const count = deferred.length === 1 ? '1 object' : `${deferred.length} objects`;
  const why = replaceControls(first.problem?.detail ?? '');
  return [paint('red', `! ${count} not applied. ${why} Run it again.`)];
}

function findOrigin({ kind, index }: AppliedObject, { lists }: DefinitionSet): string {
  const list = Object.entries(LIST_OF_KIND).find(([known]) => known === kind)?.[1];
  if (list === undefined || index === null || index === undefined) return '';
  return lists[list][index]?.origin ?? '';
}

/** Returns the plan for machine-readable output. `at` is the file and line of an object that comes from a file. */
export function withOrigins(applied: AppliedSet, files: DefinitionSet) {
  const objects = applied.objects.map((object) => {
    const at = findOrigin(object, files);
    return at === '' ? object : { ...object, at };
  });
  return { ...applied, objects };
}

function formatLines({ paint }: Output, object: AppliedObject, origin: string): readonly string[] {
  const { kind, key, id, name, action, changes, outcome, problem, signingSecret } = object;
  const [mark, colour] = MARKS[action];
  const title = `${kind} ${key ?? id ?? ''}${name ? ` (${name})` : ''}`;
  if (outcome === 'failed' || outcome === 'skipped') {
    const faults = (problem?.errors ?? []).map((fault) => `    ${formatFault(fault)}`);
    const detail = faults.length > 0 ? faults : [`    ${problem?.detail ?? ''}`];
    const where = origin === '' ? '' : ` at ${origin}`;
    return [
      paint('red', `! ${replaceControls(title)}${replaceControls(where)}`),
      ...detail.map(replaceControls),
    ];
  }
  const head = paint(colour, `${mark} ${replaceControls(title)}`);
  const secret =
    signingSecret === undefined ? [] : [`    signing secret, shown only once: ${signingSecret}`];
  if (action !== 'update') return [head, ...secret];
  return [
    head,
    ...changes.map(({ path, before, after }) =>
      replaceControls(`    ${path}: ${valueText(before)} → ${valueText(after)}`),
    ),
  ];
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return fitToWidth(text, VALUE_WIDTH).trimEnd();
}

function summaryText({ paint }: Output, { summary, dryRun }: AppliedSet): string {
  const parts = (['create', 'update', 'delete', 'unchanged'] as const).flatMap((action) => {
    const words = WORDS[action];
    return summary[action] === 0 ? [] : [`${summary[action]} ${dryRun ? words[0] : words[1]}`];
  });
  const failed = summary.failed === 0 ? [] : [paint('red', `${summary.failed} failed`)];
  const skipped = summary.skipped === 0 ? [] : [`${summary.skipped} not pruned`];
  const all = [...parts, ...skipped, ...failed];
  return all.length === 0 ? 'Nothing to do.' : `${all.join(', ')}.`;
}
