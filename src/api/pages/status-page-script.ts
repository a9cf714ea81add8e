/**
 * The only script of public status pages: shows times in the reader's time zone. Without it, a page is complete, with
 * times in UTC. It loads and sends nothing.
 */
export const TIMES_SCRIPT = `
addEventListener("DOMContentLoaded", () => {
  const style = { dateStyle: "medium", timeStyle: "short" };
  const format = new Intl.DateTimeFormat(document.documentElement.lang, style);
  for (const time of document.querySelectorAll("time"))
    time.textContent = format.format(new Date(time.dateTime));
  const zone = document.querySelector("[data-local]");
  if (zone !== null) zone.textContent = zone.dataset.local;
});
`;
