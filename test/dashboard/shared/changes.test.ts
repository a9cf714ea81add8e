import {
  hasFoldedProblem,
  listAlertChanges,
} from '../../../src/dashboard/shared/definition/changes';
import {
  DEFAULT_ALERTS,
  readDefinition,
} from '../../../src/dashboard/shared/definition/definition-draft';

const RUNBOOK = 'https://wiki.example.com/shop';

describe('folded alert fields', () => {
  it.each([
    [{}, []],
    [{ alerts: { ...DEFAULT_ALERTS, onDegraded: false, emails: ['a@example.com'] } }, []],
    [{ runbookUrl: ' ', note: ' ', hours: ' ' }, []],
    [{ alerts: { ...DEFAULT_ALERTS, remindEveryMinutes: 30 } }, ['Reminder every 30 min']],
    [{ dependsOn: ['router'] }, ['Depends on 1 check']],
    [
      { note: 'Restart it.', runbookUrl: RUNBOOK, hours: 'office', dependsOn: ['a', 'b'] },
      ['Depends on 2 checks', 'Hours office', 'Runbook', 'Note'],
    ],
  ])('the summary of the fields %j is %j', (fields, words) => {
    expect(listAlertChanges(readDefinition(fields))).toEqual(words);
  });
});

test.each([
  ['alerts.remindEveryMinutes', true],
  ['dependsOn[0]', true],
  ['hours', true],
  ['outside', true],
  ['runbookUrl', true],
  ['note', true],
  ['alerts.emails[0]', false],
  ['name', false],
])('a problem at %s opens the folded alert fields: %s', (path, isOpen) => {
  expect(hasFoldedProblem([{ path, message: 'is not valid' }])).toBe(isOpen);
});
