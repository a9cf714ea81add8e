/** Tests the examples of the page that creates a scenario, and the summary of a step's timing. */
import { listTimingChanges } from '../../../src/dashboard/features/scenarios/builder/timing-changes';
import { toDraftStep } from '../../../src/dashboard/features/scenarios/draft/draft';
import { toBody } from '../../../src/dashboard/features/scenarios/draft/draft-body';
import {
  createExampleDraft,
  EXAMPLES,
} from '../../../src/dashboard/features/scenarios/form/examples';
import { validate } from '../../../src/schemas/issues';
import { scenarioBody } from '../../../src/schemas/scenario';

describe('examples', () => {
  it.each(EXAMPLES.map(({ id }) => id))(
    'the example %s is valid once its secrets are typed',
    (id) => {
      const draft = createExampleDraft(id, '');
      const variables = draft.variables.map((row) =>
        row.isSecret ? { ...row, value: 'long enough' } : row,
      );
      expect(validate(scenarioBody, toBody({ ...draft, variables }))).toMatchObject({ ok: true });
    },
  );

  it.each(EXAMPLES.map(({ id }) => id))(
    'the example %s sends all requests to the typed URL',
    (id) => {
      const { steps, variables } = createExampleDraft(id, ' https://api.example.org/ ');
      expect(variables[0]).toMatchObject({ name: 'baseUrl', value: 'https://api.example.org' });
      expect(steps.filter(({ url }) => !url.startsWith('{{baseUrl}}/'))).toEqual([]);
    },
  );

  it('the first example is used if a link names no known example', () => {
    expect(createExampleDraft('', '').name).toBe(createExampleDraft('orders', '').name);
  });
});

describe('timing of a step', () => {
  const step = { name: 'one', method: 'GET', url: 'https://shop.example.com' };
  it.each([
    [{}, []],
    [{ timeoutMs: 10_000, retries: 0, waitSeconds: 0, always: false, cookies: 'keep' }, []],
    [{ waitSeconds: 60 }, ['Wait before 1 min']],
    [{ followRedirects: false }, ['Follow redirects off']],
    [{ cookies: 'ignore' }, ['Cookies: Ignore']],
    [{ timeoutMs: 30_000, retries: 2 }, ['Timeout 30 s', 'Retries 2']],
    [{ tls: { warnDays: [] } }, ['No certificate warnings']],
    [{ until: { everySeconds: 5, forSeconds: 60 } }, ['Repeated until it passes']],
  ])('the summary of the timing %j is %j', (fields, words) => {
    expect(listTimingChanges(toDraftStep({ ...step, ...fields }))).toEqual(words);
  });
});
