/** Tests the duration and the warnings of `keepwatch maintenance start`. */
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const WINDOW = { id: 'mnt_1', name: 'Maintenance', mode: 'mute' };

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService({
    'POST /v1/maintenance-windows/now': [[201, WINDOW]],
    'GET /v1/checks': [[200, { data: [] }]],
  });
});
afterEach(() => service.close());

async function start(...options: readonly string[]) {
  const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
  const parameters = ['maintenance', 'start', '--all', ...options];
  const { code, stderr } = await onTerminal(parameters, { environment, isTerminal: false });
  return { code, stderr, sent: service.asked.map(({ body }) => body) };
}

test.each([
  [['--for', '15m'], 15],
  [['--for', '2h'], 120],
  [['--for', '90s'], 2],
  [['--minutes', '15'], 15],
])('`maintenance start` with %j lasts %d min', async (options, minutes) => {
  const { code, sent } = await start(...options);
  expect(code).toBe(0);
  expect(sent).toEqual([expect.objectContaining({ minutes })]);
});

test.each([
  [[], 'keepwatch: The duration of the maintenance is missing.\nUse --for 30m.'],
  [['--for', '30'], 'keepwatch: --for 30 is shorter than a minute.\nWrite 30m.'],
  [['--for', 'soon'], 'keepwatch: soon is not a duration.'],
  [['--minutes', '1.5'], 'keepwatch: --minutes 1.5 is not a whole number of minutes.'],
  [['--for', '15m', '--minutes', '15'], 'cannot be used with option'],
])('`maintenance start` with %j is refused, and starts nothing', async (options, message) => {
  const { code, stderr, sent } = await start(...options);
  expect([code, sent]).toEqual([2, []]);
  expect(stderr).toContain(message);
});

test('`maintenance start` warns of a tag that no check has, even with --quiet', async () => {
  const { code, stderr } = await start('--quiet', '--for', '30m', '--tag', 'nosuch');
  expect([code, stderr]).toEqual([0, 'No check has the tag nosuch.\n']);
});

test.each(['bash', 'zsh', 'fish'])('the completion for %s knows `--for`', async (shell) => {
  const { stdout } = await onTerminal(['completion', shell], { isTerminal: false });
  const line = shell === 'fish' ? /start' -l for / : /'maintenance start'\).*--for .*--minutes /;
  expect(stdout).toMatch(line);
});
