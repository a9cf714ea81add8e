/**
 * Every setting of Keepwatch with its shape, default and meaning: the single source for validation,
 * for `.env.example` and for the table in docs/operations.md. It does not read the environment itself.
 */
import { z } from 'zod';
import { PLANS } from '../domain/accounts/plan';
import { PIPELINE_ROWS } from './pipeline-rows';
import { row, secretRow } from './setting-row';
import {
  canaryHost,
  certificatesFile,
  cidrOrTarget,
  commaList,
  encryptionKey,
  listenAddress,
  portNumber,
  privateKeyFile,
  probeKeys,
  proxyList,
  regionName,
  trustedProxies,
  webOrigin,
  yesOrNo,
} from './setting-shapes';
import { METRICS_EXPORT_ROWS, TRACING_ROWS } from './tracing-rows';
import { httpUrl, mailSender, mongodbUrl, publicUrl, smtpUrl } from './url-shapes';
import { WATCHDOG_ROWS } from './watchdog-rows';

export type { ProcessRole } from './setting-row';

/** Setting name → the roles that read it, its schema, the value shown in `.env.example`, and its meaning. */
export const SETTINGS_TABLE = {
  PORT: row(['api'], portNumber.default(3000), '3000', 'API and dashboard'),
  HOST: row(
    ['api'],
    z.string().default('127.0.0.1'),
    '127.0.0.1',
    'IP address or host name that the API listens on',
  ),
  KEEPWATCH_DATA_DIR: row(
    ['api'],
    z.string().default('.keepwatch'),
    '.keepwatch',
    "all-in-one: embedded servers' data and generated keys",
  ),
  KEEPWATCH_PUBLIC_URL: row(
    ['api', 'orchestrator'],
    publicUrl.optional(),
    '',
    'URL of the service for people, without a path; default http://localhost:PORT',
  ),
  KEEPWATCH_SETUP_TOKEN: secretRow(
    ['api'],
    z.string().min(16).optional(),
    '',
    'token of the first set-up; generated and printed when empty',
  ),
  KEEPWATCH_SECRET_KEY: secretRow(
    ['api', 'orchestrator'],
    commaList.pipe(z.array(encryptionKey).min(1)).optional(),
    '',
    'encrypts secrets and all that Temporal keeps; never given to a probe; 64 hex characters; a comma list rotates (first writes, all read); all-in-one generates it',
  ),
  KEEPWATCH_API_URL: row(
    ['probe'],
    httpUrl.optional(),
    '',
    'where a probe reads definitions; default http://127.0.0.1:PORT',
  ),
  KEEPWATCH_DEFAULT_PLAN: row(
    ['api'],
    z.enum(PLANS).default('business'),
    'business',
    'plan of a new account: free, pro, growth or business',
  ),
  KEEPWATCH_REGIONS: row(
    ['api', 'orchestrator'],
    commaList.pipe(z.array(regionName).min(1).max(20)).default(['eu-west', 'us-east']),
    'eu-west,us-east',
    'regions that all-in-one runs and that the API knows from the start',
  ),
  KEEPWATCH_PROBE_KEY: secretRow(
    ['probe'],
    probeKeys.optional(),
    '',
    'the key of one probe, which names its region: `keepwatch regions add-probe eu-west` prints one; all-in-one and the compose files make theirs. Several, separated by commas, make one process the probe of several regions',
  ),
  KEEPWATCH_ALLOWED_PRIVATE_TARGETS: row(
    ['api', 'orchestrator', 'probe'],
    commaList.pipe(z.array(cidrOrTarget)).default([]),
    '',
    'private address ranges that checks may reach, as CIDR list; `#8080` or `#8000-8999` behind one limits the ports',
  ),
  KEEPWATCH_DENIED_TARGETS: row(
    ['api', 'orchestrator', 'probe'],
    commaList.pipe(z.array(cidrOrTarget)).default([]),
    '',
    'IP address ranges that checks and alerts never reach, private or public, written like KEEPWATCH_ALLOWED_PRIVATE_TARGETS, which they win over',
  ),
  KEEPWATCH_OWN_PORTS: row(
    ['api', 'orchestrator', 'probe'],
    commaList.pipe(z.array(portNumber)).default([]),
    '',
    "further ports of this installation, which nothing reaches on this machine's own IP addresses; those of the API, Temporal and the database are added from their settings",
  ),
  KEEPWATCH_EXTRA_CA_CERTS: row(
    ['api', 'orchestrator', 'probe'],
    z.string().min(1).optional(),
    '',
    'PEM file with certificate authorities to trust for targets, webhooks, CI services and the mail server, in addition to the well-known ones',
  ),
  KEEPWATCH_PROXIES: secretRow(
    ['api', 'probe'],
    proxyList.default([]),
    '',
    'proxies that definitions may name, like corp=http://user:password@proxy.example:3128; http, https or socks5, separated by commas; the API knows their names only to check them',
  ),
  ...PIPELINE_ROWS,
  KEEPWATCH_RDAP_BOOTSTRAP_URL: row(
    ['probe'],
    z
      .string()
      .refine(
        (text) => URL.canParse(text) && /^https?:/.test(text),
        'must be a URL like https://data.iana.org/rdap/dns.json',
      )
      .default('https://data.iana.org/rdap/dns.json'),
    'https://data.iana.org/rdap/dns.json',
    'list of the RDAP servers of all registries, which checks of the type domain ask',
  ),
  KEEPWATCH_RESULT_RETENTION_DAYS: row(
    ['orchestrator'],
    z
      .string()
      .regex(/^\d{1,4}$/, 'must be a whole number of days')
      .transform(Number)
      .refine((days) => days >= 1, 'must be at least 1')
      .default(90),
    '90',
    'days that single results are kept',
  ),
  KEEPWATCH_STEADY: row(
    ['orchestrator', 'probe'],
    z.enum(['watch', 'full']).default('watch'),
    'watch',
    'watch: while the checks of a monitor change nothing, one long activity per region makes them. This takes a fraction of the CPU and of what is written. With full, each check passes the workflow',
  ),
  KEEPWATCH_WORKER_VERSIONING: row(
    ['orchestrator'],
    z.enum(['on', 'off']).default('on'),
    'on',
    'on: a workflow stays with the build of the orchestrator that began it until it continues as new, so that two versions run side by side. With off, any orchestrator takes any workflow. The all-in-one service, where one process follows the other, is always off',
  ),
  KEEPWATCH_CACHED_WORKFLOWS: row(
    ['orchestrator'],
    z
      .string()
      .regex(/^\d{2,6}$/, 'must be a whole number from 10 to 999999')
      .transform(Number)
      .refine((count) => count >= 10, 'must be at least 10')
      .optional(),
    '',
    'workflows that an orchestrator keeps in memory, about 0.4 MB each. To save CPU, set a fifth more than there are monitors and scenarios. Empty: as many as fit into two thirds of its memory limit, or into a quarter of the machine without one',
  ),
  KEEPWATCH_MONGOD: row([], z.string().optional(), '', 'all-in-one: path of a mongod to use'),
  MONGODB_URI: secretRow(
    ['api', 'orchestrator'],
    mongodbUrl.optional(),
    '',
    'database of your own; all-in-one starts one when empty',
  ),
  TEMPORAL_ADDRESS: row(
    ['api', 'orchestrator', 'probe'],
    z
      .string()
      .regex(/^[^\s/:]+:\d{1,5}$/, 'must be like localhost:7233')
      .optional(),
    '',
    'Temporal server of your own; all-in-one starts one when empty',
  ),
  TEMPORAL_NAMESPACE: row(
    ['api', 'orchestrator', 'probe'],
    z.string().min(1).default('default'),
    'default',
    'Temporal namespace',
  ),
  TEMPORAL_TLS: row(
    ['api', 'orchestrator', 'probe'],
    yesOrNo.optional(),
    '',
    'true: Temporal is reached over TLS, false: in the clear; empty: over TLS as soon as a certificate, a server name or an API key is set',
  ),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: row(
    ['api', 'orchestrator', 'probe'],
    certificatesFile.optional(),
    '',
    "PEM file with the authorities of the Temporal server's certificate; empty: the well-known ones",
  ),
  TEMPORAL_TLS_SERVER_NAME: row(
    ['api', 'orchestrator', 'probe'],
    z.string().optional(),
    '',
    "name that the Temporal server's certificate is for, where it is not the host of TEMPORAL_ADDRESS",
  ),
  TEMPORAL_TLS_CLIENT_CERT_PATH: row(
    ['api', 'orchestrator', 'probe'],
    certificatesFile.optional(),
    '',
    'PEM file with the certificate that this process shows to the Temporal server (mTLS), read at the start',
  ),
  TEMPORAL_TLS_CLIENT_KEY_PATH: row(
    ['api', 'orchestrator', 'probe'],
    privateKeyFile.optional(),
    '',
    'PEM file with the private key of TEMPORAL_TLS_CLIENT_CERT_PATH',
  ),
  TEMPORAL_API_KEY: secretRow(
    ['api', 'orchestrator', 'probe'],
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be one word of ASCII')
      .optional(),
    '',
    'API key of the Temporal server or of Temporal Cloud',
  ),
  TEMPORAL_UI_URL: row(
    ['api'],
    httpUrl.optional(),
    '',
    'URL of the Temporal UI; one that ends in /temporal is shown at /temporal of the API behind its login, any other is linked to',
  ),
  KEEPWATCH_TRUST_PROXY: row(
    ['api'],
    trustedProxies.default(0),
    '0',
    'whose X-Forwarded-For is believed: a number of proxies in front, or a list of their IP addresses and ranges (also loopback, linklocal, uniquelocal); 0: nobody',
  ),
  KEEPWATCH_CORS_ORIGINS: row(
    ['api'],
    commaList.pipe(z.array(webOrigin).max(20)).default([]),
    '',
    'origins whose pages may call /v1 with an API key, like https://tools.example.com; never with a cookie; empty: none',
  ),
  KEEPWATCH_RATE_LIMITS: row(
    ['api'],
    z.enum(['on', 'off']).default('on'),
    'on',
    'off: requests of API keys are not counted, and carry no RateLimit headers',
  ),
  KEEPWATCH_METRICS_TOKEN: secretRow(
    ['api'],
    z.string().min(16).optional(),
    '',
    'Bearer token of /metrics; when empty, only this machine may read them, and nobody where KEEPWATCH_PUBLIC_URL is not localhost',
  ),
  KEEPWATCH_TEMPORAL_METRICS: row(
    ['orchestrator', 'probe'],
    listenAddress.optional(),
    '',
    'IP address and port, like 127.0.0.1:9464, at which Prometheus reads /metrics of the Temporal SDK. The all-in-one service takes further ports from there on: its Temporal server, the orchestrator, then the probe. Empty: none',
  ),
  ...TRACING_ROWS,
  ...METRICS_EXPORT_ROWS,
  SMTP_URL: secretRow(
    ['api', 'orchestrator'],
    smtpUrl.optional(),
    '',
    'mail server, like smtps://user:password@mail.example.com, with what is special in the password percent-encoded (# as %23); without it mail deliveries fail visibly',
  ),
  MAIL_FROM: row(
    ['api', 'orchestrator'],
    mailSender.default('keepwatch@localhost.localdomain'),
    '',
    'sender of mail, like watch@example.com or Keepwatch <watch@example.com>',
  ),
  KEEPWATCH_OPERATOR_EMAIL: row(
    ['orchestrator'],
    z.email('must be one email address').optional(),
    '',
    'who runs the service: hears of regions without workers, of suspect networks and of times without checks; needs SMTP_URL',
  ),
  ...WATCHDOG_ROWS,
  KEEPWATCH_CANARY_HOSTS: row(
    ['probe'],
    commaList.pipe(z.array(canaryHost).max(10)).default([]),
    '',
    'hosts that always respond, as host:port list. When a probe reaches neither its targets nor any of these, its outcomes are unknown. Empty: the network of a probe is never suspected',
  ),
  LOG_LEVEL: row(
    ['api', 'orchestrator', 'probe'],
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
    'info',
    'fatal, error, warn, info, debug or trace; logs are JSON lines on standard error',
  ),
};

export type SettingName = keyof typeof SETTINGS_TABLE;
