/** `rollouts`: lists rollouts, follows their progress, and undoes them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { EXIT_CODES } from '../cli-error';
import { formatAgo } from '../durations';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { type Rollout, rolloutShape, rolloutWithItemsShape } from '../shapes';
import { formatTable } from '../table';

const PATH = 'v1/rollouts';
const ASK_EVERY_MS = 500;

interface WaitOption {
  readonly wait?: true;
}

export function addRolloutCommands(program: Command, cli: Cli): void {
  const group = program
    .command('rollouts')
    .description('Show and undo changes of many checks at once');
  group
    .command('list')
    .alias('ls')
    .description('List rollouts, newest first')
    .action((_options: object, command: Command) => runInSession(cli, command, listRollouts));
  group
    .command('show')
    .description('Show a rollout, and the checks that it did not change')
    .argument('<id>')
    .option('--wait', 'wait for its end; exit code 1 if a check could not be changed')
    .action((id: string, options: WaitOption, command: Command) =>
      runInSession(cli, command, (session) => showRollout(session, id, options)),
    );
  group
    .command('undo')
    .description('Undo a rollout that ended within the last 24 hours')
    .argument('<id>')
    .option('--wait', 'wait for the end of the undo; exit code 1 if a check was not restored')
    .action((id: string, options: WaitOption, command: Command) =>
      runInSession(cli, command, async (session) => {
        const path = `${buildPath(id)}/undo`;
        const call = { method: 'POST', body: {} } as const;
        const undo = await session.client().call(path, rolloutShape, call);
        return showRollout(session, undo.id, options);
      }),
    );
}

function buildPath(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

async function listRollouts({ client, output, now }: Session): ExitStatus {
  const data = await client().list(PATH, rolloutShape);
  output.show({ data }, () => {
    if (data.length === 0) return 'There are no rollouts.';
    return formatTable(
      data,
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'state', cell: formatState },
        { title: 'change', cell: describeChange },
        { title: 'by', cell: ({ actor }) => actor.name },
        { title: 'started', cell: ({ createdAt }) => formatAgo(createdAt, now()) },
      ],
      output.width,
    );
  });
  return undefined;
}

export async function showRollout(session: Session, id: string, { wait }: WaitOption): ExitStatus {
  const { output } = session;
  const client = session.client();
  const path = buildPath(id);
  if (wait === true) await untilEnded(session, path);
  const rollout = await client.call(path, rolloutWithItemsShape, { query: { limit: '500' } });
  const left = rollout.items.data.filter(({ reason }) => reason != null);
  output.show(rollout, () =>
    [
      `${rollout.id}: ${formatState(rollout)}`,
      describeChange(rollout),
      formatCounts(rollout),
      ...left.map(({ id: itemId, name, reason }) => `  ${name || itemId}: ${reason?.detail ?? ''}`),
      ...buildHint(rollout),
    ].join('\n'),
  );
  return wait === true && rollout.progress.failed > 0 ? EXIT_CODES.failed : undefined;
}

async function untilEnded({ client, output }: Session, path: string): Promise<void> {
  let shown = '';
  for (;;) {
    const rollout = await client().call(path, rolloutShape, { query: { limit: '1' } });
    if (rollout.state === 'ended') break;
    const line = formatState(rollout);
    if (line !== shown) output.progress(line);
    shown = line;
    await sleep(ASK_EVERY_MS);
  }
  output.clearProgress();
}

function formatState({ state, waitsFor, progress }: Rollout): string {
  const { total, pending } = progress;
  if (state === 'ended') return 'ended';
  const done = `${total - pending} of ${total}`;
  return waitsFor == null ? `${state}, ${done}` : `waits for ${waitsFor}`;
}

function formatCounts({ progress }: Rollout): string {
  const { changed, unchanged, failed, skipped } = progress;
  return `${changed} changed, ${unchanged} unchanged, ${failed} failed, ${skipped} skipped`;
}

function describeChange({ cause, change }: Rollout): string {
  if (cause.type === 'undo') return `undo of ${cause.rolloutId ?? ''}`;
  if (cause.type !== 'edit') return [cause.type, cause.key].filter(Boolean).join(' ');
  const set = Object.entries(change.set ?? {}).map(
    ([name, value]) => `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [...set, ...(change.unset ?? []).map((name) => `${name} = default`)].join(', ');
}

function buildHint({ id, undoUntil, undoneBy }: Rollout): readonly string[] {
  if (undoneBy != null) return [`Undone by ${undoneBy}.`];
  if (undoUntil == null) return [];
  return [`Until ${undoUntil} undo it with: keepwatch rollouts undo ${id}`];
}
