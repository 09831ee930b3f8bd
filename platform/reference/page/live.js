/** Keeps the page as the server has it. Without this script the page is the same, as of when it was loaded. */
const EVERY_MS = 1500;

const { address, ...from } = document.currentScript.dataset;

let pulse = from.pulse;

async function beat() {
  if (!document.hidden) {
    const answer = await fetch(`/page/pulse${address.slice(1)}`);
    const latest = await answer.text();
    if (answer.ok && latest !== pulse && (await renew())) pulse = latest;
  }
}

/** Whether everything that differs could be put in place: what the reader is in stays. */
async function renew() {
  const answer = await fetch(address);
  if (!answer.ok) return false;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  let whole = true;
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(part.id);
    if (!other || other.innerHTML === part.innerHTML) continue;
    if (part.contains(document.activeElement)) whole = false;
    else part.replaceChildren(...other.childNodes);
  }
  started = { at: performance.now(), instant: shownInstant() };
  return whole;
}

const shownInstant = () => Date.parse(document.getElementById("now")?.dateTime ?? "");

let started = { at: performance.now(), instant: shownInstant() };

/** The time of a clock that runs, second by second, written as the server writes it. */
function tick() {
  const now = document.getElementById("now");
  if (now?.dataset.runs === undefined) return;
  const text = new Date(started.instant + performance.now() - started.at).toUTCString();
  now.querySelector(".hour").textContent = text.slice(17, 25);
  now.querySelector(".day").textContent = `${text.slice(0, 16)} UTC`;
}

async function live() {
  await beat().catch(() => undefined);
  setTimeout(live, EVERY_MS);
}

setInterval(tick, 250);
setTimeout(live, EVERY_MS);
