/**
 * The only script of public status pages: it shows times in the reader's time zone instead of UTC. The end of a period
 * (`data-end`) shows its day only if that differs from the day of the start.
 */
export const TIMES_SCRIPT = `
addEventListener("DOMContentLoaded", () => {
  const { lang } = document.documentElement;
  const clock = new Intl.DateTimeFormat(lang, { timeStyle: "short" });
  const full = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
  let day = "";
  for (const time of document.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    const isOfSameDay = "end" in time.dataset && at.toDateString() === day;
    time.textContent = (isOfSameDay ? clock : full).format(at);
    day = at.toDateString();
  }
  const zone = document.querySelector("[data-local]");
  if (zone !== null) zone.textContent = zone.dataset.local;
});
`;
