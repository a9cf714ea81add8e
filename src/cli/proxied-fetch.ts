/**
 * Sends requests through the proxy in HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY excludes the host, like curl. Requests
 * to this machine are sent directly.
 */
import type { Environment } from './stored-login';

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

interface ProxySettings {
  readonly httpProxy: string | undefined;
  readonly httpsProxy: string | undefined;
  readonly noProxy: string;
}

/** Reads the proxy settings. Returns null if no proxy is configured. */
export function readProxySettings(environment: Environment): ProxySettings | null {
  const find = (name: string): string | undefined => {
    const value = environment[name.toLowerCase()] ?? environment[name];
    return value === undefined || value === '' ? undefined : withScheme(value);
  };
  const [httpProxy, httpsProxy] = [find('HTTP_PROXY'), find('HTTPS_PROXY')];
  if (httpProxy === undefined && httpsProxy === undefined) return null;
  const named = environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
  return {
    httpProxy,
    httpsProxy,
    noProxy: [named, ...LOOPBACK].filter((part) => part !== '').join(','),
  };
}

/** Adds the scheme http to values like `proxy.example:3128`. */
function withScheme(proxy: string): string {
  return /^[a-z]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

/** Creates the function that sends requests. The proxy library is loaded only if a proxy is configured. */
export function createFetch(environment: Environment): typeof fetch {
  const settings = readProxySettings(environment);
  if (settings === null) return fetch;
  const agent = import('undici').then(
    ({ EnvHttpProxyAgent }) =>
      new EnvHttpProxyAgent({
        ...settings,
        httpProxy: settings.httpProxy ?? '',
        httpsProxy: settings.httpsProxy ?? '',
      }),
  );
  return async (input, init) => {
    const options: RequestInit = Object.assign({}, init, { dispatcher: await agent });
    return await fetch(input, options);
  };
}

/** Returns a hint that the proxy may be the reason for a failure. Empty without a proxy. */
export function buildProxyHint(environment: Environment): string {
  const settings = readProxySettings(environment);
  return settings === null ? '' : ' HTTP_PROXY, HTTPS_PROXY and NO_PROXY say which proxy is used.';
}
