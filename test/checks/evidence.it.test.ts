/** Tests the headers in an outcome. Each header line is included, within limits and without secrets. */
import { withStepTarget } from './support/step-target';

const { target, run } = withStepTarget();

test('several header lines of one name stay separate, and cookies are shown without their values', async () => {
  target.respond = (_, response) => {
    response.setHeader('Set-Cookie', ['sid=Zx81-77; Path=/; HttpOnly', 'theme=dark, mode']);
    response.setHeader('X-Note', 'kept');
    response.end('ok');
  };
  const { response, request, status } = await run({
    headers: [
      { name: 'Authorization', value: 'Bearer abcdef' },
      { name: 'Cookie', value: 'a=first; b=second' },
      { name: 'X-Plain', value: 'seen: here' },
    ],
  });
  expect(status).toBe('up');
  expect(response?.headers).toEqual(
    expect.arrayContaining([
      { name: 'set-cookie', value: 'sid=***; Path=/; HttpOnly' },
      { name: 'set-cookie', value: 'theme=***' },
      { name: 'x-note', value: 'kept' },
    ]),
  );
  expect(request?.headers).toEqual(
    expect.arrayContaining([
      { name: 'Authorization', value: '***' },
      { name: 'Cookie', value: 'a=***; b=***' },
      { name: 'X-Plain', value: 'seen: here' },
    ]),
  );
});

test('a secret is masked in every header, of the request and of the response', async () => {
  target.respond = ({ headers }, response) => {
    response.setHeader('X-Echo', Buffer.from(`k:${String(headers['x-code'])}`).toString('base64'));
    response.end();
  };
  const outcome = await run(
    { headers: [{ name: 'X-Code', value: '{{secret:code}}' }] },
    { secrets: [{ name: 'code', value: 'hunter-2-hunter' }] },
  );
  expect(outcome.request?.headers).toContainEqual({ name: 'X-Code', value: '***' });
  const echo = outcome.response?.headers?.find(({ name }) => name === 'x-echo')?.value;
  expect(echo).toContain('***');
});

test('headers that are too long end with a truncation mark', async () => {
  target.respond = (_, response) => {
    for (let index = 0; index < 12; index += 1) response.setHeader(`X-${index}`, 'x'.repeat(1_000));
    response.end();
  };
  const { response } = await run({});
  const text = response?.headers?.map(({ name, value }) => name + value).join('') ?? '';
  expect(text.length).toBeLessThanOrEqual(8 * 1024);
  expect(response?.headers?.at(-1)?.value).toMatch(/x…$/);
});

test('an assertion and an extraction see every Set-Cookie line', async () => {
  target.respond = (_, response) => {
    response.setHeader('Set-Cookie', ['a=1', 'b=2, 3']);
    response.end();
  };
  const pattern = { type: 'header', name: 'set-cookie', operator: 'matches' } as const;
  const outcome = await run({
    assertions: [{ ...pattern, value: '(?m)^b=2, 3$', severity: 'fail' }],
  });
  expect(outcome.failure).toBeNull();
});
