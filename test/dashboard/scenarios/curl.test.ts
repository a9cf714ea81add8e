/** Tests that pasted curl commands become steps, and that steps become equivalent commands. */
import * as fc from 'fast-check';
import { importCurl, toCurl } from '../../../src/dashboard/features/scenarios/curl/curl';
import {
  readCommandLine,
  shellQuote,
} from '../../../src/dashboard/features/scenarios/curl/curl-words';
import { type DraftStep, toDraftStep } from '../../../src/dashboard/features/scenarios/draft/draft';
import { toBodyStep } from '../../../src/dashboard/features/scenarios/draft/draft-body';
import { propertyOptions } from '../../support/property-runs';

function imported(command: string): DraftStep {
  const answer = importCurl(command, 'step');
  if (!answer.ok) throw new Error(answer.problem);
  return answer.step;
}

function words(command: string): readonly string[] {
  const line = readCommandLine(command);
  if (!line.ok) throw new Error(line.problem);
  return line.words;
}

function problemOf(command: string): string {
  const answer = importCurl(command, 'step');
  return answer.ok ? '' : answer.problem;
}

function notesOf(command: string): string {
  const answer = importCurl(command, 'step');
  return answer.ok ? answer.notes.join(' ') : `refused: ${answer.problem}`;
}

describe('Shell words', () => {
  it('the reader of shell words follows the quoting of POSIX and of bash', () => {
    expect(words(`a 'b c'd "e\\"f" g\\ h \\\n i ''`)).toEqual(['a', 'b cd', 'e"f', 'g h', 'i', '']);
    expect(words(`$'it\\'s\\n\\u00e9'`)).toEqual(["it's\né"]);
    expect(words(`a \\  \n b # not this\n -c`)).toEqual(['a', 'b', '-c']);
    expect(words(`a\\\nb 'c'\\\n -d`)).toEqual(['ab', 'c', '-d']);
    expect(problemOf("curl 'open")).toMatch(/quote is not closed/);
    expect(problemOf('curl "open')).toMatch(/quote is not closed/);
  });

  it('the reader of shell words turns shell variables into references, except in single quotes', () => {
    expect(words(`"Bearer $TOKEN" \${HOST}/x '$TOKEN' "\\$TOKEN" $5`)).toEqual([
      'Bearer {{TOKEN}}',
      '{{HOST}}/x',
      '$TOKEN',
      '$TOKEN',
      '$5',
    ]);
  });

  it('any text that is quoted for a shell is read back unchanged', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'a\'"\\$`&|;<>#!*?[]{}()~ \n\t^%='.split('')) }),
    );
    fc.assert(
      fc.property(text, (one) => {
        const quoted = shellQuote(one);
        expect(words(`${quoted} next`)).toEqual([one, 'next']);
      }),
      propertyOptions(100),
    );
  });
});

describe('Import of a curl command', () => {
  it('the import of a curl command reads commands copied from browsers', () => {
    const step = imported(`curl 'https://api.example.com/orders?x=1' \\
      -X 'POST' \\
      -H 'accept: */*' \\
      -H 'content-type: application/json' \\
      --data-raw $'{"note":"it\\'s"}' \\
      --compressed`);
    expect(toBodyStep(step)).toEqual({
      name: 'step',
      method: 'POST',
      url: 'https://api.example.com/orders?x=1',
      headers: { accept: '*/*', 'content-type': 'application/json' },
      body: { note: "it's" },
      followRedirects: false,
    });
  });

  it('the import of a curl command reads commands that browsers copy for the Windows command prompt', () => {
    const command = `curl ^"https://api.example.com/orders?x=1^&note=50^%^A^" ^\r
  -X ^"POST^" ^\r
  -H ^"content-type: application/json^" ^\r
  -H ^"cookie: a=^\\^"b^\\^"^" ^\r
  --data-raw ^"^{^\\^"note^\\^":^\\^"it's C:^\\^\\x ^$HOME^\\^",^\n\n^\\^"n^\\^":1^}^"`;
    expect(toBodyStep(imported(command))).toMatchObject({
      method: 'POST',
      url: 'https://api.example.com/orders?x=1&note=50%A',
      headers: { 'content-type': 'application/json', cookie: 'a="b"' },
      body: `{"note":"it's C:\\x $HOME",\n"n":1}`,
    });
    expect(imported('curl "x.test" ^\r\n  -H ^"a: b^" &\r\ncurl y.test').url).toBe('http://x.test');
    expect(notesOf('curl ^"x.test^" ^& curl y.test')).toMatch(/Left out after the command/);
    expect(problemOf('curl ^"x.test ^\r\n -v')).toMatch(/quote is not closed/);
  });

  it('the import of a curl command imports an AWS signature with its session token', () => {
    const signed = `curl --aws-sigv4 aws:amz:eu-central-1:s3 -u 'AKID:{{secret:key}}' x.test`;
    const auth = {
      type: 'sigv4',
      accessKeyId: 'AKID',
      secretAccessKey: '{{secret:key}}',
      region: 'eu-central-1',
      service: 's3',
    };
    expect(toBodyStep(imported(signed))).toMatchObject({ auth });
    const withToken = imported(`${signed} -H 'x-amz-security-token: {{secret:session}}'`);
    const whole = toBodyStep(withToken);
    expect(whole).toMatchObject({ auth: { ...auth, sessionToken: '{{secret:session}}' } });
    expect(whole).not.toHaveProperty('headers');
    expect(toBodyStep(imported(toCurl(toDraftStep(whole))))).toEqual(whole);
    expect(notesOf('curl --aws-sigv4 aws:amz -u a:{{secret:b}} x.test')).toMatch(/left out/);
  });

  it.each([
    ['--http1.1', '1.1'],
    ['--http2-prior-knowledge', '2'],
  ])('the import of a curl command keeps the HTTP version of %s', (option, httpVersion) => {
    const body = toBodyStep(imported(`curl ${option} https://x.test`));
    expect(body).toMatchObject({ httpVersion });
    expect(toBodyStep(imported(toCurl(toDraftStep(body))))).toEqual(body);
  });

  it('the import of a curl command reads combined short options and form data', () => {
    expect(toBodyStep(imported('curl -sSLXPUT -d a=1 -d b=2 example.com/x'))).toEqual({
      name: 'step',
      method: 'PUT',
      url: 'http://example.com/x',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a=1&b=2',
    });
  });

  it('the import of a curl command moves data into the query with -G', () => {
    const step = toBodyStep(imported('curl -G -u me:pä https://x.test/s --data-urlencode "q=a b"'));
    expect(step).toMatchObject({
      method: 'GET',
      url: 'https://x.test/s?q=a%20b',
      auth: { type: 'basic', user: 'me', password: 'pä' },
    });
    expect(toBodyStep(imported('curl https://me:p%40s:s@x.test'))).toMatchObject({
      url: 'https://x.test',
      auth: { type: 'basic', user: 'me', password: 'p@s:s' },
    });
    expect(toBodyStep(imported('curl --digest -u me:p x.test'))).toMatchObject({
      auth: { type: 'digest', user: 'me', password: 'p' },
    });
    const header = imported(`curl -u me:p x.test -H 'authorization: a'`);
    expect(toBodyStep(header)).toMatchObject({ headers: { authorization: 'a' } });
    expect(toBodyStep(header)).not.toHaveProperty('auth');
    expect(notesOf('curl -u me:p x.test')).toMatch(/Save as secret/);
    expect(notesOf('curl -u me:{{secret:p}} x.test')).toBe('');
  });

  it.each([
    ['--json and --json again', `curl x.test --json '{"a":' --json '1}'`, { a: 1 }],
    ['a JSON body without its type', `curl x.test -d '{"a":"{{b}}"}'`, { a: '{{b}}' }],
    ['--data-raw that begins with @', `curl x.test --data-raw '@me'`, '@me'],
    [
      'a number that JSON would change',
      `curl x.test --json '{"id":12345678901234567890}'`,
      '{"id":12345678901234567890}',
    ],
    [
      '--data-urlencode',
      `curl x.test --data-urlencode 'a=b c' --data-urlencode =d+e`,
      'a=b%20c&d%2Be',
    ],
  ])('the import of a curl command reads the body of %s', (_name, command, body) => {
    expect(toBodyStep(imported(command))).toMatchObject({ method: 'POST', body });
  });

  it('the import of a curl command reads a multipart form and lists the files of the form', () => {
    const command = `curl x.test -F 'note=a;b' -F 'file=@/tmp/a.pdf;type=application/pdf' \
      -F 'json={"a":1};type=application/json' -F 'read=<notes.txt' --form-string 'at=@me;type=x' \
      -F 'named="a \\"b\\"; c";filename="x y.txt"' -H 'content-type: multipart/form-data'`;
    expect(toBodyStep(imported(command))).toMatchObject({
      method: 'POST',
      multipart: [
        { name: 'note', value: 'a;b' },
        { name: 'file', base64: '', fileName: 'a.pdf', contentType: 'application/pdf' },
        { name: 'json', value: '{"a":1}', contentType: 'application/json' },
        { name: 'read', value: '' },
        { name: 'at', value: '@me;type=x' },
        { name: 'named', value: 'a "b"; c', fileName: 'x y.txt' },
      ],
    });
    expect(toBodyStep(imported(command))).not.toHaveProperty('headers');
    expect(notesOf(command)).toMatch(/a\.pdf.*the part file.*notes\.txt.*the part read.*service/);
  });

  it('the import of a curl command reads --data-urlencode as a form and keeps references', () => {
    const command = `curl x.test --data-urlencode 'user={{user}}' --data-urlencode 'note=a b&c'`;
    expect(toBodyStep(imported(command))).toMatchObject({
      method: 'POST',
      form: { user: '{{user}}', note: 'a b&c' },
    });
    const twice = `curl x.test --data-urlencode a=1 --data-urlencode a=2`;
    expect(toBodyStep(imported(twice))).toMatchObject({ body: 'a=1&a=2' });
    expect(toBodyStep(imported(`curl x.test -d b=1 --data-urlencode a=2`))).toMatchObject({
      body: 'b=1&a=2',
    });
  });

  it.each([
    ['curl -G x.test/s?a=1#top -d b=2 -d c=3', 'http://x.test/s?a=1&b=2&c=3#top'],
    ['curl https://x.test/a?b=1&c=2', 'https://x.test/a?b=1&c=2'],
    [
      'curl --limit-rate 100k --max-redirs 3 -o /dev/null -w "%{http_code}" x.test',
      'http://x.test',
    ],
    ['curl --url https://x.test --url-query "q=a b"', 'https://x.test?q=a%20b'],
    ['curl -X POST\n  https://x.test/lost\n  -H "a: b"', 'https://x.test/lost'],
    ['TOKEN=1 /usr/bin/curl -fsSL x.test 2>/dev/null | jq .', 'http://x.test'],
    ['$ curl "$HOST/x"', '{{HOST}}/x'],
    ['curl https://me:p%40ss@x.test/y', 'https://x.test/y'],
  ])('the import of a curl command reads the URL of %s', (command, url) => {
    expect(imported(command).url).toBe(url);
  });

  it('the import of a curl command reads headers as curl sends them', () => {
    const headers = (command: string) => toBodyStep(imported(command))['headers'];
    expect(
      headers(`curl x.test -H 'a:b:c' -H 'Empty;' -H 'gone:' -A me -e y -b 'c=d' -r 0-9`),
    ).toEqual({
      a: 'b:c',
      Empty: '',
      'User-Agent': 'me',
      Referer: 'y',
      Cookie: 'c=d',
      Range: 'bytes=0-9',
    });
    expect(headers('curl x.test --oauth2-bearer {{token}}')).toEqual({
      Authorization: 'Bearer {{token}}',
    });
    expect(headers(`curl x.test --json 1`)).toEqual({
      'Content-Type': 'application/json',
      Accept: 'application/json',
    });
    expect(headers(`curl x.test -H 'content-type:' -d a`)).toBeUndefined();
  });

  it('the import of a curl command lists what it leaves out, and recommends a secret for credentials', () => {
    expect(notesOf('curl -k -x p:1 -H "Authorization: Bearer x" https://x.test')).toMatch(
      /--insecure.*--proxy.*secret/,
    );
    expect(notesOf('curl x.test -d @- ')).toMatch(/Standard input/);
    expect(notesOf('curl x.test -d @body.json --data-urlencode a@b.txt')).toMatch(
      /body\.json.*b\.txt/,
    );
    expect(notesOf('curl x.test -b jar.txt -u me --ntlm')).toMatch(/jar\.txt.*password.*--ntlm/);
    expect(notesOf('curl x.test y.test')).toMatch(/y\.test was left out/);
    expect(notesOf('curl x.test --next y.test')).toMatch(/--next/);
    expect(notesOf('curl -H "a: $TOKEN" x.test | jq .id')).toMatch(
      /\{\{TOKEN\}\}.*Left out after the command: \| jq \.id/,
    );
    expect(notesOf('curl --brand-new x.test')).toMatch(/--brand-new is not understood/);
    expect(notesOf('curl -Uuser:pass -4z now x.test')).toBe(
      '-U is not understood: left out. -4 is not understood: left out. -z is not understood: left out.',
    );
    expect(notesOf('curl --constructor x.test')).toMatch(/--constructor is not understood/);
    expect(notesOf('curl -sSfL --compressed --http2 -o a -m 5 x.test')).toBe('');
  });

  it('the import of a curl command refuses a command that would become a different request', () => {
    expect(problemOf('wget x')).toMatch(/begin with curl/);
    expect(problemOf('curl -v')).toMatch(/no URL/);
    expect(problemOf('curl -F a x.test')).toMatch(/--form/);
    expect(problemOf('curl -F a=b -d c=d x.test')).toMatch(/a step sends one/);
    expect(problemOf('curl -T a x.test')).toMatch(/--upload-file/);
    expect(problemOf('curl -X PROPFIND x.test')).toMatch(/PROPFIND/);
    expect(problemOf('curl -H "a: $(cat key)" x.test')).toMatch(/within the command/);
    expect(problemOf('curl -H "a: `cat key`" x.test')).toMatch(/within the command/);
    expect(problemOf('curl x.test `\n -Method POST')).toMatch(/PowerShell/);
    expect(problemOf('curl “https://x.test”')).toMatch(/typographic quotes/);
    expect(problemOf(`curl -d "${'x'.repeat(10_000_000)}" x.test`)).toMatch(/longer than 256 KB/);
  });

  it('the import of a curl command never throws for any input', () => {
    const part = fc.constantFrom(
      'curl',
      ' ',
      '-d',
      '-H',
      '--json',
      '-sX',
      'x.test',
      "'",
      '"',
      '$',
      '{',
      '\\',
      '\n',
      '@-',
      'a:b',
      '%',
      '&',
      '-u',
      '?',
      '#',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const answer = importCurl(`curl ${parts.join('')}`, 'step');
        expect(answer.ok ? answer.step.name : answer.problem).not.toBe('');
      }),
      propertyOptions(400),
    );
  });
});

describe('A step as a curl command', () => {
  const text = fc.string({
    unit: fc.constantFrom(...'ab\'"\\$`&|;<>#!*?[]()~ :=%é'.split(''), '{{token}}'),
  });
  const body = fc.oneof(
    fc.record({ a: text, b: fc.array(fc.integer()) }),
    fc.constant(undefined),
    text.map((given) => `t${given}`),
  );

  it('a step that is written as a curl command reads back unchanged, for any step', () => {
    fc.assert(
      fc.property(
        fc.record({
          method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'),
          path: text,
          header: text.map((given) => given.trim()),
          body,
          timeoutMs: fc.constantFrom(undefined, 2_500),
          followRedirects: fc.constantFrom(undefined, false),
          type: fc.constantFrom('basic', 'digest'),
          user: fc.option(text.map((given) => given.replaceAll(':', ''))),
        }),
        ({ method, path, header, body: sent, timeoutMs, followRedirects, type, user }) => {
          const isTyped = sent !== undefined && typeof sent !== 'string';
          const given = toBodyStep(
            toDraftStep({
              name: 'step',
              method,
              url: `{{baseUrl}}/${path}`,
              headers: {
                'x-note': header,
                ...(isTyped ? { 'content-type': 'application/json' } : {}),
              },
              ...(user === null ? {} : { auth: { type, user, password: '{{secret:p}}' } }),
              ...(sent === undefined ? {} : { body: sent }),
              ...(timeoutMs === undefined ? {} : { timeoutMs }),
              ...(followRedirects === undefined ? {} : { followRedirects }),
            }),
          );
          const command = toCurl(toDraftStep(given));
          expect(toBodyStep(imported(command))).toEqual(given);
        },
      ),
      propertyOptions(100),
    );
  });
});
