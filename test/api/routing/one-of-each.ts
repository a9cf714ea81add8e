/** Creates one object of every kind that a path can name, in one account. */
import request from 'supertest';
import { monitorRecord } from '../../models/example-records';
import { arranged } from '../arranged';
import { personOf } from '../people';
import type { TestAccount, TestService } from '../test-service';

/** Creates the objects and returns their ids, by the name of the path parameter. */
export async function makeOneOfEach(
  service: TestService,
  owner: TestAccount,
  /** Each object that can have a key gets this key. */
  key = 'of-the-owner',
): Promise<Readonly<Record<string, string>>> {
  const secretName = key.toUpperCase().replaceAll('-', '_');
  const as = request.agent(service.app).set('Authorization', `Bearer ${owner.key}`);
  const monitor = await arranged(
    as.post('/v1/monitors').send({ key, name: 'm', url: 'http://example.com' }),
  );
  const steps = [{ name: 'a', url: 'http://example.com' }];
  const scenario = await arranged(
    as.post('/v1/scenarios').send({ key: `${key}-2`, name: 's', steps }),
  );
  const run = await arranged(as.post(`/v1/scenarios/${scenario.id}/run`));
  const channel = await arranged(
    as
      .post('/v1/alert-channels')
      .send({ name: 'c', key, type: 'email', emails: ['a@example.com'] }),
  );
  const policy = await arranged(
    as.post('/v1/alert-policies').send({
      key,
      name: 'p',
      steps: [{ afterMinutes: 0, notify: [key] }],
    }),
  );
  const invitation = await arranged(
    as.post('/v1/invitations').send({ email: 'invited@example.com', role: 'viewer' }),
  );
  const apiKey = await arranged(as.post('/v1/api-keys').send({ name: 'k' }));
  const maintenance = await arranged(
    as.post('/v1/maintenance-windows/now').send({ minutes: 5, target: { tags: ['x'] } }),
  );
  const hours = await arranged(
    as.post('/v1/hours').send({
      key,
      name: 'h',
      weekly: [{ days: ['mon'], from: '09:00', to: '18:00' }],
    }),
  );
  const profile = await arranged(
    as.post('/v1/profiles').send({ key, name: 'p', set: { retries: 2 } }),
  );
  const environment = await arranged(as.post('/v1/environments').send({ key, name: 'e' }));
  const statusPage = await arranged(
    as.post('/v1/status-pages').send({ slug: key, title: 'p', subscribers: { webhook: true } }),
  );
  const subscriber = await arranged(
    as
      .post(`/v1/status-pages/${statusPage.id}/subscribers`)
      .send({ type: 'webhook', to: 'https://hooks.example.com/1' }),
  );
  const post = await arranged(
    as.post('/v1/status-page-posts').send({ pageId: statusPage.id, title: 't', text: 'x' }),
  );
  const view = await arranged(as.post('/v1/saved-views').send({ name: 'v', isShared: true }));
  const pipeline = await arranged(
    as.post('/v1/pipelines').send({ name: 'p', repository: 'acme/shop' }),
  );
  const rollout = await arranged(
    as.post('/v1/monitors/bulk').send({ ids: [monitor.id], action: 'set', set: { interval: 90 } }),
  );
  await arranged(as.put(`/v1/secrets/${secretName}`).send({ value: 'of the owner' }));
  const incidentId = await openIncident(service, owner.id, monitor.id);
  const results = await request(service.app)
    .get(`/v1/monitors/${monitor.id}/results`)
    .set('Authorization', `Bearer ${owner.key}`);
  return {
    accountId: owner.id,
    monitorId: monitor.id,
    resultId: results.body.data[0].id,
    scenarioId: scenario.id,
    runId: run.id,
    secretName,
    channelId: channel.id,
    policyId: policy.id,
    memberId: (await personOf(service, owner.id, 'editor')).id,
    invitationId: invitation.id,
    keyId: apiKey.id,
    // An id without an object. A probe key belongs to the installation, so only the first account could have one.
    probeKeyId: service.services.newId('probeKey'),
    sessionId: service.services.newId('session'),
    // Ids without objects. Passkeys and providers belong to people, not to accounts.
    passkeyId: 'AbCdEf',
    providerId: 'example-sso',
    windowId: maintenance.id,
    hoursId: hours.id,
    profileId: profile.id,
    environmentId: environment.id,
    pageId: statusPage.id,
    subscriberId: subscriber.id,
    postId: post.id,
    viewId: view.id,
    pipelineId: pipeline.id,
    rolloutId: rollout.id,
    incidentId,
  };
}

async function openIncident(
  service: TestService,
  accountId: string,
  monitorId: string,
): Promise<string> {
  const id = service.services.newId('incident');
  const incident = {
    id,
    openedAtMs: service.clock.nowMs,
    closedAtMs: null,
    cause: null,
    regions: [],
    firstRunId: null,
  };
  const record = monitorRecord({ accountId, monitorId, slotMs: service.clock.nowMs, incident });
  await service.recorder.recordMonitorCheck(record);
  return id;
}
