import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '..', '..');
/** An empty program that exits at once. */
const NO_SERVICE = '/dev/null';

test('if the demo service ends before it is ready, the end is reported, and every waiting call fails', async () => {
  const program = `
    require('./test/support/read-typescript.cjs');
    const { startThrowAwayService } = require('./src/demo/throw-away-service');
    const { signal } = new AbortController();
    startThrowAwayService({ program: '${NO_SERVICE}', environment: {}, settings: {}, port: null, say() {}, signal })
      .catch(({ message }) => console.log(message));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { cwd: root });
  expect(stdout).toBe('The service ended before it was ready.\n');
});
