// Times in the reader's own zone. `<time datetime="…Z">` keeps the server's text as its title;
// `<time data-relative>` keeps its text, such as "3 hours ago", and its title changes.

// The page is in American English, regardless of the reader's language.
const FORMAT = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeStyle: "short",
  hourCycle: "h23",
});

export function startTimes(root = document) {
  for (const element of root.querySelectorAll("time[datetime*=T]")) {
    const moment = new Date(element.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    if ("relative" in element.dataset) {
      element.title = FORMAT.format(moment);
      continue;
    }
    element.title ||= element.textContent.trim();
    element.textContent = FORMAT.format(moment);
  }
}
