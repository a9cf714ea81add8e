/** The tools for every command: the service's URL, a client, and the output. */
import type { Command } from 'commander';
import { CliError, EXIT_CODES, usageError } from './cli-error';
import { type Client, createClient } from './client';
import { createOutput, FORMATS, type Output, type Streams } from './output';
import { createPipelineKey } from './pipeline-key';
import { isSentInClear, isThisMachine } from './sent-in-clear';
import { type Environment, readLogin } from './stored-login';

export interface Surroundings extends Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly environment: Environment;
  readonly version: string;
  readonly now: () => number;
}

export interface Session extends Surroundings {
  readonly output: Output;
  /** Returns the client. It is created on first use, because commands that do not contact the service need no key. */
  readonly client: () => Client;
}

/** The exit code of a command. undefined means 0. */
export type ExitStatus = Promise<number | undefined>;

/** The command line: its surroundings, and the exit code of the command that ran. */
export interface Cli {
  readonly surroundings: Surroundings;
  exitCode: number;
}

/** Runs the work of a command with its session, and stores the exit code. */
export async function runInSession(
  cli: Cli,
  command: Command,
  work: (session: Session) => ExitStatus,
): Promise<void> {
  cli.exitCode = (await work(openSession(cli.surroundings, command))) ?? EXIT_CODES.passed;
}

function openSession(surroundings: Surroundings, command: Command): Session {
  const options: Record<string, unknown> = command.optsWithGlobals();
  const format = FORMATS.find((known) => known === options['output']) ?? 'table';
  const output = createOutput(surroundings, surroundings.environment, {
    format,
    isColourWanted: options['color'] !== false,
    isQuiet: options['quiet'] === true,
  });
  let client: Client | undefined;
  return {
    ...surroundings,
    output,
    client: () => {
      if (client !== undefined) return client;
      const { environment, version, now } = surroundings;
      const { url, credential } = readConnection(environment, textOr(options['url']));
      if (isSentInClear(url)) output.warn(`The API key goes to ${url} without encryption.`);
      const userAgent = `keepwatch-cli/${version}`;
      const way = { url, environment, userAgent, note: output.note };
      const apiKey =
        'apiKey' in credential
          ? credential.apiKey
          : createPipelineKey({
              ...credential,
              environment,
              now,
              client: createClient({ ...way, apiKey: null }),
            });
      client = createClient({ ...way, apiKey });
      return client;
    },
  };
}

interface Address {
  readonly url: string;
  readonly credential: { readonly apiKey: string } | { readonly pipelineId: string };
}

/**
 * Reads the URL and the credential. The URL is the option, or else the URL in the environment, or else the stored URL.
 * The credential is the key in the environment, or else the key of the pipeline, or else the stored key.
 */
function readConnection(environment: Environment, urlOption: string | undefined): Address {
  const pipelineId = environment['KEEPWATCH_PIPELINE'] ?? '';
  const needsFile =
    (environment['KEEPWATCH_API_KEY'] === undefined && pipelineId === '') ||
    (urlOption ?? environment['KEEPWATCH_URL']) === undefined;
  const stored = needsFile ? readLogin(environment) : null;
  const url = urlOption ?? environment['KEEPWATCH_URL'] ?? stored?.url;
  if (url === undefined)
    throw usageError(
      'No server configured.',
      'Set KEEPWATCH_URL, or run keepwatch login. For a local installation: keepwatch login --url http://localhost:3000',
    );
  const serviceUrl = readServerUrl(url);
  // A stored key is sent only to the service that it was stored for.
  const storedKey =
    stored !== null && readServerUrl(stored.url) === serviceUrl ? stored.apiKey : undefined;
  const given = environment['KEEPWATCH_API_KEY'];
  if ((given === undefined || given === '') && pipelineId !== '')
    return { url: serviceUrl, credential: { pipelineId } };
  const apiKey = given ?? storedKey;
  if (apiKey === undefined || apiKey === '') {
    throw new CliError(EXIT_CODES.refused, `No API key is saved for ${serviceUrl}.`, {
      code: 'missing_token',
      hint: 'Set KEEPWATCH_API_KEY, or run keepwatch login.',
    });
  }
  return { url: serviceUrl, credential: { apiKey } };
}

/**
 * Returns the URL with a trailing slash. Throws a usage error if the text is not an http or https URL, or if the URL
 * contains a user or password.
 */
export function readServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usageError(`${text} is not an http or https URL.`, schemeHint(text));
  if (url.username !== '' || url.password !== '')
    throw usageError('The URL must not contain a user or password.');
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/** Returns a hint for a URL without a scheme. `localhost:4310` would be parsed as a URL with the scheme localhost. */
function schemeHint(text: string): string | undefined {
  const host = URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : '';
  if (!/^[^\s:/]+(?::\d+)?(?:\/|$)/.test(text) || host === '') return undefined;
  return `Did you mean ${isThisMachine(host) ? 'http' : 'https'}://${text}?`;
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
