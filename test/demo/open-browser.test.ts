/** Tests when the demo opens a browser, and when it does not. */
import { findBrowserCommand } from '../../src/demo/open-browser';

const LINK = 'http://localhost:4311/token';
const SCREEN = { DISPLAY: ':0' };

test.each([
  ['darwin', {}, ['open', LINK]],
  ['win32', {}, ['cmd', '/c', 'start', '', LINK]],
  ['linux', SCREEN, ['xdg-open', LINK]],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open', LINK]],
  ['linux', {}, null],
  ['linux', { ...SCREEN, CI: 'true' }, null],
] as const)(
  'on %s with the environment %j, the command that opens the browser is %j',
  (platform, environment, command) => {
    expect(findBrowserCommand(LINK, { platform, environment, isTerminal: true })).toEqual(command);
  },
);

test('the demo opens no browser if its output goes to a file or a pipe', () => {
  const desktop = { platform: 'darwin', environment: {}, isTerminal: false } as const;
  expect(findBrowserCommand(LINK, desktop)).toBeNull();
});
