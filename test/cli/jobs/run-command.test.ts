/** Tests how the command line runs commands of users, and which signals reach them. */
import { runCommand } from '../../../src/cli/jobs/run-command';

const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const;
const listeners = () => SIGNALS.map((signal) => process.listenerCount(signal));

/**
 * Returns streams and an environment. `seen` is called when the environment is read, which happens just before the
 * command starts.
 */
function streams(seen: () => void) {
  const environment = new Proxy(
    { PATH: process.env['PATH'] },
    {
      ownKeys: (target) => {
        seen();
        return Reflect.ownKeys(target);
      },
    },
  );
  const { stdin, stdout, stderr } = process;
  return { environment, stdin, stdout, stderr };
}

const shell = (script: string) => ({
  program: 'sh',
  parameters: ['-c', script],
  hear: () => undefined,
});

test('signal handlers are installed before the command of a job starts', async () => {
  const before = listeners();
  let atBegin: readonly number[] = [];
  const given = streams(() => {
    atBegin = listeners();
  });
  expect(await runCommand(given, shell('exit 3'))).toBe(3);
  expect(atBegin).toEqual(before.map((count) => count + 1));
  expect(listeners()).toEqual(before);
});

test('a signal right after the start reaches the command, and the exit code is 128 plus the signal', async () => {
  const begun = runCommand(
    streams(() => undefined),
    shell('exec sleep 60'),
  );
  process.emit('SIGTERM', 'SIGTERM');
  expect(await begun).toBe(128 + 15);
});

test('a missing program gives exit code 127 and leaves no signal handler behind', async () => {
  const before = listeners();
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const given = streams(() => undefined);
  expect(await runCommand(given, { program: 'no-such-program', parameters: [] })).toBe(127);
  expect(said).toHaveBeenCalledWith(expect.stringMatching(/no-such-program cannot be run: .+\n$/));
  said.mockRestore();
  expect(listeners()).toEqual(before);
});
