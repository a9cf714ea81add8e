// Runs the command line for GitHub: turns its JSON into a job summary, annotations at the lines of
// the files, and one comment with the plan. It decides nothing: the job ends with the exit code of
// the command line.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { keepComment } from './comment.mjs';
import { annotate, report } from './report.mjs';

const { env } = process;
const input = (name) => (env[`INPUT_${name}`] ?? '').trim();
const linesOf = (name) =>
  input(name)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
const isOn = (name) => input(name) === 'true';

const COMMANDS = {
  run: () => [
    'run',
    '--wait',
    '--timeout',
    input('TIMEOUT'),
    ...tag(),
    ...more(),
    '--',
    ...linesOf('KEYS'),
  ],
  apply: () => [
    'apply',
    ...files(),
    ...(isOn('DRY_RUN') ? ['--dry-run'] : ['--yes']),
    ...(isOn('PRUNE') ? ['--prune'] : []),
    ...more(),
  ],
  check: () => ['check', ...files(), ...more()],
  maintenance: () => {
    const words = ['maintenance', 'start', '--minutes', input('MINUTES'), ...tag(), ...more()];
    return input('SCRIPT') === '' ? words : [...words, '--', 'bash', '-e', '-c', input('SCRIPT')];
  },
};

const tag = () => (input('TAG') === '' ? [] : ['--tag', input('TAG')]);
const files = () => linesOf('FILES').flatMap((file) => ['-f', file]);
const more = () => linesOf('OPTIONS');

/**
 * The script of a maintenance prints into the log. The output of all other commands is captured.
 */
function keepwatch(words, isRead) {
  const { INPUT_GITHUB_TOKEN: _token, ...environment } = env;
  const child = spawn('keepwatch', isRead ? ['--quiet', '--output', 'json', ...words] : words, {
    env: environment,
    stdio: ['ignore', isRead ? 'pipe' : 'inherit', isRead ? 'pipe' : 'inherit'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name]?.setEncoding('utf8').on('data', (text) => {
      texts[name] += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, ...texts }));
  });
}

async function main() {
  const command = input('COMMAND');
  const words = Object.hasOwn(COMMANDS, command) ? COMMANDS[command]() : null;
  if (words === null) {
    annotate('error', `command is “${command}”; it must be ${Object.keys(COMMANDS).join(', ')}.`);
    return 2;
  }
  const isRead = command !== 'maintenance';
  const { code, stdout, stderr } = await keepwatch(words, isRead);
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `exit-code=${code}\n`);
  if (!isRead) return code;
  const markdown = report({ command, code, stdout, stderr });
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${markdown}\n`);
  if (command === 'apply' && isOn('DRY_RUN') && isOn('COMMENT')) await keepComment(env, markdown);
  return code;
}

process.exitCode = await main();
