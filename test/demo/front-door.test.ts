/** Tests the page of the demo. Its link logs in any number of times, and its button kills the probe. */
import { request } from 'node:http';
import { type FrontDoor, startFrontDoor } from '../../src/demo/front-door';

let door: FrontDoor;
let kills = 0;

beforeAll(async () => {
  door = await startFrontDoor({
    token: 'abc',
    dashboardUrl: 'http://localhost:4999',
    openSession: async () => 'session=x; Path=/; HttpOnly',
    killProbe: async () => {
      kills += 1;
    },
    readCount: () => ({ kills, made: 120, lost: 0 }),
  });
});
afterAll(() => door.close());

const ask = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init });

/** Sends a request with another name in the Host header. */
function statusAs(host: string): Promise<number | undefined> {
  const { port, pathname } = new URL(door.signInUrl);
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, path: pathname, host: '127.0.0.1', headers: { host } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on('error', reject).end();
  });
}

test('the link of the demo starts a session each time it is opened, and leads to the dashboard', async () => {
  for (const _visit of [1, 2]) {
    const { status, headers } = await ask(door.signInUrl);
    expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([
      303,
      'http://localhost:4999',
      'session=x; Path=/; HttpOnly',
    ]);
  }
});

test('the button on the page of the demo kills the probe, and the page counts lost checks', async () => {
  expect(await (await ask(door.probeUrl)).text()).toContain('<output>0</output>');
  const pressed = await ask(door.probeUrl, { method: 'POST' });
  expect([pressed.status, pressed.headers.get('location'), kills]).toEqual([303, '/abc/probe', 1]);
  expect(await (await ask(door.probeUrl)).text()).toContain(
    'of 120, after the probe was killed once',
  );
});

test('without the token, or under another host name, every path of the demo gets a 404', async () => {
  const { origin } = new URL(door.signInUrl);
  for (const path of ['/', '/probe', '/abcd', '/ab/probe', '/abc/other'])
    expect((await ask(origin + path)).status).toBe(404);
  expect((await ask(`${origin}/probe`, { method: 'POST' })).status).toBe(404);
  expect(await statusAs('evil.example')).toBe(404);
  expect(await statusAs('localhost')).toBe(303);
  expect(kills).toBe(1);
});
