/** `login` and `logout`: store and remove the service's URL and key for the user who runs the command. */
import type { Command } from 'commander';
import { ask, askHidden, readInput } from '../ask';
import { usageError } from '../cli-error';
import { createClient } from '../client';
import { type Cli, readServerUrl, runInSession, type Session } from '../session';
import { accountShape } from '../shapes';
import { findLoginFile, removeLogin, writeLogin } from '../stored-login';

export function addLoginCommands(program: Command, cli: Cli): void {
  program
    .command('login')
    .description(
      'Save the URL of a service and an API key; the key is asked for, or read from standard input',
    )
    .action((_options: object, command: Command) =>
      runInSession(cli, command, (session) => login(session, command.optsWithGlobals()['url'])),
    );
  program
    .command('logout')
    .description('Remove saved credentials')
    .action((_options: object, command: Command) =>
      runInSession(cli, command, async ({ output, environment }) => {
        removeLogin(environment);
        output.show({ loggedOut: true }, () => 'Forgotten.');
        return undefined;
      }),
    );
}

async function login(session: Session, urlOption: unknown): Promise<undefined> {
  const { environment, stdin, output, version } = session;
  const isAsked = stdin.isTTY === true;
  const known = typeof urlOption === 'string' ? urlOption : environment['KEEPWATCH_URL'];
  if (known === undefined && !isAsked)
    throw usageError(
      'The URL of the service is missing.',
      'Use keepwatch login --url https://keepwatch.example.com',
    );
  const url = readServerUrl(known ?? (await ask(session, 'URL of the service: ')));
  const typed = isAsked ? await askHidden(session, 'API key: ') : (await readInput(session)).trim();
  const apiKey = typed === '' ? (environment['KEEPWATCH_API_KEY'] ?? '') : typed;
  if (apiKey === '')
    throw usageError('No API key was given.', 'Pipe it in: keepwatch login < key-file');
  const userAgent = `keepwatch-cli/${version}`;
  const client = createClient({ url, apiKey, userAgent, environment, note: output.note });
  const account = await client.call('v1/account', accountShape);
  const file = writeLogin(environment, { url, apiKey });
  const result = { url, account: { id: account.id, name: account.name }, file };
  output.show(
    result,
    () => `Logged in to ${account.name} at ${url}\nSaved in ${findLoginFile(environment)}`,
  );
  return undefined;
}
