// Runs Node with the given arguments and sends to its parent what that cost: CPU seconds of everything that ended.
import { runNode } from '../run-step.mjs';
import { cpuSeconds } from './cpu.mjs';

const code = await runNode(process.argv.slice(2));
process.send({ cpu: cpuSeconds() }, () => process.exit(code));
