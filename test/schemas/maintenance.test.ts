import { validate } from '../../src/schemas/issues';
import { maintenanceWindowBody } from '../../src/schemas/maintenance';

const WINDOW = {
  name: 'w',
  mode: 'mute',
  startsAt: '2030-01-01T00:00:00Z',
  durationMinutes: 5,
  target: { all: true },
};

it.each([
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Africa/Dar_es_Salaam', true],
  ['US/Pacific', true],
  ['Etc/GMT+5', true],
  ['UTC', true],
  ['europe/berlin', false],
  ['Europe/berlin', false],
  ['EUROPE/BERLIN', false],
  ['utc', false],
  ['+01:00', false],
  ['Mars/Olympus', false],
])('a maintenance window accepts the time zone %s: %s', (timeZone, isGood) => {
  expect(validate(maintenanceWindowBody, { ...WINDOW, timeZone }).ok).toBe(isGood);
});
