/**
 * A proxy on loopback before a database. While it is read-only it refuses every write as a member of a
 * replica set does that has lost its primary, and lets reads pass. It changes nothing else.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { encodeDocument } from '../../src/embedded/database/values/bson-values';
import { FrameReader } from '../../src/embedded/database/wire/frame-reader';
import { readFrame, writeResponse } from '../../src/embedded/database/wire/message';

export interface ReadOnlyProxy {
  readonly port: number;
  readonly setReadOnly: (isReadOnly: boolean) => void;
  /** Writes that were refused so far. */
  readonly refused: () => number;
  readonly close: () => Promise<void>;
}

const WRITES: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'findAndModify',
  'findandmodify',
  'createIndexes',
  'create',
  'drop',
]);
const REFUSAL = {
  ok: 0,
  code: 10107,
  codeName: 'NotWritablePrimary',
  errmsg: 'not primary',
};

export async function startReadOnlyProxy(upstreamPort: number): Promise<ReadOnlyProxy> {
  const clients = new Set<Socket>();
  let isReadOnly = false;
  let refused = 0;

  /** The response to a write that is refused; null: the frame goes on to the database. */
  function refusalOf(frame: Buffer): Buffer | null {
    if (!isReadOnly) return null;
    const request = readFrame(frame);
    const [command = ''] = Object.keys(request.body);
    if (!WRITES.has(command)) return null;
    refused += 1;
    return writeResponse(request, refused, encodeDocument(REFUSAL));
  }

  const server = createServer((client) => {
    const upstream = connect(upstreamPort, '127.0.0.1');
    const frames = new FrameReader();
    clients.add(client);
    upstream.pipe(client);
    client.on('data', (bytes: Buffer) => {
      for (const frame of frames.push(bytes)) {
        const refusal = refusalOf(frame);
        if (refusal === null) upstream.write(frame);
        else client.write(refusal);
      }
    });
    const end = (): void => {
      clients.delete(client);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    setReadOnly: (next) => {
      isReadOnly = next;
    },
    refused: () => refused,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}
