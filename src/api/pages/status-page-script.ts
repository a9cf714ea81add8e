/**
 * The one script of public status pages: it writes times in the zone of the reader. A page is whole without it, with
 * times in UTC; it loads and sends nothing.
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
