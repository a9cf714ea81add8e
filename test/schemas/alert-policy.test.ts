/**
 * Tests the limits of alert policies. Values at the limit are accepted, and values just beyond are refused at their
 * field.
 */
import { alertPolicyBody } from '../../src/schemas/alert-policy';
import { validate } from '../../src/schemas/issues';

const step = (afterMinutes: number, more: object = {}) => ({
  afterMinutes,
  notify: ['chat'],
  ...more,
});
const steps = (count: number) => Array.from({ length: count }, (_, index) => step(index));
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
const repeat = (everyMinutes: number, times: number) => [
  step(0, { repeat: { everyMinutes, times } }),
];
const quiet = (more: object) => ({
  quietHours: { timeZone: 'UTC', days: ['mon'], from: '22:00', to: '06:00', ...more },
});

function problemsOf(change: object): readonly string[] {
  const checked = validate(alertPolicyBody, { key: 'k', name: 'n', steps: [step(0)], ...change });
  return checked.ok ? [] : checked.problems.map(({ path }) => path);
}

test('an alert policy gets the default of every field that the body omits', () => {
  const checked = validate(alertPolicyBody, { key: 'k', name: 'n', steps: [step(0)] });
  expect(checked.ok && checked.value).toEqual({
    key: 'k',
    name: 'n',
    steps: [
      { afterMinutes: 0, notify: ['chat'], until: 'acknowledged', repeat: null, hours: null },
    ],
    quietHours: null,
    lastResort: null,
  });
});

test.each<[string, object]>([
  ['10 steps', { steps: steps(10) }],
  ['a step after a day', { steps: [step(1_440)] }],
  ['20 recipients in a step', { steps: [step(0, { notify: names(20), until: 'recovered' })] }],
  ['50 repeats after 5 minutes', { steps: repeat(5, 50) }],
  ['a repeat after a day', { steps: repeat(1_440, 1) }],
  ['20 exceptions from quiet hours', quiet({ except: names(20) })],
])('an alert policy may have %s', (_, change) => {
  expect(problemsOf(change)).toEqual([]);
});

test.each<[string, object]>([
  ['steps', { steps: [] }],
  ['steps', { steps: steps(11) }],
  ['steps[0].afterMinutes', { steps: [step(-1)] }],
  ['steps[0].afterMinutes', { steps: [step(1_441)] }],
  ['steps[1].afterMinutes', { steps: [step(0), step(0)] }],
  ['steps[0].notify', { steps: [step(0, { notify: [] })] }],
  ['steps[0].notify', { steps: [step(0, { notify: names(21) })] }],
  ['steps[0].until', { steps: [step(0, { until: 'ever' })] }],
  ['steps[0].repeat.everyMinutes', { steps: repeat(4, 1) }],
  ['steps[0].repeat.everyMinutes', { steps: repeat(1_441, 1) }],
  ['steps[0].repeat.times', { steps: repeat(5, 0) }],
  ['steps[0].repeat.times', { steps: repeat(5, 51) }],
  ['quietHours.to', quiet({ to: '22:00' })],
  ['quietHours.from', quiet({ from: '24:00' })],
  ['quietHours.days', quiet({ days: [] })],
  ['quietHours.except', quiet({ except: names(21) })],
  ['lastResort', { lastResort: '' }],
  ['key', { key: 'Nights' }],
])(
  'an alert policy with an invalid value of %s is refused at that field (case %#)',
  (path, change) => {
    expect(problemsOf(change)).toEqual([path]);
  },
);
