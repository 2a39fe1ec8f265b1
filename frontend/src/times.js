// Times in the reader's own zone. `<time datetime="…Z">` keeps what the server wrote as its title.

// As the server writes days: the page is in English, whatever the reader's own language is.
const FORMAT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function startTimes(root = document) {
  for (const element of root.querySelectorAll("time[datetime*=T]")) {
    const moment = new Date(element.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    element.title ||= element.textContent.trim();
    element.textContent = FORMAT.format(moment);
  }
}
