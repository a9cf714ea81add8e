/**
 * Limits of alert policies: values at the limit are accepted, and values just beyond are refused at
 * their field.
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

test.each<[object]>([
  [{ steps: steps(10) }],
  [{ steps: [step(1_440)] }],
  [{ steps: [step(0, { notify: names(20), until: 'recovered' })] }],
  [{ steps: repeat(5, 50) }],
  [{ steps: repeat(1_440, 1) }],
  [quiet({ except: names(20) })],
])('a value at its limit is accepted in an alert policy: %j', (change) => {
  expect(problemsOf(change)).toEqual([]);
});

test.each<[object, string]>([
  [{ steps: [] }, 'steps'],
  [{ steps: steps(11) }, 'steps'],
  [{ steps: [step(-1)] }, 'steps[0].afterMinutes'],
  [{ steps: [step(1_441)] }, 'steps[0].afterMinutes'],
  [{ steps: [step(0), step(0)] }, 'steps[1].afterMinutes'],
  [{ steps: [step(0, { notify: [] })] }, 'steps[0].notify'],
  [{ steps: [step(0, { notify: names(21) })] }, 'steps[0].notify'],
  [{ steps: [step(0, { until: 'ever' })] }, 'steps[0].until'],
  [{ steps: repeat(4, 1) }, 'steps[0].repeat.everyMinutes'],
  [{ steps: repeat(1_441, 1) }, 'steps[0].repeat.everyMinutes'],
  [{ steps: repeat(5, 0) }, 'steps[0].repeat.times'],
  [{ steps: repeat(5, 51) }, 'steps[0].repeat.times'],
  [quiet({ to: '22:00' }), 'quietHours.to'],
  [quiet({ from: '24:00' }), 'quietHours.from'],
  [quiet({ days: [] }), 'quietHours.days'],
  [quiet({ except: names(21) }), 'quietHours.except'],
  [{ lastResort: '' }, 'lastResort'],
  [{ key: 'Nights' }, 'key'],
])(
  'a value just beyond its limit is refused in an alert policy at its field: %j',
  (change, path) => {
    expect(problemsOf(change)).toEqual([path]);
  },
);
