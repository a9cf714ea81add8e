/** Tests that emails of the service arrive at a real mail server unchanged. */
import { createTrust } from '../../src/checks/tls/secure-socket';
import { createSystemMailer } from '../../src/notify/system-mail';
import { type MailSink, startMailSink } from '../support/alert-sinks';

const LETTER = {
  to: 'invited@example.com',
  subject: 'Invitation to "Shop" – come in',
  text: 'Accept by this link:\n\nhttps://watch.example/invitation#token=abc',
  html: '<p>Accept</p>',
};

let sink: MailSink;

beforeAll(async () => {
  sink = await startMailSink();
});
afterAll(() => sink.close());

test('an email is sent to its only recipient, and a refusal by the mail server is an error', async () => {
  const mailer = createSystemMailer(
    { smtpUrl: sink.url, trust: createTrust([]) },
    'keepwatch@watch.example',
  );
  await mailer.sendMail(LETTER);
  const [message] = sink.messages;
  expect(message?.to).toBe(LETTER.to);
  expect(message?.text).toContain('https://watch.example/invitation#token=abc');
  expect(message?.text).toMatch(/^Auto-Submitted: auto-generated/m);
  sink.refusing.add(LETTER.to);
  await expect(mailer.sendMail(LETTER)).rejects.toThrow(/450/);
});
