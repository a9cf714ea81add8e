/**
 * `npm run demo`: the whole service on a throw-away data folder, watching a small shop of its own,
 * with one line per check, run, incident and alert. `-- --for 60` ends it after 60 seconds of watching.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { wholeEnvironment } from '../config/child-environment';
import { SETTINGS_TABLE } from '../config/settings-table';
import { SHOP_PASSWORD } from '../demo/account-pages';
import { type DemoEvent, isColourWanted, renderEvent } from '../demo/demo-event';
import {
  demoChannels,
  demoHeartbeat,
  demoMonitors,
  demoPolicy,
  demoScenario,
  demoSignIn,
  PASSWORD_SECRET,
} from '../demo/demo-resources';
import { followService } from '../demo/follow-service';
import { type OnCall, startOnCall } from '../demo/on-call';
import {
  createServiceClient,
  inviteOwner,
  type ServiceClient,
  setUpAccount,
} from '../demo/service-client';
import { type ShopSite, startShopSite } from '../demo/shop-site';
import { runStockCount } from '../demo/stock-count';
import { startThrowAwayService, type ThrowAwayService } from '../demo/throw-away-service';
import { sayUnhandledErrors } from '../platform/start-role';
import { startTimeLimit } from '../platform/time-limit';

const NO_SETTINGS = Object.fromEntries(Object.keys(SETTINGS_TABLE).map((name) => [name, '']));

const say = (line: string) => console.log(line);

interface Demo {
  readonly shop: ShopSite;
  readonly onCall: OnCall;
  /** Where alerts are acknowledged, once there is somewhere. */
  readonly connect: (client: ServiceClient) => void;
  readonly show: (event: DemoEvent) => void;
}

async function main(signal: AbortSignal, forSeconds: number | null): Promise<void> {
  const isColoured = isColourWanted(process.stdout, wholeEnvironment()['NO_COLOR']);
  const show = (event: DemoEvent) => say(renderEvent(event, isColoured));
  let client: ServiceClient | null = null;
  const shop = await startShopSite();
  const onCall = await startOnCall({
    show,
    warn: say,
    acknowledge: async (incidentId, note) => client?.acknowledge(incidentId, note),
  });
  const connect = (known: ServiceClient): void => {
    client = known;
  };
  try {
    await runService({ shop, onCall, connect, show }, signal, forSeconds);
  } finally {
    await onCall.close();
    await shop.close();
  }
}

async function runService(
  demo: Demo,
  signal: AbortSignal,
  forSeconds: number | null,
): Promise<void> {
  say('Starting Keepwatch on a throw-away data folder.');
  const ports = [demo.shop.port, demo.onCall.port];
  const targets = ports.map((port) => `127.0.0.1/32#${port}`).join(',');
  const service = await startThrowAwayService({
    program: path.join(__dirname, 'all-in-one.js'),
    environment: wholeEnvironment(NO_SETTINGS),
    settings: { KEEPWATCH_ALLOWED_PRIVATE_TARGETS: targets },
    say: (line) => say(`  ${line}`),
    signal,
  });
  try {
    await watch({ ...demo, service, signal, forSeconds });
  } finally {
    say('Stopping, and removing the data folder.');
    await service.stop();
  }
}

interface WatchPlan extends Demo {
  readonly service: ThrowAwayService;
  readonly signal: AbortSignal;
  readonly forSeconds: number | null;
}

/** What the demo watches, and whom it notifies. */
async function createResources({ shop, onCall }: Demo, client: ServiceClient) {
  await client.putSecret(PASSWORD_SECRET, SHOP_PASSWORD);
  for (const body of demoChannels(onCall.urlOf)) await client.createChannel(body);
  await client.createPolicy(demoPolicy);
  const monitors = [];
  for (const body of demoMonitors(shop.url)) monitors.push(await client.createMonitor(body));
  const heartbeat = await client.createMonitor(demoHeartbeat);
  const scenarios = [
    await client.createScenario(demoScenario(shop.url)),
    await client.createScenario(demoSignIn(shop.url)),
  ];
  return { monitors, heartbeat, scenarios };
}

async function watch(plan: WatchPlan): Promise<void> {
  const { shop, service, signal, forSeconds, connect, show } = plan;
  const { apiKey, cookie } = await setUpAccount(service.url, service.setupToken);
  const invitationUrl = await inviteOwner(service, cookie);
  const client = createServiceClient(service.url, apiKey);
  connect(client);
  const { monitors, heartbeat, scenarios } = await createResources(plan, client);
  shop.startBreaking();
  const workflowUrl = monitors[0]?.links?.temporal?.url ?? null;
  const [temporalUi = null] = workflowUrl?.split('/namespaces/') ?? [];
  say(renderAddresses({ service, shopUrl: shop.url, apiKey, invitationUrl, temporalUi }));

  const end = forSeconds === null ? signal : startTimeLimit(forSeconds * 1000, signal).signal;
  const { pathname } = new URL(heartbeat.pingUrl ?? '/', service.url);
  void runStockCount({ pingUrl: `${service.url}${pathname}`, signal: end });
  await Promise.race([
    followService({
      client,
      scenarios,
      show,
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
    'Six monitors, two scenarios and a heartbeat watch a shop on this machine. Look at:',
    '',
    `  Dashboard     ${publicUrl}`,
    `  Sign in       ${invitationUrl}`,
    '                This link works once: choose a password. The demo keeps nothing.',
    `  The shop      ${shopUrl}`,
    `  API           ${serviceUrl}/v1`,
    `  API key       ${apiKey}`,
    ...(temporalUi === null ? [] : [`  Temporal UI   ${temporalUi}`]),
    '',
    `  curl -s ${serviceUrl}/v1/monitors -H 'authorization: Bearer ${apiKey}'`,
    '',
    'Checkout fails 10 s from now for 90 s, then every 3 min. The chat alert is acknowledged every other',
    'time; otherwise the phone rings a minute later. The stock is counted every 10 s; every sixth count fails.',
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

sayUnhandledErrors();
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
