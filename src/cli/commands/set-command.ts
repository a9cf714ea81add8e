/**
 * `monitors set` and `scenarios set`: change fields of many checks at once by starting a rollout. Show the plan first.
 */
import type { Command } from 'commander';
import { z } from 'zod';
import { confirm } from '../ask';
import { EXIT_CODES, usageError } from '../cli-error';
import { type Collection, findResources } from '../find-resources';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { rolloutShape } from '../shapes';
import { formatTable } from '../table';
import { showRollout } from './rollout-commands';

const planShape = z.looseObject({
  summary: z.looseObject({
    total: z.number(),
    change: z.number(),
    unchanged: z.number(),
    invalid: z.number(),
  }),
  items: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      changes: z.array(
        z.looseObject({ path: z.string(), before: z.unknown(), after: z.unknown() }),
      ),
    }),
  ),
  problems: z.array(
    z.looseObject({ id: z.string(), name: z.string(), path: z.string(), message: z.string() }),
  ),
});
type Plan = z.output<typeof planShape>;

interface SetOptions {
  readonly key?: readonly string[];
  readonly tag?: string;
  readonly group?: string;
  readonly region?: string;
  readonly search?: string;
  readonly unset?: readonly string[];
  readonly dryRun?: true;
  readonly wait?: true;
  readonly yes?: true;
}

export function addSetCommand(group: Command, cli: Cli, collection: Collection): void {
  group
    .command('set')
    .description(`Change fields of many ${collection} at once; shows the plan first`)
    .argument('[fields...]', 'like interval=30 or tags=["shop"]')
    .option('--key <keys...>', 'these, by key, id or name')
    .option('--tag <tag>', 'all with the tag')
    .option('--group <group>', 'all in the group')
    .option('--region <region>', 'all that are checked from the region')
    .option('--search <text>', 'all with the text in name, key or URL')
    .option(
      '--unset <fields...>',
      'fields that return to the value of the profile, or else to the default',
    )
    .option('--dry-run', 'only show the plan')
    .option('--wait', 'wait for the end; exit code 1 if a check could not be changed')
    .option('-y, --yes', 'do not ask')
    .action((fields: string[], options: SetOptions, command: Command) =>
      runInSession(cli, command, (session) => setFields(session, collection, { fields, options })),
    );
}

interface Request {
  readonly fields: readonly string[];
  readonly options: SetOptions;
}

async function setFields(
  session: Session,
  collection: Collection,
  { fields, options }: Request,
): ExitStatus {
  const { output } = session;
  const client = session.client();
  const set = Object.fromEntries(fields.map(parseField));
  const { unset = [] } = options;
  if (fields.length + unset.length === 0)
    throw usageError('No field is given.', 'Write interval=30 or --unset retries.');
  const change = { action: 'set', set, unset };
  const body = { ...(await select(session, collection, options)), ...change };
  const path = collection === 'monitors' ? 'v1/monitors/bulk' : 'v1/checks/bulk';
  const call = { method: 'POST', body: { ...body, dryRun: true } } as const;
  const plan = await client.call(path, planShape, call);
  if (plan.summary.total === 0) throw usageError(`No ${collection} match. Nothing was changed.`);
  const text = () => planText(plan, output.width);
  if (options.dryRun === true || plan.summary.invalid > 0 || plan.summary.change === 0) {
    output.show(plan, text);
    return plan.summary.invalid > 0 ? EXIT_CODES.rejected : undefined;
  }
  if (options.yes !== true) {
    output.note(text());
    await confirm(session, `Change ${plan.summary.change} ${collection}?`, 'Nothing was changed.');
  }
  const rollout = await client.call(path, rolloutShape, { method: 'POST', body });
  return showRollout(session, rollout.id, options);
}

/** Converts the options to a filter. Keys are looked up here; the service evaluates all other conditions. */
async function select(
  { client }: Session,
  collection: Collection,
  { key, tag, group, region, search }: SetOptions,
): Promise<object> {
  const conditions = Object.entries({ tag, group, region, q: search }).filter(
    ([, value]) => value !== undefined,
  );
  if ((key === undefined) === (conditions.length === 0))
    throw usageError(
      `Give either --key or a condition, such as --tag, so that not all ${collection} change.`,
    );
  if (key === undefined) {
    const type = collection === 'scenarios' ? { type: 'scenario' } : {};
    return { filter: { ...Object.fromEntries(conditions), ...type } };
  }
  const found = await findResources(client(), collection, { references: key, verb: 'set' });
  return { ids: found.map(({ id }) => id) };
}

/** Parses `name=value`. If the value is not valid JSON, it is used as text. */
function parseField(text: string): readonly [string, unknown] {
  const [, name = '', value = ''] = /^(\w+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === '') throw usageError(`${text} is not field=value.`, 'Write interval=30.');
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}

function planText({ summary, items, problems }: Plan, width: number | null): string {
  const rows = items.flatMap(({ name, changes }) => changes.map((one) => ({ name, ...one })));
  const table = formatTable(
    rows,
    [
      { title: 'name', cell: ({ name }) => name },
      { title: 'field', cell: ({ path }) => path },
      { title: 'from', cell: ({ before }) => formatValue(before) },
      { title: 'to', cell: ({ after }) => formatValue(after) },
    ],
    width,
  );
  const { change, unchanged, invalid } = summary;
  return [
    ...(rows.length === 0 ? [] : [table]),
    `${change} to change, ${unchanged} unchanged, ${invalid} invalid`,
    ...problems.map(({ id, name, path, message }) =>
      `  ${name || id}: ${path} ${message}`.trimEnd(),
    ),
  ].join('\n');
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
