// Runs one program of the project and reports how it ended. It never uses a shell.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './install.mjs';

const MEASURED = join(root, 'scripts', 'testing', 'measured-node.mjs');

/** Runs Node with the given arguments in the project's folder and streams its output. */
export function runNode(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs Node like `runNode`, but captures its output; resolves with code, output and seconds. */
export function captureNode(args, environment = {}) {
  return capture(args, environment, []);
}

/**
 * Runs Node like `captureNode`, but also resolves with the CPU seconds of all started processes. NaN means that the
 * system does not count them.
 */
export function measureNode(args, environment = {}) {
  return capture([MEASURED, ...args], environment, ['ipc']);
}

function capture(args, environment, channels) {
  const startedAt = Date.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', ...channels],
      env: { ...process.env, ...environment },
    });
    let output = '';
    let cpu = Number.NaN;
    const take = (chunk) => {
      output += String(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    // NaN arrives as null, because JSON cannot contain NaN.
    child.on('message', (message) => {
      cpu = message.cpu ?? Number.NaN;
    });
    child.once('close', (code) => {
      resolve({ code: code ?? 1, output, seconds: (Date.now() - startedAt) / 1000, cpu });
    });
  });
}

/** Path of a file inside an installed package. */
export function packageFile(...parts) {
  return join(root, 'node_modules', ...parts);
}
