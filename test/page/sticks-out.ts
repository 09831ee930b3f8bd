/**
 * Returns the elements that overflow the screen or their own box, except rows of databases, which scroll in a box of
 * their own. Runs in the browser.
 */
export function sticksOut(): string[] {
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility() && !element.closest(".hidden, .skip, .path, .rows, svg"))
    .filter(
      (element) => element.getBoundingClientRect().right > innerWidth || element.scrollWidth > element.clientWidth + 1,
    )
    .filter((element) => getComputedStyle(element).display !== "inline")
    .map(({ outerHTML }) => outerHTML.slice(0, 200));
}
