/** Tests which monitor, scenario or incident a URL refers to. */
import { findOpened } from '../../../src/dashboard/layout/opened';

const ID = '01arz3ndektsv4rrffq69g5fav';

it.each([
  [`/monitors/mon_${ID}`, { kind: 'monitors', id: `mon_${ID}` }],
  [`/monitors/mon_${ID}/results/x`, { kind: 'monitors', id: `mon_${ID}` }],
  [`/scenarios/scn_${ID}/runs/run_${ID}`, { kind: 'scenarios', id: `scn_${ID}` }],
  [`/incidents/inc_${ID}`, { kind: 'incidents', id: `inc_${ID}` }],
  ['/monitors/new', null],
  ['/checks', null],
  [`/status-pages/stp_${ID}`, null],
  [`/monitors/mon_${ID}x`, null],
])('on the page %s, the open object is %j', (pathname, opened) => {
  expect(findOpened(pathname)).toEqual(opened);
});
