/** Tests unhandled errors, in real processes. Covers: shutdown, start-role. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';

const SUPPORT = join(__dirname, '..', 'support');

interface Ended {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

describe.each([
  { comes: 'rejection', origin: 'unhandledRejection' },
  { comes: 'exception', origin: 'uncaughtException' },
])('an unhandled $comes', ({ comes, origin }) => {
  let ended: Ended;

  beforeAll(async () => {
    ended = await run(join(SUPPORT, 'unhandled-errors.cjs'), comes);
  });

  it('an unhandled error ends a long-running process with exit code 1, after closing everything', () => {
    expect(ended.stdout).toBe('second closed\nfirst closed\n');
    expect(ended.code).toBe(1);
  });

  it('an unhandled error is logged in one line with its cause, and the last line counts further errors', () => {
    const lines: unknown[] = ended.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const stack = expect.stringContaining('unhandled-errors.cjs');
    expect(lines).toEqual([
      expect.objectContaining({
        level: 60,
        origin,
        err: expect.objectContaining({ message: 'left alone', stack }),
      }),
      expect.objectContaining({ level: 60, unhandledErrors: 3 }),
    ]);
  });
});

it('command-line programs report an unhandled error in one sentence', async () => {
  const program = `
    require(${JSON.stringify(join(SUPPORT, 'read-typescript.cjs'))});
    require('./src/platform/start-role.ts').printUnhandledErrors();
    void Promise.reject(new Error('the disk is full'));`;
  expect(await run('-e', program)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Unexpected error: the disk is full\n',
  });
});
