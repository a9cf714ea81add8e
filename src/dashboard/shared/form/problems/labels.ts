/** Returns the labels of fields, found by their paths in /v1. */

/** For fields that are lists, the word for one entry. */
const ENTRIES: Readonly<Record<string, string>> = {
  steps: 'Step',
  assertions: 'Assertion',
  emails: 'Email address',
  channels: 'Channel',
  tags: 'Tag',
  regions: 'Region',
  groups: 'Group',
  items: 'Item',
  warnDays: 'Certificate warning',
  resources: 'Resource',
  multipart: 'Part',
  failOn: 'Text of a failure',
};

/** For fields that are maps, the word for one entry. */
const NAMED: Readonly<Record<string, string>> = {
  headers: 'Header',
  variables: 'Variable',
  extract: 'Extraction',
  form: 'Form field',
};

const FIELDS: Readonly<Record<string, string>> = {
  url: 'URL',
  YAML: 'YAML',
  timeoutMs: 'Timeout',
  timeoutSeconds: 'Time limit',
  degradedAboveMs: 'Degraded above',
  quorum: 'Failing regions required',
  remindEveryMinutes: 'Remind every',
  'alerts.onFailure': 'On failure',
  'alerts.onDegraded': 'When degraded',
  'alerts.policy': 'Alert policy',
  outside: 'Outside these hours',
  runbookUrl: 'Runbook',
  onFailure: 'After a step has failed',
  always: 'Always run',
  maxRedirects: 'Maximum redirects',
  path: 'JSON path',
  jsonPath: 'JSON path',
  name: 'Name',
  value: 'Value',
  operator: 'Comparison',
  warnDays: 'Certificate warnings',
  tls: 'TLS',
  trust: 'Trusted certificates',
  ipFamily: 'IP version',
  httpVersion: 'HTTP version',
  'tls.trust.ca': 'Authority',
  'tls.trust.pin': 'SHA-256 of the certificates',
  'tls.checkHost': 'Certificate must be for the host',
  'tls.certificate': 'Client certificate',
  'tls.key': 'Private key',
  'tls.passphrase': 'Passphrase of the key',
  'tls.serverName': 'TLS server name',
  emails: 'Email addresses',
  waitSeconds: 'Wait before',
  everySeconds: 'Every',
  'schedule.everySeconds': 'A ping every',
  forSeconds: 'Give up after',
  until: 'Retry',
  rrule: 'Recurrence rule',
  timeZone: 'Time zone',
  startsAt: 'Start',
  durationMinutes: 'Duration',
  slug: 'URL slug',
  target: 'Applies to',
  webhookUrl: 'Webhook URL',
  setupToken: 'Set-up token',
  expiresAt: 'Expiry',
  graceSeconds: 'Grace',
  earlySeconds: 'Early',
  maxRunSeconds: 'Longest run',
  minRunSeconds: 'Shortest run',
  cron: 'Cron expression',
  graphql: 'GraphQL',
  auth: 'Authentication',
  base64: 'Base64',
  useTls: 'TLS',
  startTls: 'STARTTLS',
  sendBase64: 'Send (Base64)',
  minVersion: 'Oldest version',
  names: 'Further names',
  record: 'Record type',
  servers: 'Name servers',
  agree: 'With several servers',
  rcode: 'Expected result',
  count: 'Packets',
  lossPercent: 'Lost packets',
  p95Ms: '95% within',
};

const SECTIONS: readonly string[] = ['alerts', 'tls', 'schedule'];

interface LabelOptions {
  /** The names of the steps, in their order. */
  readonly stepNames?: readonly string[];
}

/** Returns the label: `steps[1].assertions[0].path` → `Step 2 “log in” › Assertion 1 › JSON path`. */
export function formatLabel(path: string, { stepNames = [] }: LabelOptions = {}): string {
  if (path === '') return 'The whole definition';
  const labels: string[] = [];
  let rest = path;
  while (rest !== '') {
    const taken = takeEntry(rest, stepNames) ?? takeNamed(rest) ?? takeField(rest);
    if (taken.label !== null) labels.push(taken.label);
    rest = taken.rest;
  }
  return labels.join(' › ');
}

interface Taken {
  readonly label: string | null;
  readonly rest: string;
}

function takeEntry(path: string, stepNames: readonly string[]): Taken | null {
  const match = /^(\w+)\[(\d+)\]\.?/.exec(path);
  if (match === null) return null;
  const [whole, list = '', number = ''] = match;
  const entry = ENTRIES[list] ?? `${sentence(list)} entry`;
  const name = list === 'steps' ? stepNames[Number(number)] : undefined;
  const label = `${entry} ${Number(number) + 1}`;
  // By default, a step is named by its number, which the label contains already.
  const isNamed = name !== undefined && name !== '' && name !== label;
  return { label: isNamed ? `${label} “${name}”` : label, rest: path.slice(whole.length) };
}

/** Reads an entry of a map. Names of headers may contain dots. `value` is not part of a variable's name. */
function takeNamed(path: string): Taken | null {
  const match =
    /^(headers|variables|extract|form)\.(.+?)(\.value|\.jsonPath|\.header|\.default)?$/.exec(path);
  if (match === null) return null;
  const [, map = '', name = '', field = ''] = match;
  return { label: `${NAMED[map] ?? map} “${name}”`, rest: field.slice(1) };
}

function takeField(path: string): Taken {
  const [field = '', ...others] = path.split('.');
  // The section is left out, because it does not help to find the field.
  const isSection = others.length > 0 && SECTIONS.includes(field);
  const whole = FIELDS[path];
  if (isSection && whole !== undefined) return { label: whole, rest: '' };
  return {
    label: isSection ? null : (FIELDS[field] ?? sentence(field)),
    rest: others.join('.'),
  };
}

/** Converts the name of a field to words: `followRedirects` → `Follow redirects`. */
function sentence(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Returns the message with the separator that follows a label: a colon if the message starts with a capital, and
 * otherwise only a space.
 */
export function afterLabel(message: string): string {
  return /^[A-Z]/.test(message) ? `: ${message}` : ` ${message}`;
}
