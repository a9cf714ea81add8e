/** Tests the span of a request to the API, with the attribute names of OpenTelemetry. */
import express from 'express';
import request from 'supertest';
import { createRequestTraces } from '../../../src/api/server/trace-requests';
import type { OpenSpan, Tracing } from '../../../src/platform/tracing';

function recordingTracing() {
  const facts: Record<string, string | number> = {};
  const names: string[] = [];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const span: OpenSpan = {
    traceparent: '',
    run: (work) => work(),
    add: (more) => Object.assign(facts, more),
    rename: (name) => names.push(name),
    end: () => end(),
  };
  const begin: Tracing['begin'] = (options) => {
    names.push(options.name);
    Object.assign(facts, options.facts);
    return span;
  };
  return { begin, facts, names, ended };
}

function appWith(tracing: ReturnType<typeof recordingTracing>) {
  const app = express();
  const { begin } = tracing;
  app.set('trust proxy', true);
  app.use(
    createRequestTraces({
      begin,
      current: () => undefined,
      record: () => undefined,
      close: async () => undefined,
    }),
  );
  app.get('/ping/:token', (_request, response) => {
    response.locals['route'] = '/ping/:token';
    response.end('OK');
  });
  return app;
}

test('a trace span contains route, scheme and path, but no token or query', async () => {
  const tracing = recordingTracing();
  await request(appWith(tracing)).get('/ping/secret-token?rid=7').set('X-Forwarded-Proto', 'https');
  await tracing.ended;
  expect(tracing.names).toEqual(['GET', 'GET /ping/:token']);
  expect(tracing.facts).toMatchObject({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'http.route': '/ping/:token',
    'url.path': '/ping/{token}',
    'url.scheme': 'https',
  });
  expect(JSON.stringify(tracing.facts)).not.toMatch(/secret-token|rid/);
});

test('a trace span contains no path if no route matches, since the path may contain anything', async () => {
  const tracing = recordingTracing();
  await request(appWith(tracing)).get('/password=hunter2');
  await tracing.ended;
  expect(tracing.names).toEqual(['GET']);
  expect(JSON.stringify(tracing.facts)).not.toContain('hunter2');
});
