/**
 * `watchdog pair`: makes two installations monitor each other. Creates a heartbeat on each installation, and prints the
 * settings that the user must still make.
 */
import type { Command } from 'commander';
import { z } from 'zod';
import { askHidden, readInput } from '../ask';
import { usageError } from '../cli-error';
import { type Client, createClient } from '../client';
import { parseDuration } from '../durations';
import { isSentInClear, isThisMachine } from '../sent-in-clear';
import { type Cli, readServerUrl, runInSession, type Session } from '../session';
import { accountShape } from '../shapes';

const heartbeatShape = z.looseObject({
  id: z.string(),
  key: z.string().nullish(),
  pingUrl: z.string().optional(),
});

interface Paired {
  /** The ping URL that the other installation must call. */
  readonly url: string;
  readonly set: string;
}

export function addWatchdogCommand(program: Command, cli: Cli): void {
  const group = program
    .command('watchdog')
    .description('Get notified when a whole installation stops working');
  group
    .command('pair')
    .description(
      'Let two installations monitor each other; asks for the API key of the other one, or reads it from standard input',
    )
    .argument('<url>', 'URL of the other installation')
    .option('--every <time>', 'time between pings, at least 30s', '60s')
    .action((url: string, { every }: { every: string }, command: Command) =>
      runInSession(cli, command, (session) => pair(session, url, parseEverySeconds(every))),
    );
}

function parseEverySeconds(text: string): number {
  const seconds = Math.round(parseDuration(text) / 1_000);
  if (seconds >= 30 && seconds <= 86_400) return seconds;
  throw usageError(`--every ${text} must be from 30s to 24h.`);
}

/** Pairs the installations. A repeated call reuses the existing heartbeats. */
async function pair(session: Session, url: string, everySeconds: number): Promise<undefined> {
  const here = session.client();
  const there = await openOther(session, readServerUrl(url));
  const [ours, theirs] = await Promise.all(
    [here, there].map((client) => client.call('v1/account', accountShape)),
  );
  if (ours?.id === theirs?.id || here.url === there.url)
    throw usageError(
      `${here.url} and ${there.url} are the same installation.`,
      'An installation cannot notice its own outage. Name one that runs elsewhere.',
    );
  const atOther = await ensureHeartbeat(there, here.url, everySeconds);
  const atOurs = await ensureHeartbeat(here, there.url, everySeconds).catch(async (error) => {
    await atOther.undo();
    throw error;
  });
  const paired: readonly Paired[] = [
    { url: here.url, set: atOther.pingUrl },
    { url: there.url, set: atOurs.pingUrl },
  ];
  const seconds = everySeconds === 60 ? [] : [`KEEPWATCH_WATCHDOG_SECONDS=${everySeconds}`];
  const settings = paired.map(({ url, set }) => ({
    url,
    settings: [`KEEPWATCH_WATCHDOG_URL=${set}`, ...seconds],
  }));
  session.output.show({ data: settings }, () =>
    [
      ...settings.flatMap((each) => [`At ${each.url} set:`, ...each.settings.map(indent), '']),
      'Both URLs are secrets. Restart each installation with its settings; Settings, About shows the first',
      'ping within a minute. Then make sure that the alerts of both heartbeats reach someone.',
      ...listHints(paired),
    ].join('\n'),
  );
  return undefined;
}

const indent = (line: string): string => `  ${line}`;

/**
 * Returns a hint for each installation on another machine whose ping URL has a loopback host. Such a URL can be reached
 * only on that machine. The hint names the setting to change.
 */
function listHints(paired: readonly Paired[]): readonly string[] {
  const [one, other] = paired;
  if (one === undefined || other === undefined) return [];
  return [
    [one.set, other.url],
    [other.set, one.url],
  ].flatMap(([set = '', at = '']) =>
    isThisMachine(new URL(set).hostname) && !isThisMachine(new URL(at).hostname)
      ? [
          '',
          `The ping URL of ${at} can only be reached from its own machine. Set KEEPWATCH_PUBLIC_URL there.`,
        ]
      : [],
  );
}

async function openOther(session: Session, url: string): Promise<Client> {
  const { stdin, output, environment, version } = session;
  if (isSentInClear(url)) output.warn(`The API key goes to ${url} without encryption.`);
  const isAsked = stdin.isTTY === true;
  const apiKey = isAsked
    ? await askHidden(session, `API key of ${url}: `)
    : (await readInput(session)).trim();
  if (apiKey === '')
    throw usageError(
      'No API key of the other installation was given.',
      `Pipe it in: keepwatch watchdog pair ${url} < key-file`,
    );
  const userAgent = `keepwatch-cli/${version}`;
  return createClient({ url, apiKey, userAgent, environment, note: output.note });
}

interface Ensured {
  readonly pingUrl: string;
  /** Deletes the heartbeat if this call created it. */
  readonly undo: () => Promise<void>;
}

/**
 * Returns the heartbeat on the installation `at` to which the installation `of` reports. Creates the heartbeat if it is
 * missing.
 */
async function ensureHeartbeat(at: Client, of: string, everySeconds: number): Promise<Ensured> {
  const { host } = new URL(of);
  // The key keeps dots and hyphens. Otherwise, a.b.example and a-b.example would share one heartbeat, and an outage of
  // one of them would go unnoticed.
  const key = `watchdog-${host.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-')}`;
  const known = await at.list('v1/monitors', heartbeatShape, { q: key });
  const found = known.find((monitor) => monitor.key === key);
  const { id, pingUrl } = found ?? (await makeHeartbeat(at, { key, host, everySeconds }));
  if (pingUrl === undefined)
    throw usageError(
      `${at.url} shows no ping URL of the monitor ${key}.`,
      'Use a key with the scope write, and check that this monitor is a heartbeat.',
    );
  return {
    pingUrl,
    undo: async () => {
      if (found === undefined) await at.send(`v1/monitors/${id}`, { method: 'DELETE' });
    },
  };
}

interface Wanted {
  readonly key: string;
  readonly host: string;
  readonly everySeconds: number;
}

/** Creates the heartbeat. Its grace period equals its period, so it fails after two periods without a ping. */
function makeHeartbeat(at: Client, { key, host, everySeconds }: Wanted) {
  const body = {
    type: 'heartbeat',
    key,
    name: `Keepwatch at ${host}`,
    schedule: { everySeconds },
    graceSeconds: everySeconds,
    tags: ['watchdog'],
  };
  return at.call('v1/monitors', heartbeatShape, { method: 'POST', body });
}
