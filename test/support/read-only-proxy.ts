/**
 * A proxy in front of a database on loopback. While the proxy is read-only, it refuses every write and passes reads on.
 * It then behaves like a member of a replica set that has lost its primary.
 */
import { encodeDocument } from '../../src/embedded/database/values/bson-values';
import { FrameReader } from '../../src/embedded/database/wire/frame-reader';
import { readFrame, writeResponse } from '../../src/embedded/database/wire/message';
import { startForwarder } from './forwarder';

export interface ReadOnlyProxy {
  readonly port: number;
  readonly setReadOnly: (isReadOnly: boolean) => void;
  /** The number of refused writes so far. */
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

/**
 * Starts the proxy.
 *
 * @param host the host on which the proxy listens.
 */
export async function startReadOnlyProxy(
  upstreamPort: number,
  host = '127.0.0.1',
): Promise<ReadOnlyProxy> {
  let isReadOnly = false;
  let refused = 0;

  /** Returns the response to a refused write. null if the frame must be passed on to the database. */
  function refusalOf(frame: Buffer): Buffer | null {
    if (!isReadOnly) return null;
    const request = readFrame(frame);
    const [command = ''] = Object.keys(request.body);
    if (!WRITES.has(command)) return null;
    refused += 1;
    return writeResponse(request, refused, encodeDocument(REFUSAL));
  }

  const { port, close } = await startForwarder(upstreamPort, host, (client, upstream) => {
    const frames = new FrameReader();
    client.on('data', (bytes: Buffer) => {
      for (const frame of frames.push(bytes)) {
        const refusal = refusalOf(frame);
        if (refusal === null) upstream.write(frame);
        else client.write(refusal);
      }
    });
  });
  return {
    port,
    setReadOnly: (next) => {
      isReadOnly = next;
    },
    refused: () => refused,
    close,
  };
}
