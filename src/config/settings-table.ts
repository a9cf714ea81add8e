/**
 * Every setting with its shape, default and meaning. Validation, `.env.example` and docs/settings.md use this table.
 */
import { z } from 'zod';
import { PLANS } from '../domain/accounts/plan';
import { ACCOUNT_ROWS } from './account-rows';
import { ALL_IN_ONE_ROWS } from './all-in-one-rows';
import { PIPELINE_ROWS } from './pipeline-rows';
import { defineSecretSetting, defineSetting } from './setting-row';
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
import { SIGN_IN_ROWS } from './sign-in-rows';
import { METRICS_EXPORT_ROWS, TRACING_ROWS } from './tracing-rows';
import { httpUrl, mailSender, mongodbUrl, publicUrl, smtpUrl } from './url-shapes';
import { WATCHDOG_ROWS } from './watchdog-rows';

export type { ProcessRole } from './setting-row';

export const SETTINGS_TABLE = {
  PORT: defineSetting(['api'], portNumber.default(3000), '3000', 'API and dashboard'),
  HOST: defineSetting(
    ['api'],
    z.string().default('127.0.0.1'),
    '127.0.0.1',
    'IP address or host name that the API listens on',
  ),
  KEEPWATCH_DATA_DIR: defineSetting(
    ['api'],
    z.string().default('.keepwatch'),
    '.keepwatch',
    'all-in-one: folder for the data of the embedded servers and for generated keys',
  ),
  KEEPWATCH_PUBLIC_URL: defineSetting(
    ['api', 'orchestrator'],
    publicUrl.optional(),
    '',
    'URL at which people reach the service, without a path; default http://localhost:PORT',
  ),
  KEEPWATCH_SETUP_TOKEN: defineSecretSetting(
    ['api'],
    z.string().min(16).optional(),
    '',
    'token for the first set-up. Empty: generated and printed',
  ),
  KEEPWATCH_SECRET_KEY: defineSecretSetting(
    ['api', 'orchestrator'],
    commaList.pipe(z.array(encryptionKey).min(1)).optional(),
    '',
    'key that encrypts secrets and all data in Temporal, as 64 hex characters. Probes never get it. To rotate, list several keys, separated by commas: the first encrypts, and all decrypt. all-in-one generates a key',
  ),
  KEEPWATCH_API_URL: defineSetting(
    ['probe'],
    httpUrl.optional(),
    '',
    'URL of the API, from which a probe reads definitions; default http://127.0.0.1:PORT',
  ),
  KEEPWATCH_DEFAULT_PLAN: defineSetting(
    ['api'],
    z.enum(PLANS).default('business'),
    'business',
    'plan of a new account: free, pro, growth or business',
  ),
  ...ACCOUNT_ROWS,
  KEEPWATCH_REGIONS: defineSetting(
    ['api', 'orchestrator'],
    commaList.pipe(z.array(regionName).min(1).max(20)).default(['eu-west', 'us-east']),
    'eu-west,us-east',
    'regions that the API offers from the start; all-in-one runs a probe in each',
  ),
  KEEPWATCH_PROBE_KEY: defineSecretSetting(
    ['probe'],
    probeKeys.optional(),
    '',
    'key of a probe for one region. `keepwatch regions add-probe eu-west` prints one; all-in-one and the compose files create their own. With several keys, separated by commas, one process is the probe of several regions',
  ),
  KEEPWATCH_ALLOWED_PRIVATE_TARGETS: defineSetting(
    ['api', 'orchestrator', 'probe'],
    commaList.pipe(z.array(cidrOrTarget)).default([]),
    '',
    'private IP address ranges that checks may reach, in CIDR notation, separated by commas. A suffix like `#8080` or `#8000-8999` allows only these ports',
  ),
  KEEPWATCH_DENIED_TARGETS: defineSetting(
    ['api', 'orchestrator', 'probe'],
    commaList.pipe(z.array(cidrOrTarget)).default([]),
    '',
    'private or public IP address ranges that checks and alerts must not reach. Same format as KEEPWATCH_ALLOWED_PRIVATE_TARGETS, and takes precedence over it',
  ),
  KEEPWATCH_OWN_PORTS: defineSetting(
    ['api', 'orchestrator', 'probe'],
    commaList.pipe(z.array(portNumber)).default([]),
    '',
    'more ports of this installation that checks and alerts must not reach on this machine. The ports of the API, Temporal and the database are always included',
  ),
  KEEPWATCH_EXTRA_CA_CERTS: defineSetting(
    ['api', 'orchestrator', 'probe'],
    z.string().min(1).optional(),
    '',
    'PEM file with additional certificate authorities to trust for targets, webhooks, CI services and the mail server',
  ),
  KEEPWATCH_PROXIES: defineSecretSetting(
    ['api', 'probe'],
    proxyList.default([]),
    '',
    'proxies that definitions may name, like corp=http://user:password@proxy.example:3128, separated by commas. The scheme is http, https or socks5. The API needs them only to validate the names',
  ),
  ...PIPELINE_ROWS,
  ...SIGN_IN_ROWS,
  KEEPWATCH_RDAP_BOOTSTRAP_URL: defineSetting(
    ['probe'],
    z
      .string()
      .refine(
        (text) => URL.canParse(text) && /^https?:/.test(text),
        'must be a URL like https://data.iana.org/rdap/dns.json',
      )
      .default('https://data.iana.org/rdap/dns.json'),
    'https://data.iana.org/rdap/dns.json',
    'list of the RDAP servers of all registries, for checks of the type domain',
  ),
  KEEPWATCH_RESULT_RETENTION_DAYS: defineSetting(
    ['orchestrator'],
    z
      .string()
      .regex(/^\d{1,4}$/, 'must be a whole number of days')
      .transform(Number)
      .refine((days) => days >= 1, 'must be at least 1')
      .default(90),
    '90',
    'days for which single results are kept',
  ),
  KEEPWATCH_STEADY: defineSetting(
    ['orchestrator', 'probe'],
    z.enum(['watch', 'full']).default('watch'),
    'watch',
    'watch: while nothing changes, one long activity per region runs the checks of a monitor, with far less CPU use and fewer writes. full: the workflow runs each check',
  ),
  KEEPWATCH_WORKER_VERSIONING: defineSetting(
    ['orchestrator'],
    z.enum(['on', 'off']).default('on'),
    'on',
    'on: a workflow stays on the orchestrator build that started it until it continues as new. Two versions can then run side by side. off: any orchestrator runs any workflow. all-in-one always uses off, since it runs one version at a time',
  ),
  KEEPWATCH_CACHED_WORKFLOWS: defineSetting(
    ['orchestrator'],
    z
      .string()
      .regex(/^\d{2,6}$/, 'must be a whole number from 10 to 999999')
      .transform(Number)
      .refine((count) => count >= 10, 'must be at least 10')
      .optional(),
    '',
    'number of workflows that an orchestrator keeps in memory, about 0.4 MB each. To save CPU, set 20% more than the number of monitors and scenarios. Empty: as many as fit into two thirds of its memory limit, or without a limit into a quarter of the memory of the machine',
  ),
  ...ALL_IN_ONE_ROWS,
  MONGODB_URI: defineSecretSetting(
    ['api', 'orchestrator'],
    mongodbUrl.optional(),
    '',
    'URI of your own MongoDB. Empty: all-in-one starts a database',
  ),
  TEMPORAL_ADDRESS: defineSetting(
    ['api', 'orchestrator', 'probe'],
    z
      .string()
      .regex(/^[^\s/:]+:\d{1,5}$/, 'must be like localhost:7233')
      .optional(),
    '',
    'host and port of your own Temporal server. Empty: all-in-one starts a server',
  ),
  TEMPORAL_NAMESPACE: defineSetting(
    ['api', 'orchestrator', 'probe'],
    z.string().min(1).default('default'),
    'default',
    'Temporal namespace',
  ),
  TEMPORAL_TLS: defineSetting(
    ['api', 'orchestrator', 'probe'],
    yesOrNo.optional(),
    '',
    'true: the connection to Temporal uses TLS; false: it is unencrypted. Empty: it uses TLS if a certificate, a server name or an API key is set',
  ),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: defineSetting(
    ['api', 'orchestrator', 'probe'],
    certificatesFile.optional(),
    '',
    'PEM file with the certificate authorities to trust for the Temporal server. Empty: the well-known ones',
  ),
  TEMPORAL_TLS_SERVER_NAME: defineSetting(
    ['api', 'orchestrator', 'probe'],
    z.string().optional(),
    '',
    'host name in the certificate of the Temporal server, if it differs from TEMPORAL_ADDRESS',
  ),
  TEMPORAL_TLS_CLIENT_CERT_PATH: defineSetting(
    ['api', 'orchestrator', 'probe'],
    certificatesFile.optional(),
    '',
    'PEM file with the client certificate for the Temporal server (mTLS), read at the start',
  ),
  TEMPORAL_TLS_CLIENT_KEY_PATH: defineSetting(
    ['api', 'orchestrator', 'probe'],
    privateKeyFile.optional(),
    '',
    'PEM file with the private key of TEMPORAL_TLS_CLIENT_CERT_PATH',
  ),
  TEMPORAL_API_KEY: defineSecretSetting(
    ['api', 'orchestrator', 'probe'],
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be one word of ASCII')
      .optional(),
    '',
    'API key of the Temporal server or of Temporal Cloud',
  ),
  TEMPORAL_UI_URL: defineSetting(
    ['api'],
    httpUrl.optional(),
    '',
    'URL of the Temporal UI. If it ends in /temporal, the API serves the UI at /temporal behind its login. Otherwise the dashboard only links to it',
  ),
  KEEPWATCH_TRUST_PROXY: defineSetting(
    ['api'],
    trustedProxies.default(0),
    '0',
    'proxies that are trusted to set X-Forwarded-For. Either their number, or a list of their IP addresses and ranges (also loopback, linklocal, uniquelocal). 0: the header is ignored',
  ),
  KEEPWATCH_CORS_ORIGINS: defineSetting(
    ['api'],
    commaList.pipe(z.array(webOrigin).max(20)).default([]),
    '',
    'web origins that may call /v1 with an API key, but never with a cookie, like https://tools.example.com. Empty: none',
  ),
  KEEPWATCH_RATE_LIMITS: defineSetting(
    ['api'],
    z.enum(['on', 'off']).default('on'),
    'on',
    'off: requests with API keys are not limited, and responses have no RateLimit headers',
  ),
  KEEPWATCH_METRICS_TOKEN: defineSecretSetting(
    ['api'],
    z.string().min(16).optional(),
    '',
    'bearer token for /metrics. Empty: only this machine can read /metrics, and only if KEEPWATCH_PUBLIC_URL is a localhost URL',
  ),
  KEEPWATCH_TEMPORAL_METRICS: defineSetting(
    ['orchestrator', 'probe'],
    listenAddress.optional(),
    '',
    'IP address and port for the /metrics of the Temporal SDK, like 127.0.0.1:9464. In all-in-one, the Temporal server uses this port, the orchestrator the next one, and the probe the one after that. Empty: none',
  ),
  ...TRACING_ROWS,
  ...METRICS_EXPORT_ROWS,
  SMTP_URL: defineSecretSetting(
    ['api', 'orchestrator'],
    smtpUrl.optional(),
    '',
    'mail server, like smtps://user:password@mail.example.com. Special characters in the password are percent-encoded (# as %23). Empty: email deliveries fail and are shown as failed',
  ),
  MAIL_FROM: defineSetting(
    ['api', 'orchestrator'],
    mailSender.default('keepwatch@localhost.localdomain'),
    '',
    'sender of emails, like watch@example.com or Keepwatch <watch@example.com>',
  ),
  ...WATCHDOG_ROWS,
  KEEPWATCH_CANARY_HOSTS: defineSetting(
    ['probe'],
    commaList.pipe(z.array(canaryHost).max(10)).default([]),
    '',
    'hosts that always respond, like host:port, separated by commas. If a probe reaches neither its targets nor any of these hosts, its outcomes are unknown. Empty: the network of a probe is never suspected',
  ),
  LOG_LEVEL: defineSetting(
    ['api', 'orchestrator', 'probe'],
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
    'info',
    'fatal, error, warn, info, debug or trace; logs are JSON lines on standard error',
  ),
};

export type SettingName = keyof typeof SETTINGS_TABLE;
