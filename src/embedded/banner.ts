/**
 * The text that all-in-one shows after its start: its URLs, and the first steps. It has at most 80 columns, unless a
 * URL is longer.
 */
import type { Servers } from './start-servers';
import type { Service } from './start-service';
import { UI_PUBLIC_PATH } from './temporal-process';

export interface BannerFacts {
  readonly servers: Servers;
  readonly service: Service;
  readonly regions: readonly string[];
  readonly dataFolder: string;
}

const COLUMNS = 80;
const LABEL_WIDTH = 13;

/** Formats a label followed by text. Wrapped lines are indented under the first. */
function formatEntry(label: string, text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > COLUMNS - LABEL_WIDTH - 2) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  const indent = ' '.repeat(LABEL_WIDTH + 2);
  return `  ${label.padEnd(LABEL_WIDTH)}${lines.join(`\n${indent}`)}`;
}

/**
 * Returns commands for a POSIX shell that need only curl, grep and head. They create an account and its API key, create
 * a monitor, and read its results.
 */
export function buildFirstCommands(url: string, setupToken: string): readonly string[] {
  const json = "-H 'content-type: application/json'";
  const bearer = '-H "authorization: Bearer $KEY"';
  return [
    [
      `KEY=$(curl -s ${url}/v1/setup \\`,
      `  ${json} \\`,
      `  -d '{"setupToken":"${setupToken}",`,
      '    "accountName":"My account","email":"me@example.com",',
      '    "password":"choose-a-long-one-please"}\' \\',
      "  | grep -oE 'kw_[0-9A-Za-z]{38}' | head -1)",
    ],
    [
      `ID=$(curl -s ${url}/v1/monitors ${bearer} \\`,
      `  ${json} \\`,
      '  -d \'{"name":"My first monitor","url":"https://example.com"}\' \\',
      "  | grep -oE 'mon_[0-9a-z]{26}' | head -1)",
    ],
    [`curl -s ${url}/v1/monitors/$ID/results \\`, `  ${bearer}; echo`],
  ].map((lines) => lines.join('\n'));
}

/**
 * Returns the URL of the API for programs on this machine. If it leads to the same port as the public URL, returns the
 * public URL, so that the banner calls the machine by one name.
 */
function findLocalUrl({ url, publicUrl }: Pick<Service, 'url' | 'publicUrl'>): string {
  return url.replace('//127.0.0.1:', '//localhost:') === publicUrl ? publicUrl : url;
}

function setupPart(service: Service): readonly string[] {
  const { publicUrl, setupToken, isSetupRequired } = service;
  if (!isSetupRequired) return [];
  const commands = buildFirstCommands(findLocalUrl(service), setupToken);
  return [
    '',
    formatEntry('Set-up', `${publicUrl}/setup#token=${setupToken}`),
    '',
    '  Or in a shell: create an account and a monitor, and read its results:',
    '',
    ...commands.flatMap((command) => [command, '']),
  ];
}

/**
 * Returns the URL of the Temporal UI for people. The UI of our own server is below the public URL, behind the login of
 * the service. Any other UI has its own URL.
 */
function temporalUi(uiUrl: string | undefined, publicUrl: string): string {
  if (uiUrl === undefined) return 'not known (TEMPORAL_UI_URL)';
  const isOurs = new URL(uiUrl).pathname === UI_PUBLIC_PATH;
  return isOurs ? `${publicUrl}${UI_PUBLIC_PATH}` : uiUrl;
}

/** Warns of ports that other programs on this machine can use without a password. */
function openPart({ openPorts }: Servers): readonly string[] {
  if (openPorts.length === 0) return [];
  const what = openPorts.join(', ');
  return [
    formatEntry(
      'Unprotected',
      `${what}: on loopback, no password, open to all users of this machine`,
    ),
  ];
}

/** Returns the whole banner, ending without a newline. */
export function renderBanner({ servers, service, regions, dataFolder }: BannerFacts): string {
  return [
    '',
    'Keepwatch is ready.',
    '',
    formatEntry('Dashboard', service.publicUrl),
    formatEntry('API docs', `${service.publicUrl}/docs`),
    formatEntry('API', `${findLocalUrl(service)}/v1`),
    formatEntry('Temporal UI', temporalUi(servers.temporalUiUrl, service.publicUrl)),
    formatEntry('Database', servers.databaseLabel),
    formatEntry('Temporal', servers.temporalLabel),
    formatEntry('Regions', regions.join(', ')),
    formatEntry('Data folder', dataFolder),
    ...openPart(servers),
    ...setupPart(service),
    '  Ctrl-C stops everything in order.',
  ].join('\n');
}
