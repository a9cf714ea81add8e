/**
 * The only script of public status pages. It shows times in the reader's time zone instead of UTC, formatted for the
 * reader's variant of the page's language. The end of a period (`data-end`) shows its day only if the period ends on
 * another day than it starts. The footer and times with `data-zone` name the time zone.
 */
export const TIMES_SCRIPT = `
addEventListener("DOMContentLoaded", () => {
  const { lang } = document.documentElement;
  // Some browsers list tags that Intl refuses, such as "en-US@posix".
  const isOfPage = (tag) => /^[a-z]+(-[a-z0-9]+)*$/i.test(tag) && tag.split("-")[0] === lang.split("-")[0];
  const locale = navigator.languages.find(isOfPage) ?? (lang === "en" ? "en-GB" : lang);
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
  const full = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const named = new Intl.DateTimeFormat(locale, { timeZoneName: "short" });
  const nameZone = (when) =>
    named.formatToParts(when).find(({ type }) => type === "timeZoneName").value;
  let day = "";
  for (const time of document.querySelectorAll("time")) {
    const when = new Date(time.dateTime);
    const isOfSameDay = "end" in time.dataset && when.toDateString() === day;
    const text = (isOfSameDay ? clock : full).format(when);
    time.textContent = "zone" in time.dataset ? text + " " + nameZone(when) : text;
    day = when.toDateString();
  }
  const zone = document.querySelector("[data-local]");
  if (zone !== null)
    zone.textContent = zone.dataset.local + " (" + full.resolvedOptions().timeZone + ")";
});
`;
