/**
 * `operator accounts`: manages all accounts of an installation. The command needs a key that was created for operators.
 */
import { Argument, type Command, Option } from 'commander';
import { z } from 'zod';
import { PLANS } from '../../domain/accounts/plan';
import { findNearestItems } from '../../domain/text/nearest-word';
import { confirm } from '../ask';
import { CliError, EXIT_CODES } from '../cli-error';
import type { Client } from '../client';
import { formatAgo } from '../durations';
import { replaceControls } from '../paint';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { formatTable } from '../table';

const PATH = 'v1/operator/accounts';

const countsShape = z.looseObject({
  monitors: z.number(),
  scenarios: z.number(),
  members: z.number(),
});

const operatedAccountShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  state: z.string(),
  suspended: z.looseObject({ reason: z.string(), since: z.string() }).nullable(),
  isFirst: z.boolean(),
  bounds: countsShape,
  usage: countsShape,
  createdAt: z.string(),
});

type OperatedAccount = z.output<typeof operatedAccountShape>;

const newOperatedAccountShape = operatedAccountShape.extend({
  owner: z.looseObject({ email: z.string(), acceptUrl: z.string().nullable() }),
});

/** The argument of every command that acts on one account. */
const ACCOUNT = ['<account>', 'id or name'] as const;

export function addOperatorCommands(program: Command, cli: Cli): void {
  const group = program
    .command('operator')
    .description('Manage all accounts of an installation')
    .command('accounts')
    .description('List, create, suspend and delete accounts, and set their plans');
  addReading(group, cli);
  addCreating(group, cli);
  addSuspending(group, cli);
  addPlan(group, cli);
  addDeleting(group, cli);
}

function addReading(group: Command, cli: Cli): void {
  group
    .command('list')
    .alias('ls')
    .description('List accounts, newest first')
    .action((_options: object, command: Command) =>
      runInSession(cli, command, async (session) => {
        const data = await session.client().list(PATH, operatedAccountShape);
        session.output.show({ data }, () => table(session, data));
        return undefined;
      }),
    );
  group
    .command('get')
    .description('Show an account, with what it uses of its plan')
    .argument(...ACCOUNT)
    .action((reference: string, _options: object, command: Command) =>
      runInSession(cli, command, async (session) => {
        const account = await findAccount(session.client(), reference);
        session.output.show(account, () => describe(account));
        return undefined;
      }),
    );
}

interface CreateOptions {
  readonly owner: string;
  readonly plan?: string;
}

function addCreating(group: Command, cli: Cli): void {
  group
    .command('create')
    .description('Create an account and invite its owner; prints a link if it cannot be mailed')
    .argument('<name>')
    .requiredOption('--owner <email>', 'email address of the owner')
    .addOption(new Option('--plan <plan>', 'default is that of the installation').choices(PLANS))
    .action((name: string, { owner: ownerEmail, plan }: CreateOptions, command: Command) =>
      runInSession(cli, command, async ({ client, output }) => {
        const body = { name, ownerEmail, ...(plan !== undefined && { plan }) };
        const made = await client().call(PATH, newOperatedAccountShape, { method: 'POST', body });
        const { email, acceptUrl } = made.owner;
        output.note(`Created ${made.id} with the plan ${made.plan}.`);
        // The link has its own line, so that it can be piped to another command.
        output.show(made, () => acceptUrl ?? `Invited ${email}.`);
        return undefined;
      }),
    );
}

function addSuspending(group: Command, cli: Cli): void {
  group
    .command('suspend')
    .description('Check nothing and refuse changes until the account is resumed')
    .argument(...ACCOUNT)
    .requiredOption('--reason <text>', 'shown to the people of the account')
    .action((reference: string, { reason }: { reason: string }, command: Command) =>
      runInSession(cli, command, (session) =>
        change(session, reference, {
          body: { suspended: { reason } },
          done: ({ name }) => `${name} is suspended.`,
        }),
      ),
    );
  group
    .command('resume')
    .description('Check everything of an account again')
    .argument(...ACCOUNT)
    .action((reference: string, _options: object, command: Command) =>
      runInSession(cli, command, (session) =>
        change(session, reference, {
          body: { suspended: null },
          done: ({ name }) => `${name} is active.`,
        }),
      ),
    );
}

function addPlan(group: Command, cli: Cli): void {
  group
    .command('set-plan')
    .description('Change the plan; objects above its limits stay, but none can be added')
    .argument(...ACCOUNT)
    .addArgument(new Argument('<plan>').choices(PLANS))
    .action((reference: string, plan: string, _options: object, command: Command) =>
      runInSession(cli, command, (session) =>
        change(session, reference, {
          body: { plan },
          done: (account) =>
            `${account.name} has the plan ${account.plan}.${warnAboveLimits(account)}`,
        }),
      ),
    );
}

interface AccountChange {
  readonly body: object;
  readonly done: (account: OperatedAccount) => string;
}

async function change(
  { client, output }: Session,
  reference: string,
  { body, done }: AccountChange,
): ExitStatus {
  const found = await findAccount(client(), reference);
  const changed = await client().call(buildPath(found), operatedAccountShape, {
    method: 'PATCH',
    body,
  });
  output.show(changed, () => done(changed));
  return undefined;
}

function addDeleting(group: Command, cli: Cli): void {
  group
    .command('delete')
    .description('Delete an account with everything that it owns; asks first')
    .argument(...ACCOUNT)
    .option('-y, --yes', 'do not ask')
    .action((reference: string, { yes }: { yes?: true }, command: Command) =>
      runInSession(cli, command, async (session) => {
        const account = await findAccount(session.client(), reference);
        const { id, name, usage } = account;
        const owned = `${usage.monitors} monitors, ${usage.scenarios} scenarios and ${usage.members} members`;
        if (yes !== true) await confirm(session, `Delete ${name} with ${owned}?`);
        await session.client().send(buildPath(account), { method: 'DELETE' });
        session.output.show(
          { deleted: { id, name } },
          () => `Deleting ${name}. Its data is gone in a few minutes.`,
        );
        return undefined;
      }),
    );
}

function buildPath({ id }: OperatedAccount): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

/** Maximum number of names in a hint. */
const SUGGESTED_MAX = 3;

/** Finds the account by its id or name. Throws if no account or more than one account has this name. */
async function findAccount(client: Client, reference: string): Promise<OperatedAccount> {
  if (reference.startsWith('acc_'))
    return client.call(`${PATH}/${encodeURIComponent(reference)}`, operatedAccountShape);
  const all = await client.list(PATH, operatedAccountShape);
  const found = all.filter(({ name }) => name === reference);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (first !== undefined)
    throw new CliError(EXIT_CODES.rejected, `${found.length} accounts are named ${reference}.`, {
      code: 'ambiguous',
      hint: `Use an id: ${found.map(({ id }) => id).join(', ')}.`,
    });
  const names = all.map(({ name }) => name);
  const likely = findNearestItems(reference, names, (name) => [name]).slice(0, SUGGESTED_MAX);
  throw new CliError(EXIT_CODES.rejected, `There is no account named ${reference}.`, {
    code: 'not_found',
    hint:
      likely.length === 0
        ? 'To see all, run keepwatch operator accounts list.'
        : `Similar: ${likely.join(', ')}.`,
  });
}

const LIMITED = ['monitors', 'scenarios', 'members'] as const;

function describe(account: OperatedAccount): string {
  const { id, name, plan, suspended, usage, bounds, createdAt } = account;
  const facts: readonly (readonly [string, string])[] = [
    ['id', id],
    ['state', describeState(account)],
    ...(suspended === null ? [] : [['reason', suspended.reason] as const]),
    ['plan', plan],
    ...LIMITED.map((kind) => [kind, `${usage[kind]} of ${bounds[kind]}`] as const),
    ['created', createdAt],
  ];
  return [name, ...facts.map(([title, text]) => `${title.padEnd(11)}${text}`)]
    .map(replaceControls)
    .join('\n');
}

function describeState({ state, isFirst, suspended }: OperatedAccount): string {
  if (suspended !== null) return `${state} since ${suspended.since}`;
  return isFirst ? `${state}; the first account, which cannot be suspended or deleted` : state;
}

function warnAboveLimits({ usage, bounds }: OperatedAccount): string {
  const above = LIMITED.filter((kind) => usage[kind] > bounds[kind]);
  if (above.length === 0) return '';
  const parts = above.map((kind) => `${usage[kind]} ${kind} (limit ${bounds[kind]})`);
  return ` It has ${parts.join(', ')}: nothing is removed, but none can be added.`;
}

function table({ output, now }: Session, accounts: readonly OperatedAccount[]): string {
  const used =
    (kind: (typeof LIMITED)[number]) =>
    ({ usage, bounds }: OperatedAccount) =>
      `${usage[kind]}/${bounds[kind]}`;
  return formatTable(
    accounts,
    [
      { title: 'id', cell: ({ id }) => id },
      { title: 'name', cell: ({ name }) => name },
      { title: 'plan', cell: ({ plan }) => plan },
      { title: 'state', cell: ({ state }) => state },
      ...LIMITED.map((kind) => ({ title: kind, cell: used(kind) })),
      { title: 'created', cell: ({ createdAt }) => formatAgo(createdAt, now()) },
    ],
    output.width,
  );
}
