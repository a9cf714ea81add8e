/** Opens the demo in the user's browser. Does nothing without a desktop; the link is printed in any case. */
import { spawn } from 'node:child_process';

interface Desktop {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  /** True if the output is a terminal. */
  readonly isTerminal: boolean;
}

type Command = readonly [program: string, ...args: string[]];

/** Returns the command that opens the browser. Returns null in CI, and without a terminal or a screen. */
export function findBrowserCommand(
  url: string,
  { platform, environment, isTerminal }: Desktop,
): Command | null {
  if (!isTerminal || (environment['CI'] ?? '') !== '') return null;
  if (platform === 'darwin') return ['open', url];
  if (platform === 'win32') return ['cmd', '/c', 'start', '', url];
  const hasScreen = ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => (environment[name] ?? '') !== '');
  return hasScreen ? ['xdg-open', url] : null;
}

export function openBrowser(url: string, desktop: Desktop): void {
  const command = findBrowserCommand(url, desktop);
  if (command === null) return;
  const [program, ...args] = command;
  const child = spawn(program, args, {
    env: desktop.environment,
    stdio: 'ignore',
    detached: true,
  });
  // Errors are ignored, because the link is printed, too.
  child.on('error', () => undefined);
  child.unref();
}
