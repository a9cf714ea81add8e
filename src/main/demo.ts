/**
 * `npm run demo`: the whole service on a temporary data folder with a made-up history, monitoring its own small shop.
 * Prints one line for each change, incident and alert. `-- --verbose` also prints each check and run, and `-- --for 60`
 * ends the demo after 60 seconds.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildWholeEnvironment } from '../config/child-environment';
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
  demoStatusPage,
  JOB_EVERY_SECONDS,
  MONITOR_INTERVAL_SECONDS,
  ON_CALL_NAME,
  PASSWORD_SECRET,
  SCENARIO_INTERVAL_SECONDS,
  STATUS_PAGE_SLUG,
  USUAL_MS,
} from '../demo/demo-resources';
import { followService } from '../demo/follow-service';
import { type FrontDoor, startFrontDoor } from '../demo/front-door';
import { createLostChecks, type LostChecks } from '../demo/lost-checks';
import { type MailSink, startMailSink } from '../demo/mail-sink';
import { type OnCall, startOnCall } from '../demo/on-call';
import { openBrowser } from '../demo/open-browser';
import {
  createServiceClient,
  openOwnerSession,
  type ServiceClient,
  setUpAccount,
} from '../demo/service-client';
import { computeWait } from '../demo/shop-load';
import { type ShopSite, startShopSite } from '../demo/shop-site';
import { COUNTING_MS, runStockCount } from '../demo/stock-count';
import { startThrowAwayService, type ThrowAwayService } from '../demo/throw-away-service';
import { printUnhandledErrors } from '../platform/start-role';
import { startTimeLimit } from '../platform/time-limit';
import { type Seeded, seedDemo } from './seed-demo';

const NO_SETTINGS = Object.fromEntries(Object.keys(SETTINGS_TABLE).map((name) => [name, '']));

const say = (line: string) => console.log(line);

interface Demo {
  readonly shop: ShopSite;
  readonly onCall: OnCall;
  readonly mail: MailSink;
  /** Sets the client that acknowledges alerts. Called once the service is running. */
  readonly connect: (client: ServiceClient) => void;
  readonly show: (event: DemoEvent) => void;
}

async function main(signal: AbortSignal, options: Options): Promise<void> {
  const isColoured = isColourWanted(process.stdout, buildWholeEnvironment()['NO_COLOR']);
  const show = (event: DemoEvent) => say(renderEvent(event, isColoured));
  let client: ServiceClient | null = null;
  const shop = await startShopSite({ computeWait });
  const onCall = await startOnCall({
    show,
    warn: say,
    acknowledge: async (incidentId, note) => client?.acknowledge(incidentId, note),
  });
  const mail = await startMailSink((recipient, subject) =>
    show({ kind: 'alert', at: new Date(), name: subject, status: 'mail', recipient: recipient }),
  );
  const connect = (known: ServiceClient): void => {
    client = known;
  };
  try {
    await runService({ shop, onCall, mail, connect, show }, signal, options);
  } finally {
    await mail.close();
    await onCall.close();
    await shop.close();
  }
}

async function runService(demo: Demo, signal: AbortSignal, options: Options): Promise<void> {
  say('Starting Keepwatch on a throw-away data folder.');
  const ports = [demo.shop.port, demo.onCall.port];
  const targets = ports.map((port) => `127.0.0.1/32#${port}`).join(',');
  const service = await startThrowAwayService({
    program: path.join(__dirname, 'all-in-one.js'),
    environment: buildWholeEnvironment(NO_SETTINGS),
    settings: {
      KEEPWATCH_ALLOWED_PRIVATE_TARGETS: targets,
      SMTP_URL: `smtp://127.0.0.1:${demo.mail.port}`,
    },
    port: options.port,
    say: (line) => say(`  ${line}`),
    signal,
  });
  try {
    await watch({ ...demo, service, signal, options });
  } finally {
    say('Stopping, and removing the data folder.');
    await service.stop();
  }
}

interface WatchPlan extends Demo {
  readonly service: ThrowAwayService;
  readonly signal: AbortSignal;
  readonly options: Options;
}

/** Creates the resources that the demo monitors, and the recipients of its alerts. */
async function createResources({ shop, onCall }: Demo, client: ServiceClient) {
  await client.putSecret(PASSWORD_SECRET, SHOP_PASSWORD);
  for (const body of demoChannels(onCall.buildUrl)) await client.createChannel(body);
  await client.createPolicy(demoPolicy);
  const monitors = [];
  for (const body of demoMonitors(shop.url)) monitors.push(await client.createMonitor(body));
  const heartbeat = await client.createMonitor(demoHeartbeat);
  const scenarios = [
    await client.createScenario(demoScenario(shop.url)),
    await client.createScenario(demoSignIn(shop.url)),
  ];
  await client.createStatusPage(demoStatusPage([...monitors, ...scenarios]));
  return { monitors, heartbeat, scenarios };
}

async function watch(plan: WatchPlan): Promise<void> {
  const { shop, service, signal, options, connect } = plan;
  const { apiKey } = await setUpAccount(service.url, service.setupToken);
  const client = createServiceClient(service.url, apiKey);
  connect(createServiceClient(service.url, await client.createKey(ON_CALL_NAME)));
  const resources = await createResources(plan, client);
  await seedPast(service, resources);
  shop.startBreaking();
  const { monitors, heartbeat, scenarios } = resources;
  const lost = createLostChecks(MONITOR_INTERVAL_SECONDS * 1_000);
  const door = await openDoor(plan, lost);
  const workflowUrl = monitors[0]?.links?.temporal?.url ?? null;
  const [temporalUi = null] = workflowUrl?.split('/namespaces/') ?? [];
  say(renderAddresses({ service, shopUrl: shop.url, apiKey, door, temporalUi }));
  openBrowser(door.signInUrl, {
    platform: process.platform,
    environment: buildWholeEnvironment(),
    isTerminal: process.stdout.isTTY,
  });

  const { forSeconds, isVerbose } = options;
  const end = forSeconds === null ? signal : startTimeLimit(forSeconds * 1000, signal).signal;
  const { pathname } = new URL(heartbeat.pingUrl ?? '/', service.url);
  void runStockCount({ pingUrl: `${service.url}${pathname}`, signal: end });
  const again = setInterval(() => say(renderLinks(door)), LINKS_EVERY_MS);
  const watched = new Set(monitors.map(({ id }) => id));
  try {
    await Promise.race([
      followService({
        client,
        scenarios,
        show: plan.show,
        isVerbose,
        onResults: (id, results) => watched.has(id) && lost.observe(id, results),
        warn: (sentence) => say(`The service did not respond: ${sentence}`),
        signal: end,
      }),
      service.ended.then(() => {
        if (!end.aborted) throw new Error('The service ended by itself.');
      }),
    ]);
  } finally {
    clearInterval(again);
    await door.close();
  }
}

type Resources = Awaited<ReturnType<typeof createResources>>;

type Named = Pick<Seeded, 'id' | 'name'>;

/** Writes a past of 90 days, so that charts and uptime bars are full from the start. */
async function seedPast(service: ThrowAwayService, resources: Resources): Promise<void> {
  const { monitors, heartbeat, scenarios } = resources;
  const subject = (kind: Seeded['kind'], { id, name }: Named, everySeconds: number): Seeded => {
    const isJob = id === heartbeat.id;
    const usualMs = isJob ? COUNTING_MS : (USUAL_MS.get(name) ?? 0);
    return { kind, id, name, usualMs, isJob, everySeconds };
  };
  await seedDemo(await service.databaseUri(), [
    ...monitors.map((one) => subject('monitor', one, MONITOR_INTERVAL_SECONDS)),
    subject('monitor', heartbeat, JOB_EVERY_SECONDS),
    ...scenarios.map((one) => subject('scenario', one, SCENARIO_INTERVAL_SECONDS)),
  ]);
}

function openDoor({ service }: WatchPlan, lost: LostChecks): Promise<FrontDoor> {
  let kills = 0;
  return startFrontDoor({
    token: randomBytes(12).toString('hex'),
    dashboardUrl: service.publicUrl,
    openSession: (userAgent) => openOwnerSession(service, userAgent),
    killProbe: async () => {
      await service.killProbe();
      kills += 1;
      say('The probe was killed (SIGKILL). The service starts another one.');
    },
    readCount: () => ({ kills, ...lost.count() }),
  });
}

const LINKS_EVERY_MS = 60_000;

function renderLinks({ signInUrl, probeUrl }: FrontDoor): string {
  return `  Dashboard     ${signInUrl}\n  Kill a probe  ${probeUrl}`;
}

interface Addresses {
  readonly service: ThrowAwayService;
  readonly shopUrl: string;
  readonly apiKey: string;
  readonly door: FrontDoor;
  readonly temporalUi: string | null;
}

function renderAddresses({ service, shopUrl, apiKey, door, temporalUi }: Addresses): string {
  const { publicUrl } = service;
  return [
    '',
    'Six monitors, two scenarios and a heartbeat watch a shop on this machine. Open (you are signed in at once):',
    '',
    renderLinks(door),
    `  Status page   ${publicUrl}/status/${STATUS_PAGE_SLUG}`,
    // The shop has another host name than the dashboard, so that it does not receive the cookies of the dashboard.
    `  The shop      ${shopUrl}`,
    `  API           ${publicUrl}/v1`,
    `  API key       ${apiKey}`,
    ...(temporalUi === null ? [] : [`  Temporal UI   ${temporalUi}`]),
    '',
    `  curl -s ${publicUrl}/v1/monitors -H 'authorization: Bearer ${apiKey}'`,
    '',
    'Checkout fails 10 s from now for 90 s, then every 3 min. The chat alert is acknowledged every other',
    'time; otherwise the phone rings a minute later. The stock is counted every 30 s; every fourth count fails.',
    'The 90 days before today are made up. Below is what changes; --verbose shows each check. Ctrl-C stops everything.',
    '',
  ].join('\n');
}

interface Options {
  /** Seconds until the demo ends. null means that the demo does not end by itself. */
  readonly forSeconds: number | null;
  readonly isVerbose: boolean;
  /** The port of the service. null means any free port. */
  readonly port: number | null;
}

/** Returns undefined if the arguments or PORT are invalid. */
function readOptions(port: string): Options | undefined {
  try {
    const { values } = parseArgs({
      options: { for: { type: 'string' }, verbose: { type: 'boolean', default: false } },
    });
    const isTime = values.for === undefined || /^[1-9]\d{0,5}$/.test(values.for);
    const isPort = port === '' || (/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535);
    if (!isTime || !isPort) return undefined;
    return {
      forSeconds: values.for === undefined ? null : Number(values.for),
      isVerbose: values.verbose,
      port: port === '' ? null : Number(port),
    };
  } catch {
    return undefined;
  }
}

printUnhandledErrors();
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
process.once('SIGTERM', () => stopping.abort());

const options = readOptions(buildWholeEnvironment()['PORT'] ?? '');
if (options === undefined) {
  console.error('usage: [PORT=NUMBER] npm run demo [-- [--verbose] [--for SECONDS]]');
  process.exitCode = 2;
} else {
  main(stopping.signal, options).catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
