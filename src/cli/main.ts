#!/usr/bin/env node
/** The program `keepwatch`: passes its arguments, environment and streams to the commands. */
import { buildWholeEnvironment } from '../config/child-environment';
import { readVersion } from '../platform/version';
import { EXIT_CODES, formatReason } from './cli-error';
import { runCli } from './program';

process.on('uncaughtException', (error) => {
  process.stderr.write(`keepwatch: Unexpected error: ${formatReason(error)}\n`);
  process.exit(EXIT_CODES.failed);
});

// A reader such as `head` may close our output early. The program then ends, unless a running job handles the error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (process.stdout.listenerCount('error') > 1) return;
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

void runCli(process.argv.slice(2), {
  environment: buildWholeEnvironment(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  version: readVersion(),
  now: () => Date.now(),
}).then((exitCode) => {
  process.exitCode = exitCode;
  // An idle connection or a terminal must not keep the process alive.
  process.stdin.unref?.();
});
