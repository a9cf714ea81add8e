/** Commands that start a probe on another machine. Pure. */

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;
const TEMPORAL_PORT = '7233';

interface Start {
  /** A key, or a command that prints one. */
  readonly key: string;
  /** The origin of this service, as the browser reaches it. */
  readonly origin: string;
  /** Temporal's `host:port`, as the service reaches it; null where it is not known. */
  readonly temporalAddress: string | null;
}

interface ProbeCommands {
  /** The command for a checkout of the source code. */
  readonly node: string;
  readonly docker: string;
}

export function probeCommands({ key, origin, temporalAddress }: Start): ProbeCommands {
  const settings = [
    `KEEPWATCH_PROBE_KEY=${key}`,
    `KEEPWATCH_API_URL=${origin}`,
    `TEMPORAL_ADDRESS=${reachableAddress(temporalAddress, new URL(origin).hostname)}`,
  ];
  return {
    node: [...settings.map((setting) => `export ${setting}`), 'npm run start:probe'].join('\n'),
    docker: [
      'docker run --detach --restart always --read-only --tmpfs /tmp \\',
      ...settings.map((setting) => `  --env ${setting} \\`),
      '  "$KEEPWATCH_IMAGE" node dist/main/probe.js',
    ].join('\n'),
  };
}

/** Replaces loopback by the host of the service, for probes on other machines. */
function reachableAddress(address: string | null, serviceHost: string): string {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address ?? '') ?? [];
  if (port === '') return `${serviceHost}:${TEMPORAL_PORT}`;
  return LOOPBACK.test(host) ? `${serviceHost}:${port}` : `${host}:${port}`;
}
