// Measures the cost of requests without a service, for comparison with checks. Sends the requests in a loop, each on a
// new connection, and prints the CPU per request in milliseconds. Started by checks-per-second with the URL and the
// number of requests.
import { request } from 'node:http';

function get(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false }, (response) => {
      response.resume();
      response.once('end', resolve);
    })
      .once('error', reject)
      .end();
  });
}

async function main(): Promise<void> {
  const [url = '', count = '0'] = process.argv.slice(2);
  for (let index = 0; index < 200; index += 1) await get(url);
  const before = process.cpuUsage();
  for (let index = 0; index < Number(count); index += 1) await get(url);
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(String((user + system) / 1_000 / Number(count)));
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
