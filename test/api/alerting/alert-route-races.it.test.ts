/** Tests concurrent changes of alert routes and their policies through several processes. */
import { setTimeout } from 'node:timers/promises';
import request from 'supertest';
import { suiteService } from '../test-service';

// Concurrent writers wait for each other in real time.
const service = suiteService({ sleep: (ms) => setTimeout(ms) });

test('if an alert route is saved while its policy is deleted, one of the two requests is refused', async () => {
  const account = await service.newAccount();
  const apps = [service.app, service.appWith({})];
  const at = (nth: number) =>
    request.agent(apps[nth % 2]).set('Authorization', `Bearer ${account.key}`);
  const chat = { name: 'Chat', key: 'chat', type: 'email', emails: ['a@example.com'] };
  await at(0).post('/v1/alert-channels').send(chat).expect(201);
  for (let round = 0; round < 12; round += 1) {
    const key = `raced-${round}`;
    const steps = [{ afterMinutes: 0, notify: ['chat'] }];
    const { body } = await at(0).post('/v1/alert-policies').send({ key, name: key, steps });
    const [routed, removed] = await Promise.all([
      at(round)
        .put('/v1/alert-routes')
        .send({ routes: [{ match: {}, policy: key }] }),
      at(round + 1).delete(`/v1/alert-policies/${body.id}`),
    ]);
    expect([
      [200, 409],
      [400, 204],
    ]).toContainEqual([routed.status, removed.status]);
    const { routes } = (await at(0).get('/v1/alert-routes')).body;
    const leads = routes.map((each: { readonly policy: string }) => each.policy);
    expect(leads).toEqual(routed.status === 200 ? [key] : []);
    await at(0).put('/v1/alert-routes').send({ routes: [] }).expect(200);
  }
});
