/** A mail server on loopback for the demo. It accepts every message and shows its subject. */
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface MailSink {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Starts the server, which calls `show` with the recipient and the subject of each message. */
export async function startMailSink(
  show: (recipient: string, subject: string) => void,
): Promise<MailSink> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    converse(socket, show);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Implements the part of RFC 5321 that a simple client needs. */
function converse(socket: Socket, show: (recipient: string, subject: string) => void): void {
  let recipient = '';
  let subject = '';
  let isData = false;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  say('220 demo');
  createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    if (isData) {
      if (subject === '' && /^subject: /i.test(line)) subject = line.slice('subject: '.length);
      if (line !== '.') return;
      isData = false;
      show(recipient, subject);
      [recipient, subject] = ['', ''];
      say('250 taken');
      return;
    }
    const command = line.slice(0, 4).toUpperCase();
    if (command === 'RCPT') recipient = /<([^>]*)>/.exec(line)?.[1] ?? '';
    isData = command === 'DATA';
    if (command === 'QUIT') socket.end('221 bye\r\n');
    else say(isData ? '354 go on' : '250 demo');
  });
}
