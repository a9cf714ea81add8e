/** Receivers of alerts for tests: a real mail server, and HTTP receivers that can be made to misbehave. */
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { startRecordingTarget } from './recording-target';

export interface PostedEvent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The instant at which the request arrived. */
  readonly atMs: number;
}

export interface HttpSink {
  readonly url: string;
  readonly events: readonly PostedEvent[];
  /** Responses to the next requests, in order. All later requests get a 200. */
  readonly answers: { readonly status: number; readonly headers?: Record<string, string> }[];
  readonly close: () => Promise<void>;
}

export async function startHttpSink(): Promise<HttpSink> {
  const events: PostedEvent[] = [];
  const answers: HttpSink['answers'] = [];
  const { origin, close } = await startRecordingTarget(({ url, headers: sent, body }, response) => {
    const { status, headers } = answers.shift() ?? { status: 200, headers: {} };
    if (status < 300) events.push({ path: url, headers: sent, body, atMs: Date.now() });
    response.writeHead(status, headers).end();
  });
  return {
    url: origin,
    events,
    answers,
    close,
  };
}

export interface MailSink {
  readonly url: string;
  /** Complete messages as the server received them. */
  readonly messages: readonly { readonly to: string; readonly text: string }[];
  /** For each of these recipients, the next message is refused with 450. */
  readonly refusing: Set<string>;
  /** Recipients that the server does not know. It refuses them with 550 before the message is sent. */
  readonly unknown: Set<string>;
  /** Delay in milliseconds of the response to a complete message. */
  answerAfterMs: number;
  readonly close: () => Promise<void>;
}

export async function startMailSink(): Promise<MailSink> {
  const messages: { to: string; text: string }[] = [];
  const sink = { refusing: new Set<string>(), unknown: new Set<string>(), answerAfterMs: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      if (!sink.unknown.has(address)) return done(null);
      done(Object.assign(new Error(`<${address}>: no such user`), { responseCode: 550 }));
    },
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk) => {
        text += String(chunk);
      });
      stream.on('end', () => {
        const [recipient] = session.envelope.rcptTo;
        const to = recipient?.address ?? '';
        if (sink.refusing.delete(to)) {
          done(Object.assign(new Error('try later'), { responseCode: 450 }));
          return;
        }
        messages.push({ to, text });
        setTimeout(done, sink.answerAfterMs).unref();
      });
    },
  });
  // Ignores resets, because a sender that is killed in the middle of a message resets its connection.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(sink, {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}
