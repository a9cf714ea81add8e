// Turns the report of the command line into annotations on standard output and Markdown. All text
// from files, services and websites is shown as code, so that it cannot be a link, mention, picture
// or command.
const SIGNS = { create: '+', update: '~', delete: '-' };
const BAD_RUNS = ['failed', 'timed_out', 'error', 'cancelled'];
const CELL_MAX = 300;
/** The limit of a comment is 65,536 characters. */
const MARKDOWN_MAX = 60_000;

/**
 * A line break in a value would begin another command:
 * https://docs.github.com/actions/reference/workflow-commands
 */
const escapeData = (text) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** `at` begins with `file:line`, as the command line prints it, or names no file. */
export function annotate(level, message, at = '') {
  const [, file, line] = /^(.+?\.(?:ya?ml|json)):(\d+)/.exec(at ?? '') ?? [];
  const place = file === undefined ? '' : ` file=${escapeProperty(file)},line=${line}`;
  process.stdout.write(`::${level}${place}::${escapeData(message)}\n`);
}

/** Text of other people in one cell of a table. */
function code(text) {
  const plain = Array.from(
    String(text ?? '')
      .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
      .replaceAll('`', "'"),
  );
  const cut = plain.length > CELL_MAX ? [...plain.slice(0, CELL_MAX), '…'] : plain;
  return cut.length === 0 ? '' : `\`${cut.join('').replaceAll('|', '\\|')}\``;
}

const table = (head, rows) =>
  [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`].concat(
    rows.map((row) => `| ${row.join(' | ')} |`),
  );

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const REPORTS = { run: runLines, apply: applyLines, check: checkLines };

/**
 * Returns the Markdown about the outcome of a command; prints the Markdown and its annotations to
 * the log.
 */
export function report({ command, code: exitCode, stdout, stderr }) {
  const value = parsed(stdout);
  const lines = value === null ? errorLines(stderr, exitCode) : REPORTS[command](value);
  const whole = [`### Keepwatch ${command}`, '', ...lines].join('\n');
  const isCut = whole.length > MARKDOWN_MAX;
  const cut = isCut ? whole.slice(0, whole.lastIndexOf('\n', MARKDOWN_MAX)) : whole;
  // No printed line begins with `::`, so that none is a command for GitHub.
  process.stdout.write(`${whole}\n`);
  return isCut ? `${cut}\n\nMore than fits here: see the log.` : whole;
}

/** The message about an invalid file begins with the file and the line. */
function errorLines(stderr, exitCode) {
  const json = stderr.split('\n').findLast((line) => line.startsWith('{'));
  const found = parsed(json ?? '')?.error;
  const message = found?.message ?? (stderr.trim() || `keepwatch ended with ${exitCode}`);
  const faults = (found?.errors ?? []).map((fault) => `${fault.path} ${fault.message}`);
  const more = found?.hint ? [...faults, found.hint] : faults;
  annotate('error', [message, ...more].join('\n'), message);
  return [code(message), ...more.map((line) => `- ${code(line)}`)];
}

function runLines({ runs }) {
  for (const run of runs.filter(({ status }) => BAD_RUNS.includes(status)))
    annotate('error', `${run.scenarioKey ?? run.scenarioId}: ${reasonOf(run)}`);
  const rows = runs.map((run) => [
    code(run.status ?? 'under way'),
    code(run.scenarioKey ?? run.scenarioId),
    code(run.region),
    code(reasonOf(run)),
  ]);
  return table(['', 'scenario', 'region', 'why'], rows);
}

const reasonOf = ({ failure, status }) => failure?.message ?? (status === 'passed' ? '' : status);

function applyLines({ dryRun, summary, objects, missingSecrets }) {
  const isFailed = ({ outcome }) => outcome === 'failed';
  for (const object of objects.filter(isFailed))
    annotate('error', `${nameOf(object)}: ${faultsOf(object).join('\n')}`, object.at);
  const shown = objects.filter((object) => isFailed(object) || object.action !== 'unchanged');
  const rows = shown.map((object) => [
    isFailed(object) ? '!' : SIGNS[object.action],
    code(object.kind),
    code(nameOf(object)),
    (isFailed(object) ? faultsOf(object) : changesOf(object)).map(code).join('<br>'),
  ]);
  const counts = ['create', 'update', 'delete', 'unchanged', 'failed']
    .filter((name) => summary[name] > 0)
    .map((name) => `${summary[name]} ${name}`);
  const missing = missingSecrets.map((name) => `- Missing secret: ${code(name)}`);
  return [
    ...(rows.length === 0 ? [] : [...table(['', 'kind', 'name', 'what'], rows), '']),
    `${dryRun ? 'Plan' : 'Applied'}: ${counts.join(', ') || 'nothing to do'}.`,
    ...(missing.length === 0 ? [] : ['', ...missing]),
  ];
}

const nameOf = ({ key, name, id }) => key ?? name ?? id ?? '';
const faultsOf = ({ problem }) =>
  problem?.errors?.length > 0
    ? problem.errors.map(({ path, message }) => `${path} ${message}`)
    : [problem?.detail ?? 'failed'];
const changesOf = ({ changes }) =>
  changes.map(({ path, before, after }) => `${path}: ${shortOf(before)} → ${shortOf(after)}`);
const shortOf = (value) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

function checkLines({ results, runs }) {
  const tested = [
    ...results.map((one) => ({ ...one, isBad: !['up', 'degraded'].includes(one.status) })),
    ...runs.map((one) => ({ ...one, isBad: BAD_RUNS.includes(one.status) })),
  ];
  for (const one of tested.filter(({ isBad }) => isBad))
    annotate('error', `${one.name}: ${reasonOf(one)}`, one.at);
  const rows = tested.map((one) => [
    code(one.status),
    code(one.name),
    code(one.isBad ? reasonOf(one) : ''),
    code(one.at),
  ]);
  return table(['', 'check', 'why', 'where'], rows);
}
