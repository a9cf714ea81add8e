/**
 * `npm run demo`: the whole service on a throw-away data folder, watching a small shop of its own,
 * with one line per check, run and incident. `-- --for 60` ends it after 60 seconds of watching.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { wholeEnvironment } from '../config/child-environment';
import { SETTINGS_TABLE } from '../config/settings-table';
import { isColourWanted, renderEvent } from '../demo/demo-event';
import { demoMonitors, demoScenario } from '../demo/demo-resources';
import { followService } from '../demo/follow-service';
import { createServiceClient, inviteOwner, setUpAccount } from '../demo/service-client';
import { type ShopSite, startShopSite } from '../demo/shop-site';
import { startThrowAwayService, type ThrowAwayService } from '../demo/throw-away-service';
import { startTimeLimit } from '../platform/time-limit';

const NO_SETTINGS = Object.fromEntries(Object.keys(SETTINGS_TABLE).map((name) => [name, '']));

const say = (line: string) => console.log(line);

async function main(signal: AbortSignal, forSeconds: number | null): Promise<void> {
  const shop = await startShopSite();
  try {
    say('Starting Keepwatch on a throw-away data folder.');
    const service = await startThrowAwayService({
      program: path.join(__dirname, 'all-in-one.js'),
      environment: wholeEnvironment(NO_SETTINGS),
      settings: { KEEPWATCH_ALLOWED_PRIVATE_TARGETS: `127.0.0.1/32#${shop.port}` },
      say: (line) => say(`  ${line}`),
      signal,
    });
    try {
      await watch({ shop, service, signal, forSeconds });
    } finally {
      say('Stopping, and removing the data folder.');
      await service.stop();
    }
  } finally {
    await shop.close();
  }
}

interface WatchPlan {
  readonly shop: ShopSite;
  readonly service: ThrowAwayService;
  readonly signal: AbortSignal;
  readonly forSeconds: number | null;
}

async function watch({ shop, service, signal, forSeconds }: WatchPlan): Promise<void> {
  const { apiKey, cookie } = await setUpAccount(service.url, service.setupToken);
  const invitationUrl = await inviteOwner(service, cookie);
  const client = createServiceClient(service.url, apiKey);
  const monitors = [];
  for (const body of demoMonitors(shop.url)) monitors.push(await client.createMonitor(body));
  const scenario = await client.createScenario(demoScenario(shop.url));
  shop.startBreaking();
  const workflowUrl = monitors[0]?.links?.temporal?.url ?? null;
  const [temporalUi = null] = workflowUrl?.split('/namespaces/') ?? [];
  say(renderAddresses({ service, shopUrl: shop.url, apiKey, invitationUrl, temporalUi }));

  const isColoured = isColourWanted(process.stdout, wholeEnvironment()['NO_COLOR']);
  const end = forSeconds === null ? signal : startTimeLimit(forSeconds * 1000, signal).signal;
  await Promise.race([
    followService({
      client,
      scenarios: [scenario],
      tell: (event) => say(renderEvent(event, isColoured)),
      warn: (sentence) => say(`The service did not respond: ${sentence}`),
      signal: end,
    }),
    service.ended.then(() => {
      if (!end.aborted) throw new Error('The service ended by itself.');
    }),
  ]);
}

interface Addresses {
  readonly service: ThrowAwayService;
  readonly shopUrl: string;
  readonly apiKey: string;
  readonly invitationUrl: string;
  readonly temporalUi: string | null;
}

function renderAddresses(addresses: Addresses): string {
  const { service, shopUrl, apiKey, invitationUrl, temporalUi } = addresses;
  const { url: serviceUrl, publicUrl } = service;
  return [
    '',
    'Six monitors and one scenario watch a shop on this machine. Look at:',
    '',
    `  Dashboard     ${publicUrl}`,
    `  Come in       ${invitationUrl}`,
    '                This link works once: choose a password. The demo keeps nothing.',
    `  The shop      ${shopUrl}`,
    `  API           ${serviceUrl}/v1`,
    `  API key       ${apiKey}`,
    ...(temporalUi === null ? [] : [`  Temporal UI   ${temporalUi}`]),
    '',
    `  curl -s ${serviceUrl}/v1/monitors -H 'authorization: Bearer ${apiKey}'`,
    '',
    'The check-out breaks after 15 seconds, for 30 seconds, and again every two minutes.',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}

/** Seconds to watch; null for no end; undefined when the arguments are not understood. */
function readSeconds(): number | null | undefined {
  try {
    const { values } = parseArgs({ options: { for: { type: 'string' } } });
    if (values.for === undefined) return null;
    return /^[1-9]\d{0,5}$/.test(values.for) ? Number(values.for) : undefined;
  } catch {
    return undefined;
  }
}

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
process.once('SIGTERM', () => stopping.abort());

const forSeconds = readSeconds();
if (forSeconds === undefined) {
  console.error('usage: npm run demo [-- --for SECONDS]');
  process.exitCode = 2;
} else {
  main(stopping.signal, forSeconds).catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
