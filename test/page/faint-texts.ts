/**
 * Returns the texts whose contrast ratio is below the WCAG minimum: 4.5:1, or 3:1 for large text. Runs in the browser.
 */
export function faintTexts(): string[] {
  type Color = readonly [red: number, green: number, blue: number];
  const WHITE: Color = [255, 255, 255];
  const channel = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = ([red, green, blue]: Color): number =>
    0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
  const over = (color: string, below: Color): Color => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    const blended = (value: number, index: number) => value * alpha + (below[index] ?? 0) * (1 - alpha);
    return [blended(red, 0), blended(green, 1), blended(blue, 2)];
  };
  const background = (element: Element | null): Color =>
    element ? over(getComputedStyle(element).backgroundColor, background(element.parentElement)) : WHITE;
  const isShown = (element: Element): boolean =>
    element.getClientRects().length > 0 &&
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  return [...document.querySelectorAll("body *")].filter(isShown).flatMap((element) => {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const behind = background(element);
    const [light, dark] = [luminance(over(color, behind)), luminance(behind)].sort((a, b) => b - a) as [number, number];
    const size = Number.parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    const ratio = (light + 0.05) / (dark + 0.05);
    return ratio >= least ? [] : [`${element.textContent?.trim()}: ${ratio.toFixed(2)}`];
  });
}
