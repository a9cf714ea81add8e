/** Tests that the mail server of the demo accepts what the service sends. */
import nodemailer from 'nodemailer';
import { startMailSink } from '../../src/demo/mail-sink';

test('the mail server of the demo accepts each message, and shows its recipient and subject', async () => {
  const told: string[] = [];
  const sink = await startMailSink((recipient, subject) => told.push(`${recipient}: ${subject}`));
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: sink.port,
    ignoreTLS: true,
  });
  for (const subject of ['Down: Shop', 'Shop is up again'])
    await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject, text: '.\nx' });
  expect(told).toEqual(['b@example.com: Down: Shop', 'b@example.com: Shop is up again']);
  transport.close();
  await sink.close();
});
