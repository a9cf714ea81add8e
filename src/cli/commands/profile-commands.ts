/** `profiles`: lists the profiles of the account. To change profiles, users run `apply`. */
import type { Command } from 'commander';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';
import { profileShape } from '../shapes';
import { formatTable } from '../table';

export function addProfileCommands(program: Command, cli: Cli): void {
  program
    .command('profiles')
    .description('List profiles, whose values checks inherit')
    .command('list')
    .alias('ls')
    .description('List profiles with the fields that they set')
    .action((_options: object, command: Command) => runInSession(cli, command, listProfiles));
}

async function listProfiles({ client, output }: Session): ExitStatus {
  const data = await client().list('v1/profiles', profileShape);
  output.show({ data }, () => {
    if (data.length === 0) return 'There are no profiles.';
    return formatTable(
      data,
      [
        { title: 'key', cell: ({ key }) => key },
        { title: 'name', cell: ({ name }) => name },
        { title: 'sets', cell: ({ set }) => Object.keys(set).sort().join(', ') },
      ],
      output.width,
    );
  });
  return undefined;
}
