import { pino } from 'pino';
import { createShutdown } from '../../src/platform/shutdown';

const quiet = pino({ level: 'silent' });

describe('shutdown', () => {
  it('shutdown closes parts in reverse order of registration, once each', async () => {
    const closed: string[] = [];
    const shutdown = createShutdown(quiet);
    shutdown.onClose('first', () => void closed.push('first'));
    shutdown.onClose('second', () => void closed.push('second'));
    await expect(Promise.all([shutdown.close(), shutdown.close()])).resolves.toEqual([0, 0]);
    expect(closed).toEqual(['second', 'first']);
  });

  it('shutdown continues when closing a part fails, and the exit code reports the failure', async () => {
    const closed: string[] = [];
    const shutdown = createShutdown(quiet);
    shutdown.onClose('first', () => void closed.push('first'));
    shutdown.onClose('broken', () => Promise.reject(new Error('broken')));
    await expect(shutdown.close()).resolves.toBe(1);
    expect(closed).toEqual(['first']);
  });

  it('shutdown does not wait for a part beyond its deadline, and names the part', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
    const shutdown = createShutdown(logger, 20);
    shutdown.onClose('hangs', () => new Promise(() => {}));
    const keepAlive = setInterval(() => {}, 1000);
    await expect(shutdown.close()).resolves.toBe(1);
    expect(lines).toEqual([expect.stringMatching(/"closing":"hangs".*"did not close in time"/)]);
    clearInterval(keepAlive);
  });
});
