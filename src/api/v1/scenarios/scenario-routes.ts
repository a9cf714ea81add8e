/** Definition routes of scenarios: each translates between HTTP and one use case, and no more. */

import { listQuery } from '../../../schemas/queries';
import { scenarioBody } from '../../../schemas/scenario';
import type { Dependencies } from '../../../services/ports/dependencies';
import { replaceScenario } from '../../../services/resources/replace-resource';
import { createScenario } from '../../../services/scenarios/create-scenario';
import { deleteScenario } from '../../../services/scenarios/delete-scenario';
import { getScenario } from '../../../services/scenarios/get-scenario';
import { listScenarios } from '../../../services/scenarios/list-scenarios';
import { SCENARIO_READ_ONLY_FIELDS } from '../../../services/scenarios/present-scenario';
import { listAnswer, NO_CONTENT, resourceAnswer } from '../../routing/answer';
import { patchResource } from '../../routing/patch-resource';
import { acceptVersion } from '../../routing/preconditions';
import { replacementOf, saysEnabled } from '../../routing/replace-body';
import { NO_BODY, NO_QUERY, PATCH_BODY, type Route, route } from '../../routing/route';
import { allShownTo, shownTo } from '../resources/shown-definition';

const scenarioReplacement = replacementOf(scenarioBody, SCENARIO_READ_ONLY_FIELDS);

export function scenarioRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/scenarios',
      scope: 'read',
      body: NO_BODY,
      query: listQuery,
      handler: async (principal, { query, url }) => {
        const page = await listScenarios(services, principal.accountId, query);
        return listAnswer({ ...page, data: allShownTo(principal, page.data) }, url);
      },
    }),
    route({
      endpoint: 'POST /v1/scenarios',
      scope: 'write',
      body: scenarioBody,
      query: NO_QUERY,
      handler: async ({ accountId }, { body }) => {
        const scenario = await createScenario(services, accountId, body);
        return resourceAnswer(scenario, { location: `/v1/scenarios/${scenario.id}` });
      },
    }),
    route({
      endpoint: 'GET /v1/scenarios/:scenarioId',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async (principal, { param }) => {
        const scenario = await getScenario(services, principal.accountId, param('scenarioId'));
        return resourceAnswer(shownTo(principal, scenario));
      },
    }),
    ...changeRoutes(services),
    route({
      endpoint: 'DELETE /v1/scenarios/:scenarioId',
      scope: 'write',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        await deleteScenario(services, accountId, { id: param('scenarioId'), accept });
        return NO_CONTENT;
      },
    }),
  ];
}

function changeRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'PUT /v1/scenarios/:scenarioId',
      scope: 'write',
      body: scenarioReplacement,
      readStored: ({ accountId }, param) => getScenario(services, accountId, param('scenarioId')),
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body, sent, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        const isEnabled = saysEnabled(sent) ? body.enabled : null;
        const request = { id: param('scenarioId'), body, isEnabled, accept };
        return resourceAnswer(await replaceScenario(services, accountId, request));
      },
    }),
    route({
      endpoint: 'PATCH /v1/scenarios/:scenarioId',
      scope: 'write',
      body: PATCH_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body: patch, headers }) => {
        const id = param('scenarioId');
        const scenario = await patchResource(services, {
          patch,
          shape: scenarioReplacement,
          accept: acceptVersion(headers['if-match']),
          read: () => getScenario(services, accountId, id),
          replace: (patched) => {
            const isEnabled = saysEnabled(patch) ? patched.body.enabled : null;
            return replaceScenario(services, accountId, { id, ...patched, isEnabled });
          },
        });
        return resourceAnswer(scenario);
      },
    }),
  ];
}
