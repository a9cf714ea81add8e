/**
 * `secrets`: sets secrets. Reads the values from the input and never from the command line, because other processes can
 * see the command line.
 */
import type { Command } from 'commander';
import { askHidden, readInput } from '../ask';
import { usageError } from '../cli-error';
import { formatAgo } from '../durations';
import { type Cli, runInSession, type Session } from '../session';
import { secretShape } from '../shapes';
import { formatTable } from '../table';

interface SetOptions {
  readonly fromEnv?: string;
  readonly hosts?: string;
}

/** Returns the hosts, or nothing if the option is missing. The hosts of the secret are then unchanged. */
function parseHosts(list: string | undefined): { readonly hosts?: readonly string[] } {
  return list === undefined ? {} : { hosts: list.split(',').map((host) => host.trim()) };
}

export function addSecretCommands(program: Command, cli: Cli): void {
  const group = program
    .command('secrets')
    .description('Manage secrets: values can be written but never read');
  group
    .command('set')
    .description('Set a secret: asks for the value, or reads standard input or a variable')
    .argument('<name>')
    .option('--from-env <variable>', 'take the value of this environment variable')
    .option('--hosts <list>', 'hosts that it may be sent to, like api.example.com,*.shop.example')
    .action((name: string, { fromEnv, hosts }: SetOptions, command: Command) =>
      runInSession(cli, command, async (session) => {
        const value = await readValue(session, fromEnv);
        const path = `v1/secrets/${encodeURIComponent(name)}`;
        const kept = await session
          .client()
          .call(path, secretShape, { method: 'PUT', body: { value, ...parseHosts(hosts) } });
        session.output.show(kept, () => `${kept.name} saved (version ${kept.version}).`);
        return undefined;
      }),
    );
  group
    .command('list')
    .alias('ls')
    .description('List secrets by name')
    .action((_options: object, command: Command) =>
      runInSession(cli, command, async ({ client, output, now }) => {
        const data = await client().list('v1/secrets', secretShape);
        const columns = [
          { title: 'name', cell: (secret: (typeof data)[number]) => secret.name },
          {
            title: 'used by',
            cell: (secret: (typeof data)[number]) => String(secret.usedBy.length),
          },
          {
            title: 'changed',
            cell: (secret: (typeof data)[number]) => formatAgo(secret.updatedAt, now()),
          },
        ];
        output.show({ data }, () =>
          data.length === 0 ? 'There are no secrets.' : formatTable(data, columns, output.width),
        );
        return undefined;
      }),
    );
  group
    .command('delete')
    .description('Delete a secret; checks that use it are unknown from then on')
    .argument('<name>')
    .action((name: string, _options: object, command: Command) =>
      runInSession(cli, command, async ({ client, output }) => {
        await client().send(`v1/secrets/${encodeURIComponent(name)}`, { method: 'DELETE' });
        output.show({ deleted: name }, () => `Deleted ${name}.`);
        return undefined;
      }),
    );
}

/** Reads the value. Removes a line break at the end, because it belongs to the file and not to the value. */
async function readValue(session: Session, variable: string | undefined): Promise<string> {
  if (variable !== undefined) {
    const value = session.environment[variable];
    if (value !== undefined && value !== '') return value;
    throw usageError(`The environment variable ${variable} is not set.`);
  }
  const isAsked = session.stdin.isTTY === true;
  const text = isAsked ? await askHidden(session, 'Value: ') : await readInput(session);
  const value = text.replace(/\r?\n$/, '');
  if (value !== '') return value;
  throw usageError('No value was given.', 'Pipe it in, or use --from-env VARIABLE.');
}
