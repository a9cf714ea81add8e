// Runs Node with the given arguments. Then sends the CPU seconds of all ended processes to the parent process.
import { runNode } from '../run-step.mjs';
import { cpuSeconds } from './cpu.mjs';

const code = await runNode(process.argv.slice(2));
process.send({ cpu: cpuSeconds() }, () => process.exit(code));
