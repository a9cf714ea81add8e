/** The groups in which docs/settings.md lists the settings. Every setting belongs to exactly one group. */
import type { SETTINGS_TABLE } from './settings-table';

type SettingName = keyof typeof SETTINGS_TABLE;

/** Each row: the heading of a group, and its settings in the order of the page. */
export const SETTING_GROUPS: readonly (readonly [string, readonly SettingName[]])[] = [
  [
    'API and dashboard',
    [
      'PORT',
      'HOST',
      'KEEPWATCH_PUBLIC_URL',
      'KEEPWATCH_TRUST_PROXY',
      'KEEPWATCH_CORS_ORIGINS',
      'KEEPWATCH_RATE_LIMITS',
    ],
  ],
  [
    'Secrets and data',
    [
      'KEEPWATCH_SECRET_KEY',
      'KEEPWATCH_DATA_DIR',
      'MONGODB_URI',
      'KEEPWATCH_RESULT_RETENTION_DAYS',
      'LOG_LEVEL',
    ],
  ],
  [
    'Accounts and sign-in',
    [
      'KEEPWATCH_SETUP_TOKEN',
      'KEEPWATCH_OPERATOR_EMAIL',
      'KEEPWATCH_REGISTRATION',
      'KEEPWATCH_DEFAULT_PLAN',
      'KEEPWATCH_PASSWORDS',
      'KEEPWATCH_SIGN_IN_PROVIDERS',
      'KEEPWATCH_PIPELINE_ISSUERS',
    ],
  ],
  ['Mail', ['SMTP_URL', 'MAIL_FROM']],
  [
    'Regions and probes',
    [
      'KEEPWATCH_REGIONS',
      'KEEPWATCH_PROBE_KEY',
      'KEEPWATCH_API_URL',
      'KEEPWATCH_CANARY_HOSTS',
      'KEEPWATCH_STEADY',
    ],
  ],
  [
    'What checks may reach',
    [
      'KEEPWATCH_ALLOWED_PRIVATE_TARGETS',
      'KEEPWATCH_DENIED_TARGETS',
      'KEEPWATCH_OWN_PORTS',
      'KEEPWATCH_EXTRA_CA_CERTS',
      'KEEPWATCH_PROXIES',
      'KEEPWATCH_RDAP_BOOTSTRAP_URL',
    ],
  ],
  [
    'Temporal',
    [
      'TEMPORAL_ADDRESS',
      'TEMPORAL_NAMESPACE',
      'TEMPORAL_TLS',
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
      'TEMPORAL_TLS_SERVER_NAME',
      'TEMPORAL_TLS_CLIENT_CERT_PATH',
      'TEMPORAL_TLS_CLIENT_KEY_PATH',
      'TEMPORAL_API_KEY',
      'TEMPORAL_UI_URL',
      'KEEPWATCH_WORKER_VERSIONING',
      'KEEPWATCH_CACHED_WORKFLOWS',
    ],
  ],
  [
    'Watchdog',
    ['KEEPWATCH_WATCHDOG_URL', 'KEEPWATCH_WATCHDOG_SECONDS', 'KEEPWATCH_WATCHDOG_REQUIRES'],
  ],
  [
    'Metrics and traces',
    [
      'KEEPWATCH_METRICS_TOKEN',
      'KEEPWATCH_TEMPORAL_METRICS',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_TRACES_SAMPLER',
      'OTEL_TRACES_SAMPLER_ARG',
      'OTEL_SERVICE_NAME',
      'OTEL_METRICS_EXPORTER',
      'OTEL_METRIC_EXPORT_INTERVAL',
    ],
  ],
  ['`npm start` and containers', ['KEEPWATCH_ROLE', 'KEEPWATCH_DOWNLOADS', 'KEEPWATCH_MONGOD']],
];
