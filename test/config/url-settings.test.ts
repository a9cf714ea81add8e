/**
 * Tests settings that are URLs. They are parsed when they are read. A refusal names the setting and gives advice, but
 * never shows the URL.
 */
import { createTransport } from 'nodemailer';
import { readSettings, SettingsError } from '../../src/config/settings';

const NEEDED = {
  MONGODB_URI: 'mongodb://db',
  TEMPORAL_ADDRESS: 't:7233',
  KEEPWATCH_SECRET_KEY: 'a'.repeat(64),
};

function refusalOf(name: string, value: string): string | null {
  try {
    readSettings('orchestrator', { ...NEEDED, [name]: value });
    return null;
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
}

const SECRET = 'hunter2';

test.each([
  ['SMTP_URL', `smtp://user:${SECRET}#x@mail.example.com:25`, '%23'],
  ['SMTP_URL', `smtps://user:12#${SECRET}@mail.example.com`, '%23'],
  ['SMTP_URL', `smtp://user:${SECRET}/x@mail.example.com`, '%2F'],
  ['SMTP_URL', `smtp://user:${SECRET}?x@mail.example.com`, '%3F'],
  ['SMTP_URL', `smtp://user:${SECRET}@x@mail.example.com`, '%40'],
  ['SMTP_URL', `smtp://user:a@${SECRET}/x@mail.example.com`, '%2F'],
  ['SMTP_URL', `smtp://user:a@${SECRET}?x@mail.example.com`, '%3F'],
  ['SMTP_URL', `smtp://user:${SECRET}%x@mail.example.com`, '%25'],
  ['SMTP_URL', `smtp://user:${SECRET}:x@mail.example.com`, '%3A'],
  ['SMTP_URL', `smtp://user:${SECRET} x@mail.example.com`, 'spaces'],
  ['SMTP_URL', `smtp://user:${SECRET}@`, 'host'],
  ['SMTP_URL', `smtp://user:${SECRET}@mail.example.com:99999`, 'host'],
  ['SMTP_URL', `smtp://user:${SECRET}@mail.example.com:smtp`, 'host'],
  ['SMTP_URL', `mail://user:${SECRET}@mail.example.com`, 'smtp://'],
  ['SMTP_URL', `user:${SECRET}@mail.example.com`, 'smtp://'],
  ['MONGODB_URI', `mongodb://user:${SECRET}#x@db.example.com/keepwatch`, '%23'],
  ['MONGODB_URI', `mongodb://user:${SECRET}/x@db.example.com/keepwatch`, '%2F'],
  ['MONGODB_URI', `mongodb://user:${SECRET}@x@db.example.com`, '%40'],
  ['MONGODB_URI', `mongodb+srv://user:${SECRET}%@db.example.com`, '%25'],
  ['MONGODB_URI', `mongodb://user:${SECRET}@a:1,b:x/keepwatch`, 'host'],
  ['KEEPWATCH_PUBLIC_URL', `https://user:${SECRET}@watch.example.com`, 'user name'],
  ['KEEPWATCH_PUBLIC_URL', 'https://example.com/watch', 'no path'],
  ['KEEPWATCH_PUBLIC_URL', `https://watch.example.com/?token=${SECRET}`, 'not contain ?'],
  ['KEEPWATCH_PUBLIC_URL', 'https://watch.example.com/#/login', 'not contain #'],
  ['KEEPWATCH_PUBLIC_URL', 'watch.example.com', 'https://'],
  ['KEEPWATCH_PUBLIC_URL', 'https://', 'host'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', `http://user:${SECRET}#@otel:4318`, '%23'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'otel:4318', 'http://'],
  ['MAIL_FROM', 'Keepwatch <watch>', 'email address'],
  ['MAIL_FROM', 'a@b.example, c@d.example', 'email address'],
  ['MAIL_FROM', 'Keepwatch <a@b.example>\r\nBcc: c@d.example', 'email address'],
])(
  'the refusal of an invalid %s names the setting, but not its value (case %#)',
  (name, value, advice) => {
    const refusal = refusalOf(name, value);
    expect(refusal).toContain(`- ${name} `);
    expect(refusal).toContain(advice);
    expect(refusal).not.toContain(SECRET);
  },
);

test.each([
  ['SMTP_URL', 'smtps://user:pass@mail.example.com'],
  ['SMTP_URL', 'smtp://mail.example.com:587'],
  ['SMTP_URL', 'smtp://[::1]:25/'],
  ['SMTP_URL', 'smtp://user%40example.com:p%23%2F%3F%40@mail.example.com:587?requireTLS=true'],
  [
    'MONGODB_URI',
    'mongodb://user:p%40ss@a.example:27017,b.example,[::1]:27018/keepwatch?replicaSet=rs0&appName=a@b',
  ],
  ['MONGODB_URI', 'mongodb+srv://user:pass@cluster0.example.mongodb.net/?retryWrites=true'],
  ['MONGODB_URI', 'mongodb://localhost:27017/keepwatch'],
  ['KEEPWATCH_PUBLIC_URL', 'https://watch.example.com/'],
  ['KEEPWATCH_PUBLIC_URL', 'http://192.0.2.1:3000'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://otel.example.com/otlp/'],
  ['MAIL_FROM', 'watch@example.com'],
  ['MAIL_FROM', 'Keepwatch <watch@example.com>'],
  ['MAIL_FROM', '"Watch, Keep" <watch@example.com>'],
  ['MAIL_FROM', 'Wächter <watch@example.com>'],
])('the URL setting %s may be %s', (name, value) => {
  expect(refusalOf(name, value)).toBeNull();
});

test('a percent-encoded password reaches the mail server decoded', () => {
  const url = 'smtp://user%40example.com:p%23%2F%3F%40%25@mail.example.com:587';
  expect(refusalOf('SMTP_URL', url)).toBeNull();
  const { auth } = createTransport({ url }).options as { auth?: object };
  expect(auth).toEqual({ user: 'user@example.com', pass: 'p#/?@%' });
});

test('issuers of ID tokens are URLs without user and query, and any trailing slash is removed', () => {
  const read = (KEEPWATCH_PIPELINE_ISSUERS: string) =>
    readSettings('api', { ...NEEDED, KEEPWATCH_PIPELINE_ISSUERS }).KEEPWATCH_PIPELINE_ISSUERS;
  expect(read('')).toEqual([]);
  expect(read('https://gitlab.example.com/,https://git.example.com/_services/token')).toEqual([
    'https://gitlab.example.com',
    'https://git.example.com/_services/token',
  ]);
  for (const wrong of [
    `https://user:${SECRET}@gitlab.example.com`,
    'https://gitlab.example.com?tenant=1',
    'gitlab.example.com',
    'file:///etc/passwd',
  ])
    expect(() => read(wrong)).toThrow('KEEPWATCH_PIPELINE_ISSUERS');
});
