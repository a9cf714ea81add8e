// One client: cuts its bytes into frames, runs them one after another, and writes the answers in order.
// A frame that makes no sense ends this connection and no other.
import type { Socket } from 'node:net';
import type { Services } from './commands/command';
import type { Connection } from './commands/cursors';
import { dispatch, encodeError } from './commands/dispatch';
import { DatabaseError } from './errors';
import { frameLength, type Request, readFrame, writeAnswer } from './wire/message';

const QUEUED_FRAMES_MAX = 64;

let lastResponseId = 0;

/** Serves a socket until it ends. */
export function serveConnection(socket: Socket, connection: Connection, services: Services): void {
  const client = new Client(socket, connection, services);
  socket.setNoDelay(true);
  socket.on('data', (bytes: Buffer) => client.receive(bytes));
  socket.on('error', () => socket.destroy());
}

class Client {
  private chunks: Buffer[] = [];
  private received = 0;
  private wanted: number | undefined;
  private readonly frames: Buffer[] = [];
  private running = false;

  constructor(
    private readonly socket: Socket,
    private readonly connection: Connection,
    private readonly services: Services,
  ) {}

  receive(bytes: Buffer): void {
    this.chunks.push(bytes);
    this.received += bytes.length;
    try {
      this.cutFrames();
    } catch {
      this.socket.destroy();
      return;
    }
    if (this.frames.length > QUEUED_FRAMES_MAX) this.socket.pause();
    if (!this.running) void this.run();
  }

  private cutFrames(): void {
    for (;;) {
      if (this.wanted === undefined && this.received >= 4) this.wanted = frameLength(this.joined());
      const length = this.wanted;
      if (length === undefined || this.received < length) return;
      const all = this.joined();
      this.frames.push(all.subarray(0, length));
      this.chunks = all.length > length ? [all.subarray(length)] : [];
      this.received = all.length - length;
      this.wanted = undefined;
    }
  }

  private joined(): Buffer {
    const first = this.chunks[0];
    if (this.chunks.length === 1 && first) return first;
    const all = Buffer.concat(this.chunks);
    this.chunks = [all];
    return all;
  }

  private async run(): Promise<void> {
    this.running = true;
    for (let frame = this.frames.shift(); frame; frame = this.frames.shift()) {
      await this.answer(frame);
      if (this.frames.length === 0) this.socket.resume();
    }
    this.running = false;
  }

  private async answer(frame: Buffer): Promise<void> {
    const request = this.read(frame);
    if (!request) return;
    const answer = request.error ?? (await dispatch(request, this.connection, this.services));
    lastResponseId = (lastResponseId + 1) & 0x7fffffff;
    if (!request.silent && this.socket.writable) {
      this.socket.write(writeAnswer(request, lastResponseId, answer));
    }
  }

  // Unreadable BSON in a well-formed frame is answered; anything worse ends the connection.
  private read(frame: Buffer): (Request & { readonly error?: Buffer }) | undefined {
    try {
      return readFrame(frame);
    } catch (error) {
      if (!(error instanceof DatabaseError)) {
        this.socket.destroy();
        return undefined;
      }
      const requestId = frame.readInt32LE(4);
      const unread = { form: 'msg', body: {}, sequences: new Map(), silent: false } as const;
      return { requestId, ...unread, error: encodeError(error) };
    }
  }
}
