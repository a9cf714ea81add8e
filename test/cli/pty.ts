/** Opens a real terminal that runs the built command line. The test types into the terminal and reads the screen. */
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { waitUntil } from '../support/wait-until';

export const COLUMNS = 80;
const MAIN = join(__dirname, '..', '..', 'dist', 'cli', 'main.js');
const CTRL_C = '\u0003';

export interface Terminal {
  /** Everything that was written to the terminal, unprocessed. */
  readonly raw: () => string;
  readonly type: (text: string) => void;
  readonly interrupt: () => void;
  readonly sees: (text: RegExp) => Promise<unknown>;
  readonly exitCode: Promise<number>;
}

/** Opens the terminal. The command line sees only `environment` and PATH. */
export function openTerminal(
  folder: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Terminal {
  const pty = spawn(process.execPath, [MAIN, ...parameters], {
    name: 'xterm-256color',
    cols: COLUMNS,
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
  });
  let raw = '';
  pty.onData((data) => {
    raw += data;
  });
  return {
    raw: () => raw,
    type: (text) => pty.write(text),
    interrupt: () => pty.write(CTRL_C),
    sees: (text) => waitUntil(`the terminal shows ${text}`, () => text.test(raw)),
    exitCode: new Promise((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode))),
  };
}

/** Returns the lines left on the screen. If a line was rewritten, only its last version is returned. */
export function linesOf(raw: string): readonly string[] {
  return raw
    .split('\r\n')
    .map((line) => line.split('\r').at(-1) ?? '')
    .map((line) => line.split('\u001b[').map(withoutSequence).join(''));
}

function withoutSequence(part: string, at: number): string {
  return at === 0 ? part : part.replace(/^[\d;?]*[A-Za-z]/, '');
}
