/** The program of the image: runs the role in `KEEPWATCH_ROLE` in this process, so that signals reach it. */
import { readRole } from '../config/settings';
import { endOnFailure } from '../platform/start-role';

/** The programs by role. Each program is loaded only when it runs, because its packages use memory. */
const PROGRAMS = {
  all: () => import('./all-in-one.js'),
  api: () => import('./api.js'),
  orchestrator: () => import('./orchestrator.js'),
  probe: () => import('./probe.js'),
} as const;

async function main(): Promise<void> {
  await PROGRAMS[readRole()]();
}

main().catch(endOnFailure);
