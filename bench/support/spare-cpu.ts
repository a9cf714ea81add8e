// Uses up the spare CPU, in one process per core with the lowest priority. The two threads of a core slow each other
// down, so phases with different numbers of clients are comparable only if all threads are always busy.
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism, constants } from 'node:os';

const SPIN = `require('node:os').setPriority(${constants.priority.PRIORITY_LOW}); for (;;);`;

/** Returns a function that ends the processes. */
export function fillSpareCpu(): () => void {
  const children: ChildProcess[] = [];
  for (let core = 0; core < availableParallelism(); core += 1)
    children.push(spawn(process.execPath, ['-e', SPIN], { stdio: 'ignore' }));
  return () => {
    for (const child of children) child.kill('SIGKILL');
  };
}
