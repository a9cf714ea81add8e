/** Pasted curl commands become steps, and steps become commands that say the same. */
import { importCurl, toCurl } from '../../src/dashboard/features/scenarios/curl';
import { shellQuote, shellWords } from '../../src/dashboard/features/scenarios/curl-words';
import { type DraftStep, toDraftStep } from '../../src/dashboard/features/scenarios/draft';
import { toBodyStep } from '../../src/dashboard/features/scenarios/draft-body';

function imported(command: string): DraftStep {
  const answer = importCurl(command, 'step');
  if (!answer.ok) throw new Error(answer.problem);
  return answer.step;
}

describe('Words of a shell', () => {
  it('follows the quoting of POSIX and of bash', () => {
    expect(shellWords(`a 'b c'd "e\\"f $x" g\\ h \\\n i ''`)).toEqual([
      'a',
      'b cd',
      'e"f $x',
      'g h',
      'i',
      '',
    ]);
    expect(shellWords(`$'it\\'s\\n\\u00e9'`)).toEqual(["it's\né"]);
    expect(shellWords(`curl 'open`)).toBeNull();
  });

  it('quotes any text so that it reads back as itself', () => {
    for (const text of ["it's", 'a b', '$HOME `x`', '{"a":"b\\n"}', '', 'plain', '“odd” \n line']) {
      expect(shellWords(shellQuote(text))).toEqual([text]);
    }
  });
});

describe('Import of a curl command', () => {
  it('takes what browsers copy', () => {
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

  it('takes short options that stand together, and form data', () => {
    expect(toBodyStep(imported('curl -sSLXPUT -d a=1 -d b=2 example.com/x'))).toEqual({
      name: 'step',
      method: 'PUT',
      url: 'http://example.com/x',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a=1&b=2',
    });
  });

  it('moves data into the query with -G, and makes Basic credentials of -u', () => {
    const step = toBodyStep(imported('curl -G -u me:pä https://x.test/s --data-urlencode "q=a b"'));
    expect(step).toMatchObject({
      method: 'GET',
      url: 'https://x.test/s?q=a%20b',
      headers: { Authorization: 'Basic bWU6cMOk' },
    });
  });

  it('says what it leaves out, and that a credential belongs into a secret', () => {
    const answer = importCurl('curl -k -F a=@b -H "Authorization: Bearer x" https://x.test', 'a');
    expect(answer).toMatchObject({ ok: true });
    expect(answer.ok && answer.notes.join(' ')).toMatch(/--insecure.*--form.*secret/);
  });

  it('refuses what is no curl command, with a reason', () => {
    expect(importCurl('wget x', 'a')).toMatchObject({ ok: false });
    expect(importCurl('curl -v', 'a')).toMatchObject({ ok: false });
    expect(importCurl("curl 'x", 'a')).toMatchObject({ ok: false });
  });
});

describe('A step as a curl command', () => {
  it('reads back as the same step', () => {
    const body = {
      name: 'step',
      method: 'POST',
      url: '{{baseUrl}}/a b',
      headers: { 'x-note': "it's {{token}}", 'content-type': 'application/json' },
      body: { a: '{{item}}' },
      timeoutMs: 2500,
    };
    expect(toBodyStep(imported(toCurl(toDraftStep(body))))).toEqual(body);
  });
});
