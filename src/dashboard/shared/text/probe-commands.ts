/** Commands that start a probe on another machine. Pure. */

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;
const TEMPORAL_PORT = '7233';
/** Replaces the host of this service in the commands if only localhost is known. */
export const HOST_PLACEHOLDER = 'KEEPWATCH_HOST';

interface Start {
  readonly key: string;
  /** The known URLs of the service: KEEPWATCH_PUBLIC_URL, if it is set, and the origin that the browser uses. */
  readonly origins: readonly string[];
  /** Temporal's `host:port`, as the service reaches it. null if unknown. */
  readonly temporalAddress: string | null;
  /** The version of this service. null if unknown. */
  readonly version: string | null;
}

interface ProbeCommands {
  /** The command that starts the probe from a checkout of the source code. */
  readonly node: string;
  readonly docker: string;
  readonly image: string;
  /** True if the commands contain HOST_PLACEHOLDER. */
  readonly hasPlaceholder: boolean;
  /** True means that the address of Temporal works only on its own machine. */
  readonly isTemporalLocal: boolean;
}

export function probeCommands({ key, origins, temporalAddress, version }: Start): ProbeCommands {
  const url = findPublicUrl(origins);
  const image = version === null ? 'keepwatch/keepwatch' : `keepwatch/keepwatch:${version}`;
  const temporal = readAddress(temporalAddress);
  const isTemporalLocal = LOOPBACK.test(temporal.host);
  const temporalHost = isTemporalLocal || temporal.host === '' ? url.host : temporal.host;
  const settings = [
    `KEEPWATCH_PROBE_KEY=${key}`,
    `KEEPWATCH_API_URL=${url.text}`,
    `TEMPORAL_ADDRESS=${temporalHost}:${temporal.port}`,
  ];
  return {
    node: [...settings.map((setting) => `export ${setting}`), 'npm run start:probe'].join('\n'),
    docker: [
      'docker run --detach --restart always --read-only --tmpfs /tmp \\',
      ...['KEEPWATCH_ROLE=probe', ...settings].map((setting) => `  --env ${setting} \\`),
      `  ${image}`,
    ].join('\n'),
    image,
    hasPlaceholder: url.host === HOST_PLACEHOLDER,
    isTemporalLocal,
  };
}

/**
 * Returns the first origin that other machines can reach. If there is none, returns the first origin with a placeholder
 * as its host.
 */
function findPublicUrl(origins: readonly string[]): {
  readonly text: string;
  readonly host: string;
} {
  const urls = origins.map((origin) => new URL(origin));
  const found = urls.find(({ hostname }) => !LOOPBACK.test(hostname));
  if (found !== undefined) return { text: found.href.replace(/\/$/, ''), host: found.hostname };
  const [{ protocol, port } = { protocol: 'https:', port: '' }] = urls;
  const host = port === '' ? HOST_PLACEHOLDER : `${HOST_PLACEHOLDER}:${port}`;
  return { text: `${protocol}//${host}`, host: HOST_PLACEHOLDER };
}

/** Splits the address. An unknown address gives an empty host. */
function readAddress(address: string | null): { readonly host: string; readonly port: string } {
  const [, host = '', port = TEMPORAL_PORT] = /^(.*):(\d+)$/.exec(address ?? '') ?? [];
  return { host, port };
}
