/** `apply` and `export`: the configuration of a service, stored in files. */
import type { Command } from 'commander';
import { z } from 'zod';
import { SET_LISTS } from '../../schemas/apply';
import { ask } from '../ask';
import { CliError, EXIT_CODES, usageError } from '../cli-error';
import type { DefinitionSet } from '../files/definition-files';
import { writeText } from '../files/file-access';
import { addFileOptions, type FileOptions, readFiles } from '../files/read-files';
import { formatData } from '../output';
import { replaceControls } from '../paint';
import { areAllDeferred, formatPlan, isEmptyPlan, withOrigins } from '../plan-text';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { type AppliedSet, alertChannelShape, appliedSetShape } from '../shapes';

/** Time limit of a request. The service needs less time, even for the largest set. */
const APPLY_TIMEOUT_MS = 130_000;

interface ApplyOptions extends FileOptions {
  readonly dryRun?: true;
  readonly failOnDrift?: true;
  readonly prune?: true;
  readonly pruneMax?: number;
  readonly set?: string;
  readonly partial?: true;
  readonly yes?: true;
}

export function addApplyCommands(program: Command, cli: Cli): void {
  const applying = program
    .command('apply')
    .description('Apply configuration files; shows the plan and asks first');
  addFileOptions(applying)
    .option('--dry-run', 'show the plan and change nothing')
    .option('--fail-on-drift', `with --dry-run: exit code ${EXIT_CODES.drift} when there is a plan`)
    .option('--prune', 'delete what apply created under this set and the files no longer contain')
    .option('--prune-max <count>', 'how many objects --prune may delete', wholeNumber)
    .option('--set <name>', 'name of the set that --prune and export refer to')
    .option('--partial', 'apply the rest even if an object is invalid')
    .option('-y, --yes', 'do not ask')
    .action((options: ApplyOptions, command: Command) =>
      runInSession(cli, command, (session) => apply(session, options)),
    );
  program
    .command('export')
    .description('Export the configuration as a file for apply')
    .option('--file <path>', 'output file; default is standard output')
    .option('--set <name>', 'only objects that apply created under this set')
    .option('--tag <tag>', 'only objects with the tag')
    .action((options: Readonly<Record<string, string>>, command: Command) =>
      runInSession(cli, command, (session) => exportSet(session, options)),
    );
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw usageError(`${text} is not a number of objects.`);
}

async function apply(session: Session, options: ApplyOptions): ExitStatus {
  const { output } = session;
  const files = await readFiles(session, options);
  const isDry = options.dryRun === true;
  const plan = await send(session, options, { files, isDry: true });
  const isEmpty = isEmptyPlan(plan);
  const isRefused = plan.summary.failed > 0 && options.partial !== true;
  if (isDry || isRefused || isEmpty) {
    output.show(withOrigins(plan, files), () => formatPlan(output, plan, files));
    const rest = isEmpty ? '' : ' Use --partial to apply the rest.';
    if (isRefused) output.warn(`Nothing ${isDry ? 'would be' : 'was'} applied.${rest}`);
    if (plan.summary.failed > 0) return EXIT_CODES.failed;
    return isDry && options.failOnDrift === true && !isEmpty ? EXIT_CODES.drift : undefined;
  }
  if (options.yes !== true) await confirm(session, plan, files);
  const applied = await send(session, options, { files, isDry: false });
  output.show(withOrigins(applied, files), () => formatPlan(output, applied, files));
  await noteOtherChannels(session, applied, files);
  if (applied.summary.failed === 0) return undefined;
  return areAllDeferred(applied) ? EXIT_CODES.notReached : EXIT_CODES.failed;
}

/**
 * Warns of new channels that are not default channels. Users may not expect this, because the first channel
 * of an account becomes a default channel automatically. Leaves out channels whose files set `isDefault`.
 */
async function noteOtherChannels(
  { client, output }: Session,
  { objects }: AppliedSet,
  { lists }: DefinitionSet,
): Promise<void> {
  const made = objects.flatMap(({ kind, action, outcome, index, id }) => {
    const isMade = kind === 'alertChannel' && action === 'create' && outcome !== 'failed';
    const isOpen = lists.alertChannels[index ?? -1]?.value['isDefault'] === undefined;
    return isMade && isOpen && id != null ? [id] : [];
  });
  if (made.length === 0) return;
  const channels = await client().list('v1/alert-channels', alertChannelShape);
  const names = channels
    .filter(({ id, isDefault }) => made.includes(id) && !isDefault)
    .map(({ name }) => replaceControls(name));
  if (names.length === 0) return;
  output.warn(
    `Only checks that name them use these channels: ${names.join(', ')}. To use one for every check with default channels, set isDefault: true.`,
  );
}

function send(
  session: Session,
  { prune, pruneMax, set }: ApplyOptions,
  { files, isDry }: { readonly files: DefinitionSet; readonly isDry: boolean },
): Promise<AppliedSet> {
  const name = set ?? files.set;
  const lists = SET_LISTS.map((list) => [list, files.lists[list].map(({ value }) => value)]);
  const body = {
    ...Object.fromEntries(lists),
    dryRun: isDry,
    ...(name !== undefined && { set: name }),
    ...(prune === true && { prune }),
    ...(pruneMax !== undefined && { pruneMax }),
  };
  const { output } = session;
  if (!isDry) output.progress('Applying …');
  const call = { method: 'POST', body, timeoutMs: APPLY_TIMEOUT_MS } as const;
  return session
    .client()
    .call('v1/apply', appliedSetShape, call)
    .finally(() => output.clearProgress());
}

/** Asks the user to confirm the plan. Without a terminal, no question is asked. */
async function confirm(session: Session, plan: AppliedSet, files: DefinitionSet): Promise<void> {
  const { output, stdin } = session;
  if (!output.isInteractive || stdin.isTTY !== true) return;
  session.stderr.write(`${formatPlan(output, plan, files)}\n`);
  const reply = await ask(session, 'Apply this? [y/N] ');
  if (!reply.toLowerCase().startsWith('y'))
    throw new CliError(EXIT_CODES.usage, 'Nothing was applied.');
}

const exportShape = z.record(z.string(), z.array(z.unknown()));

async function exportSet(session: Session, options: Readonly<Record<string, string>>): ExitStatus {
  const { output } = session;
  const { set, tag, file } = options;
  const exported = await session.client().call('v1/export', exportShape, { query: { set, tag } });
  const count = Object.values(exported).reduce((sum, list) => sum + list.length, 0);
  const filters = Object.entries({ set, tag }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${value}`],
  );
  // A mistyped name must not replace a file by an empty one.
  if (count === 0 && filters.length > 0)
    throw usageError(`Nothing matches ${filters.join(' and ')}. Nothing was written.`);
  const filled = Object.fromEntries(Object.entries(exported).filter(([, list]) => list.length > 0));
  const schema = '# yaml-language-server: $schema=';
  const yaml = `${schema}${new URL('v1/schema.json', session.client().url).href}\n${formatData('yaml', filled)}`;
  if (file === undefined) {
    output.show(exported, () => yaml);
    return undefined;
  }
  const text = file.endsWith('.json') ? formatData('json', exported) : yaml;
  writeText(file, `${text}\n`);
  output.show({ file, objects: count }, () => `Wrote ${count} objects to ${file}`);
  return undefined;
}
