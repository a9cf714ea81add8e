// Handles the frames of one client connection, one after another. A malformed frame, or too much
// buffered data, closes the connection.
import type { Socket } from 'node:net';
import type { Services } from './commands/command';
import type { Connection } from './commands/cursors';
import { dispatch, encodeError } from './commands/dispatch';
import { DatabaseError } from './errors';
import { FrameReader } from './wire/frame-reader';
import { type Request, readFrame, writeResponse } from './wire/message';

let lastResponseId = 0;

/** Handles the requests of a socket until it is closed. */
export function serveConnection(socket: Socket, connection: Connection, services: Services): void {
  const client = new Client(socket, connection, services);
  socket.setNoDelay(true);
  socket.on('data', (bytes: Buffer) => client.receive(bytes));
  socket.on('drain', () => client.readOn());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => client.forget());
}

class Client {
  private readonly reader = new FrameReader();
  private readonly frames: Buffer[] = [];
  private framesBytes = 0;
  private running = false;
  /** Wakes the code that waits for the client to read a reply. */
  private wake: () => void = () => {};
  private halfMessage: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly connection: Connection,
    private readonly services: Services,
  ) {}

  receive(bytes: Buffer): void {
    let frames: Buffer[];
    try {
      frames = this.reader.push(bytes);
    } catch {
      this.socket.destroy();
      return;
    }
    for (const frame of frames) this.framesBytes += frame.length;
    this.frames.push(...frames);
    if (this.running && this.frames.length > 0) this.socket.pause();
    this.watchHalfMessage(frames.length > 0);
    this.noteUnserved();
    if (!this.running) void this.run();
  }

  // Closes the connection if the rest of a message does not arrive in time. While the server does not read from the
  // socket, no time is counted. Afterwards, the time starts from zero.
  private watchHalfMessage(isAnother: boolean): void {
    if (this.reader.heldBytes === 0 || this.socket.isPaused() || isAnother) {
      clearTimeout(this.halfMessage);
      this.halfMessage = undefined;
    }
    if (this.reader.heldBytes === 0 || this.socket.isPaused()) return;
    const { halfMessageMs } = this.services.traffic.limits;
    this.halfMessage ??= setTimeout(() => this.socket.destroy(), halfMessageMs);
  }

  private noteUnserved(): void {
    if (this.socket.destroyed) return;
    const bytes = this.reader.heldBytes + this.framesBytes;
    this.services.traffic.noteUnserved(this.socket, bytes)?.destroy();
  }

  private async run(): Promise<void> {
    this.running = true;
    for (let frame = this.frames.shift(); frame; frame = this.frames.shift()) {
      await this.respond(frame);
      this.framesBytes -= frame.length;
      this.noteUnserved();
      if (this.frames.length > 0 || !this.socket.isPaused()) continue;
      this.socket.resume();
      this.watchHalfMessage(true);
    }
    this.running = false;
  }

  private async respond(frame: Buffer): Promise<void> {
    const request = this.read(frame);
    if (!request) return;
    const response = request.error ?? (await dispatch(request, this.connection, this.services));
    lastResponseId = (lastResponseId + 1) & 0x7fffffff;
    if (request.silent || !this.socket.writable) return;
    if (!this.socket.write(writeResponse(request, lastResponseId, response))) await this.drained();
  }

  // Waits until the client has read the reply. Only then the next command starts, so each client has at most one unread
  // reply.
  private async drained(): Promise<void> {
    const { socket, services } = this;
    const isRead = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    services.traffic.noteUnread(socket, socket.writableLength)?.destroy();
    await isRead;
    services.traffic.noteUnread(socket, 0);
  }

  /** Called when the client has read the written reply. */
  readOn(): void {
    this.wake();
  }

  /** Called when the connection is closed. Releases the resources of the connection. */
  forget(): void {
    this.wake();
    clearTimeout(this.halfMessage);
    this.services.traffic.forget(this.socket);
  }

  // Parses a frame. If only its BSON is invalid, the client gets an error reply. Any other fault closes the connection.
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
