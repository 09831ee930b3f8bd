import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, onTestFinished } from "vitest";
import { launch } from "./launch";

let running: Promise<Browser> | undefined;

afterAll(async () => (await running)?.close());

/**
 * Opens a page in a real browser, and closes the page when the test ends. Also returns the URLs that the page requests
 * (`asked`) and the page's errors (`complaints`).
 */
export async function visit(options: BrowserContextOptions = {}) {
  running ??= launch();
  const context = await (await running).newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => void asked.push(request.url()));
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(error.message));
  return { page, asked, complaints };
}
