/** Runs a program to its end and returns its output. Never uses a shell. */
import { spawn } from 'node:child_process';

export interface CommandResult {
  /** The exit code. 127 means that the program could not be started, and 124 that it ran out of time. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

const NOT_FOUND = 127;
const TIMED_OUT = 124;

/** Runs the program. Never rejects, because a failure is a result. */
export function runCommand(
  command: string,
  args: readonly string[],
  { environment, timeoutMs }: CommandOptions,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      stderr += `no response within ${timeoutMs / 1000} s`;
      finish(TIMED_OUT);
    }, timeoutMs);
    function finish(code: number): void {
      clearTimeout(timer);
      resolve({ code, stdout, stderr });
    }
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
    });
    child.once('error', (error) => {
      stderr += error.message;
      finish(NOT_FOUND);
    });
    child.once('close', (code) => finish(code ?? 1));
  });
}

/** Returns the last line of stderr, or of stdout if stderr is empty. */
export function readLastLine({ stdout, stderr }: CommandResult): string {
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1)?.trim() ?? 'no output';
}
