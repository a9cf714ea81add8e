// A client for the wire protocol below the driver. It builds frames by hand and sends them on its own sockets.
import { connect, type Socket } from 'node:net';
import { deserialize, serialize } from 'bson';

/** A document as it is sent and received. */
export type Fields = Record<string, unknown>;

const OP_MSG = 2013;
const HEADER_BYTES = 16;

/** Builds a complete frame with its header. */
export function frame(operation: number, body: Buffer): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeInt32LE(HEADER_BYTES + body.length, 0);
  head.writeInt32LE(7, 4);
  head.writeInt32LE(operation, 12);
  return Buffer.concat([head, body]);
}

/** Builds a message (OP_MSG) that contains the command. */
export function message(flags: number, command: Fields, ...more: Buffer[]): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(flags, 0);
  return frame(OP_MSG, Buffer.concat([head, serialize(command), ...more]));
}

/** Builds a document sequence, which can follow the body of a message. */
export function sequence(name: string, documents: Fields[]): Buffer {
  const body = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((one) => serialize(one))]);
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeInt32LE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Opens a new connection. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Resolves to the next reply, or to undefined if the connection is closed instead. */
export function nextReply(socket: Socket): Promise<Fields | undefined> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length < 4 || bytes.length < bytes.readInt32LE(0)) return;
      socket.off('data', onData);
      const start = bytes.readInt32LE(12) === OP_MSG ? 21 : 36;
      resolve(deserialize(bytes.subarray(start, bytes.readInt32LE(0))));
    };
    socket.on('data', onData);
    socket.once('close', () => resolve(undefined));
  });
}
