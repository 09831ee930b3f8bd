import { morph } from "./morphlex.min.js";

/**
 * Keeps the page up to date, submits its forms without leaving it, and handles the copy buttons. Without this script,
 * the page shows the state in which it was loaded, and each form loads it again.
 */
const EVERY_MS = 1500;
const COPIED_MS = 2000;

let { address, pulse } = document.querySelector("script[data-address]").dataset;

async function beat() {
  if (!document.hidden) {
    const answer = await fetch(`/page/pulse${address.slice(1)}`);
    const latest = await answer.text();
    if (answer.ok && latest !== pulse && (await renew())) pulse = latest;
  }
}

/** Loads the page again and shows its changes. Returns whether it has shown them. */
async function renew() {
  const from = turn;
  const answer = await fetch(address);
  if (!answer.ok) return false;
  const fresh = parsed(await answer.text());
  // The response to a form that was submitted meanwhile shows a newer state.
  if (from !== turn || !isPage(fresh)) return false;
  show(fresh);
  return true;
}

const parsed = (text) => new DOMParser().parseFromString(text, "text/html");
const isPage = (fresh) => fresh.getElementById("announcements") !== null;

/** Makes the page equal to a fresh one, except for nodes that `keeps` selects, and announces what has changed. */
function show(fresh, keeps = isKept) {
  const before = announced();
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(part.id);
    if (other) morph(part, other, { ...KEEP_USER_STATE, beforeNodeRemoved: (node) => !keeps(node) });
  }
  started = { at: performance.now(), instant: shownInstant() };
  const after = [...announced()].filter(([key]) => !before.has(key));
  // Announces the changes in reverse, because the latest change is first on the page.
  if (after.length > 0)
    announce(
      after
        .map(([, text]) => text)
        .reverse()
        .join(" "),
    );
}

/** Changes whenever a form is submitted and answered. */
let turn = 0;
let submitting = Promise.resolve();

/** Submits a form, and shows the page that the server responds with. */
async function submit(form, button, body) {
  turn += 1;
  button?.setAttribute("aria-disabled", "true");
  try {
    const answer = await fetch(form.getAttribute("action"), {
      method: "POST",
      body,
    });
    const fresh = parsed(await answer.text());
    if (isPage(fresh)) arrive(form, { fresh, isDone: answer.redirected });
    else refuse(form, fresh.querySelector("h1")?.textContent ?? `The server responded with status ${answer.status}.`);
  } catch {
    refuse(form, "The server did not respond. Check whether it is running, and whether the action was carried out.");
  } finally {
    turn += 1;
    button?.removeAttribute("aria-disabled");
  }
}

/** Shows the page that follows a form. Older reports are removed, and a form that succeeded is emptied and closed. */
function arrive(form, { fresh, isDone }) {
  ({ address, pulse } = fresh.querySelector("script[data-address]").dataset);
  history.replaceState(null, "", address);
  document.title = fresh.title;
  if (isDone) {
    form.reset();
    form.closest("details")?.removeAttribute("open");
  }
  show(fresh, () => false);
  document.querySelector("[autofocus]")?.focus();
}

/** Shows an error at a form, in place of an earlier one. */
function refuse(form, text) {
  const message = document.createElement("p");
  Object.assign(message, { className: "refusal report", textContent: text, tabIndex: -1, role: "alert" });
  message.dataset.kept = "";
  message.id = `refusal-${turn}`;
  if (form.nextElementSibling?.matches(".report")) form.nextElementSibling.remove();
  form.after(message);
  message.focus();
}

/** Returns the sentences of the page that are announced when they change, by element and text. */
const announced = () =>
  new Map(
    [...document.querySelectorAll("[data-announced]")].map(({ id, dataset }) => [
      `${id} ${dataset.announced}`,
      dataset.announced,
    ]),
  );

const announce = (text) => {
  document.getElementById("announcements").textContent = text;
};

/** Leaves to the user what was typed and opened. Reports stay too, because the server sends them only once. */
const KEEP_USER_STATE = {
  preserveChanges: true,
  beforeNodeVisited: (node) => !node.matches?.("textarea, input:focus"),
  beforeAttributeUpdated: (_element, name, value) => !(name === "open" && value === null),
};
const isKept = (node) => node.dataset?.kept !== undefined;

const shownInstant = () => Date.parse(document.getElementById("now")?.dateTime ?? "");

let started = { at: performance.now(), instant: shownInstant() };

/** Updates the time of a running clock every second, in the server's format. */
function tick() {
  const now = document.getElementById("now");
  if (now?.dataset.runs === undefined) return;
  const text = new Date(started.instant + performance.now() - started.at).toUTCString();
  now.querySelector(".hour").textContent = text.slice(17, 25);
  now.querySelector(".day").textContent = `${text.slice(0, 16)} UTC`;
}

async function copy(button) {
  const { copies } = button.dataset;
  const source = copies ? document.getElementById(copies) : button.previousElementSibling;
  if (await isCopied(source)) {
    announce(button.ariaLabel.replace("Copy", "Copied"));
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), COPIED_MS);
  } else announce("The browser did not allow copying. The text is selected; copy it with the keyboard.");
}

/**
 * Copies the text of an element, and returns whether that worked. On addresses other than loopback without TLS,
 * browsers offer only the old copy command, which copies only what is visible.
 */
async function isCopied(source) {
  const withCommand = () => {
    source.closest("details:not([open])")?.setAttribute("open", "");
    getSelection().selectAllChildren(source);
    return document.execCommand("copy");
  };
  getSelection().selectAllChildren(source);
  if (!navigator.clipboard) return withCommand();
  return navigator.clipboard.writeText(source.textContent).then(() => true, withCommand);
}

async function live() {
  await beat().catch(() => undefined);
  setTimeout(live, EVERY_MS);
}

document.documentElement.classList.add("scripted");
document.addEventListener("click", (event) => {
  const { target, detail } = event;
  const button = target.closest(".copy");
  if (button) copy(button);
  // The second click of a double click would repeat the action, or press what the response has moved under the pointer.
  // The clock is moved again by each click.
  else if (detail > 1 && target.closest("button") && !target.closest("#clock")) event.preventDefault();
});
document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (target.method !== "post" || target.closest(".sign-in")) return;
  event.preventDefault();
  if (submitter?.ariaDisabled === "true") return;
  submitter?.setAttribute("aria-disabled", "true");
  // The response to an earlier form can change the fields of this one, for example because it opens another database.
  const body = new URLSearchParams(new FormData(target, submitter));
  // Forms are submitted one after another, because a response shows the state after its own action.
  submitting = submitting.then(() => submit(target, submitter, body));
});
document.addEventListener("keydown", ({ key, ctrlKey, metaKey, repeat, target }) => {
  if (key !== "Enter" || !(ctrlKey || metaKey) || repeat || target.nodeName !== "TEXTAREA") return;
  target.form.requestSubmit(target.form.querySelector("button"));
});
setInterval(tick, 250);
setTimeout(live, EVERY_MS);
