// Measures how long a new user waits for the first result. The container starts with an empty volume, the account is
// set up through its link, a monitor is created, and its first result is read. The image's file system is built first.
// One unmeasured start fills the file cache. `npm run bench -- first-result [--rounds 5] [--json]`
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createServiceClient, setUpAccount } from '../src/demo/service-client';
import { buildImageFolder, type ImageFolder } from '../test/image/image-folder';
import { runContainer } from '../test/image/run-image';
import { createTarget, progress } from './support/check-load';
import { freePort, listenOnLoopback } from './support/listen';

const LOOK_EVERY_MS = 20;
const LOOKS = 6_000;

interface Round {
  readonly linkSeconds: number;
  readonly resultSeconds: number;
}

async function until<Found>(look: () => Promise<Found | undefined> | Found | undefined) {
  for (let count = 0; count < LOOKS; count += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error('the container returned no set-up link or no first result within two minutes');
}

/** Measures the seconds from the start of the container until the set-up link, and until the first result. */
async function measureStart(image: ImageFolder, targetPort: number): Promise<Round> {
  const port = await freePort();
  const beganMs = performance.now();
  const seconds = (): number => Math.round(performance.now() - beganMs) / 1_000;
  const container = runContainer(image, {
    volume: image.newVolume(),
    environment: {
      PORT: String(port),
      KEEPWATCH_ALLOWED_PRIVATE_TARGETS: `127.0.0.1/32#${targetPort}`,
    },
  });
  try {
    const token = await until(() => /\/setup#token=([0-9a-f]+)/.exec(container.output())?.[1]);
    const linkSeconds = seconds();
    const url = `http://127.0.0.1:${port}`;
    const { apiKey } = await setUpAccount(url, token);
    const client = createServiceClient(url, apiKey);
    const { id } = await client.createMonitor({
      name: 'First',
      url: `http://127.0.0.1:${targetPort}/0`,
      interval: 60,
    });
    await until(async () => (await client.results(id))[0]);
    return { linkSeconds, resultSeconds: seconds() };
  } finally {
    await container.signal('SIGTERM');
    await container.ended;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      json: { type: 'boolean', default: false },
    },
  });
  const { server } = createTarget();
  const targetPort = await listenOnLoopback(server);
  progress('building the file system of the image');
  const image = await buildImageFolder();
  try {
    progress('starting once to fill the file cache');
    await measureStart(image, targetPort);
    const rounds: Round[] = [];
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      progress(`start ${round} of ${values.rounds}`);
      rounds.push(await measureStart(image, targetPort));
    }
    const lines = rounds.map(
      ({ linkSeconds, resultSeconds }) =>
        `set-up link after ${linkSeconds.toFixed(1)} s, first result after ${resultSeconds.toFixed(1)} s`,
    );
    process.stdout.write(`${values.json ? JSON.stringify(rounds) : lines.join('\n')}\n`);
  } finally {
    image.remove();
    server.close();
    server.closeAllConnections();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
