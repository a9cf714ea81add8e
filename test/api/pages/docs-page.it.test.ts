/** The reference page and the first two pages of all come whole from our own origin, under a policy that runs no inline script. */
import request from 'supertest';
import { openTestService, type TestService } from '../test-service';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

test('every file that the page names is served, and nothing comes from elsewhere', async () => {
  const page = await request(service.app).get('/docs');
  expect(page.status).toBe(200);
  expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  expect(page.text).not.toMatch(/https?:/);
  const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
  expect(files).toHaveLength(3);
  for (const file of files) {
    const answer = await request(service.app).get(file);
    expect([file, answer.status]).toEqual([file, 200]);
  }
});

test('the description is served to everybody', async () => {
  const answer = await request(service.app).get('/v1/openapi.json');
  expect(answer.body).toMatchObject({ openapi: '3.1.0', info: { title: 'Keepwatch' } });
});

test.each(['/login', '/setup'])('%s is whole, and leads nowhere but here', async (path) => {
  const page = await request(service.app).get(path);
  expect(page.status).toBe(200);
  expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  expect(page.text).not.toMatch(/https?:|<script>/);
  const files = [...page.text.matchAll(/(?:src|href)="(\/entry[^"]+)"/g)].map(
    ([, file = '']) => file,
  );
  expect(files).toHaveLength(2);
  for (const file of files) expect((await request(service.app).get(file)).status).toBe(200);
});

test('the first page leads to the reference', async () => {
  const answer = await request(service.app).get('/');
  expect(answer.headers['location']).toBe('/docs');
});
