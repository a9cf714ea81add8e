/**
 * Runs a third-party program as `node run-foreign.js COMMAND [ARGUMENT…]`, and ends it when the parent process ends.
 * Forwards signals and the exit code.
 */
import { spawn } from 'node:child_process';
import { exitWithParent } from '../platform/exit-with-parent';

const KILL_AFTER_MS = 5_000;

function main(): void {
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined) throw new Error('Usage: run-foreign.js COMMAND [ARGUMENT…]');
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (child.pid !== undefined) process.send?.({ foreignPid: child.pid });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      child.kill(signal);
      setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
    });
  }
  child.once('error', (error) => {
    process.stderr.write(`${command} could not be started: ${error.message}\n`);
    process.exit(127);
  });
  child.once('exit', (code) => process.exit(code ?? 1));
  // After its parent has ended, this process exits after a grace period and kills the program.
  process.once('exit', () => child.kill('SIGKILL'));
  exitWithParent();
}

main();
