/**
 * Keeps the page up to date, and handles the copy buttons. Without this script, the page shows the state in which it
 * was loaded.
 */
const EVERY_MS = 1500;
const COPIED_MS = 2000;

const { address, ...from } = document.currentScript.dataset;

let pulse = from.pulse;

async function beat() {
  if (!document.hidden) {
    const answer = await fetch(`/page/pulse${address.slice(1)}`);
    const latest = await answer.text();
    if (answer.ok && latest !== pulse && (await renew())) pulse = latest;
  }
}

/** Loads the page again and shows its changes. Returns whether the server responded. */
async function renew() {
  const answer = await fetch(address);
  if (!answer.ok) return false;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const before = announced();
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(part.id);
    if (other) match(part, other);
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
  return true;
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

/**
 * Makes a node equal to another node with as few changes as possible, so that focus, selection, typed text and opened
 * details stay. An error message stays as well, because the server sends it only once.
 */
function match(node, other) {
  if (node.isEqualNode(other)) return;
  if (node.nodeType !== Node.ELEMENT_NODE) {
    node.data = other.data;
    return;
  }
  matchAttributes(node, other);
  let at = node.firstChild;
  const leave = () => {
    const next = at.nextSibling;
    if (!isRefusal(at)) at.remove();
    at = next;
  };
  for (const child of [...other.childNodes]) {
    const known = idOf(child) && childOf(node, idOf(child));
    while (at && at !== known && (isRefusal(at) || (idOf(at) ? !childOf(other, idOf(at)) : known))) leave();
    const same = known || (isAlike(at, child) && at);
    if (!same) node.insertBefore(child, at);
    else {
      if (same === at) at = at.nextSibling;
      else node.insertBefore(same, at);
      match(same, child);
    }
  }
  while (at) leave();
}

/** Returns the `id` attribute, because in a form the property `id` can be the field of that name. */
const idOf = (node) => node.getAttribute?.("id");
const childOf = (node, id) => node.querySelector(`:scope > #${CSS.escape(id)}`);
const isAlike = (node, other) => node && !idOf(node) && !idOf(other) && node.nodeName === other.nodeName;
const isRefusal = (node) => node.className === "refusal";

function matchAttributes(node, other) {
  for (const { name } of [...node.attributes])
    if (!other.hasAttribute(name) && !(node.nodeName === "DETAILS" && name === "open")) node.removeAttribute(name);
  for (const { name, value } of other.attributes)
    if (node.getAttribute(name) !== value && !(name === "value" && node.matches("input:focus")))
      node.setAttribute(name, value);
}

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
  const source = button.previousElementSibling;
  if (await isCopied(source)) {
    announce(button.ariaLabel.replace("Copy", "Copied"));
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), COPIED_MS);
  } else announce("The browser did not allow copying. The text is selected; copy it with the keyboard.");
}

/**
 * Copies the text of an element, and returns whether that worked. On addresses other than loopback without TLS,
 * browsers offer only the old copy command.
 */
async function isCopied(source) {
  getSelection().selectAllChildren(source);
  if (!navigator.clipboard) return document.execCommand("copy");
  return navigator.clipboard.writeText(source.textContent).then(
    () => true,
    () => document.execCommand("copy"),
  );
}

async function live() {
  await beat().catch(() => undefined);
  setTimeout(live, EVERY_MS);
}

document.documentElement.classList.add("scripted");
document.addEventListener("click", ({ target }) => {
  const button = target.closest(".copy");
  if (button) copy(button);
});
setInterval(tick, 250);
setTimeout(live, EVERY_MS);
