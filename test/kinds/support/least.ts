/**
 * Provides the required fields of each type of check except its name. Also lists the fields that accept a given text.
 */
import { z } from 'zod';
import type { NetworkKind } from '../../../src/contracts/kinds';
import { allowReferences } from '../../../src/kinds/allow-references';
import { KIND_SHAPES } from '../../../src/kinds/shapes';

export const LEAST: Readonly<Record<NetworkKind, Readonly<Record<string, unknown>>>> = {
  tcp: { host: 'a.example.com', port: 5432 },
  tls: { host: 'a.example.com' },
  dns: { host: 'a.example.com', record: 'MX' },
  ping: { host: 'a.example.com' },
  websocket: { url: 'wss://a.example.com/events' },
  grpc: { host: 'a.example.com', port: 50_051, useTls: true },
  domain: { host: 'example.com' },
};

/** Returns the field that names the target of the type, with the host as its value. */
export function withHost(type: NetworkKind, host: string): Readonly<Record<string, string>> {
  return type === 'websocket' ? { url: host } : { host };
}

/**
 * Returns the field that names the target of the type. If the field requires a URL, the value is a URL with the host.
 */
export function withTarget(type: NetworkKind, host: string): Readonly<Record<string, string>> {
  return withHost(type, type === 'websocket' ? `wss://${host}` : host);
}

interface TakingField {
  /** The path of the value, such as `servers[0]`. */
  readonly path: string;
  /** The field with its value: the text, or a list with the text. */
  readonly change: Readonly<Record<string, unknown>>;
}

/** Returns each field of the type that accepts this text in a step, alone or in a list. */
export function fieldsTaking(type: NetworkKind, text: string): readonly TakingField[] {
  return Object.entries(KIND_SHAPES[type].fields).flatMap(([name, field]) =>
    [text, [text]]
      .filter((value) => z.safeParse(allowReferences(field), value).success)
      .map((value) => ({
        path: Array.isArray(value) ? `${name}[0]` : name,
        change: { [name]: value },
      })),
  );
}

const ADDRESS = '192.0.2.77';

/** Returns only the fields that determine where a check connects. The text is the host. */
export function targetFields(type: NetworkKind, text: string): readonly TakingField[] {
  if (type === 'websocket') return [{ path: 'url', change: { url: `wss://${text}/` } }];
  const leading = fieldsTaking(type, ADDRESS).filter(({ change }) => {
    const { targets } = KIND_SHAPES[type].read({ ...LEAST[type], ...change });
    return targets.some(({ url }) => url.includes(ADDRESS));
  });
  return fieldsTaking(type, text).filter(({ path }) => leading.some((one) => one.path === path));
}
