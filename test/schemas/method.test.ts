/** Tests the default method of requests. */
import { BODY_FIELDS } from '../../src/contracts/definition';
import { validate } from '../../src/schemas/issues';
import { monitorBody, monitorTestBody } from '../../src/schemas/monitor';
import { scenarioBody, scenarioTestBody } from '../../src/schemas/scenario';

const CONTENT: Readonly<Record<(typeof BODY_FIELDS)[number], unknown>> = {
  body: { a: 1 },
  form: { a: 'b' },
  multipart: [{ name: 'a', value: 'b' }],
  graphql: { query: '{ a }' },
};

type Fields = Readonly<Record<string, unknown>>;
const REQUEST = { name: 'a', url: 'https://example.com' };

const WAYS: Readonly<Record<string, (request: Fields) => unknown>> = {
  monitor: (request) => validate(monitorBody, { ...REQUEST, ...request }),
  'tested monitor': (request) =>
    validate(monitorTestBody, { ...REQUEST, ...request, region: 'eu-west' }),
  step: (request) => validate(scenarioBody, { name: 's', steps: [{ ...REQUEST, ...request }] }),
  'tested step': (request) =>
    validate(scenarioTestBody, { name: 's', steps: [{ ...REQUEST, ...request }], region: 'r' }),
};

function has(method: string, way: string): unknown {
  const value = way.endsWith('step')
    ? { steps: [expect.objectContaining({ method })] }
    : { method };
  return { ok: true, value: expect.objectContaining(value) };
}

describe.each(Object.keys(WAYS))('the method of a %s', (way) => {
  const read = (request: Fields) => WAYS[way]?.(request);

  it.each(BODY_FIELDS)('a request with %s and without a method is a POST', (field) => {
    expect(read({ [field]: CONTENT[field] })).toEqual(has('POST', way));
  });
  it('a request without a body and without a method is a GET', () => {
    expect(read({})).toEqual(has('GET', way));
    expect(read({ body: null, form: null, multipart: null, graphql: null })).toEqual(
      has('GET', way),
    );
  });
  it.each(BODY_FIELDS)(
    'a request with %s keeps a suitable explicit method, and GET is refused',
    (field) => {
      const put = read({ [field]: CONTENT[field], method: 'put' });
      if (field === 'graphql') expect(put).toMatchObject({ ok: false });
      else expect(put).toEqual(has('PUT', way));
      expect(read({ [field]: CONTENT[field], method: 'get' })).toMatchObject({ ok: false });
    },
  );
});
