// Maintains one comment of a pull request, and edits it with each new plan. If the comment cannot
// be written, the job does not fail.
import { readFileSync } from 'node:fs';
import { annotate } from './report.mjs';

const PAGE = 100;
const PAGES_MAX = 10;

/**
 * Does nothing outside of a pull request. The name of the job distinguishes the comments of several
 * jobs.
 */
export async function keepComment(env, markdown) {
  const number = pullRequestOf(env);
  if (number === null || !env.INPUT_GITHUB_TOKEN) return;
  const mark = `<!-- keepwatch-plan ${(env.GITHUB_JOB ?? '').replaceAll(/[^\w-]/g, '')} -->`;
  const body = `${mark}\n${markdown}`;
  try {
    const path = `/repos/${env.GITHUB_REPOSITORY}/issues`;
    const id = await findComment(env, `${path}/${number}/comments`, mark);
    if (id === null) await call(env, 'POST', `${path}/${number}/comments`, { body });
    else await call(env, 'PATCH', `${path}/comments/${id}`, { body });
  } catch (error) {
    annotate('warning', `The plan could not be written as a comment: ${error.message}`);
  }
}

function pullRequestOf({ GITHUB_EVENT_PATH: path }) {
  if (!path) return null;
  return JSON.parse(readFileSync(path, 'utf8')).pull_request?.number ?? null;
}

/** Comments of people are never changed, whatever they contain. */
async function findComment(env, path, mark) {
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const comments = await call(env, 'GET', `${path}?per_page=${PAGE}&page=${page}`);
    const own = comments.find(({ body, user }) => user?.type === 'Bot' && body?.startsWith(mark));
    if (own !== undefined) return own.id;
    if (comments.length < PAGE) return null;
  }
  return null;
}

async function call({ GITHUB_API_URL: url, INPUT_GITHUB_TOKEN: token }, method, path, body) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  if (!response.ok) throw new Error(`GitHub responded ${response.status}.`);
  return response.json();
}
