import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import sparticuz from "@sparticuz/chromium";
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core";
import { afterAll, onTestFinished } from "vitest";

let running: Promise<Browser> | undefined;

afterAll(async () => (await running)?.close());

/** A new page of a real browser, that ends with the test. `asked`: the addresses of its requests; `complaints`: its errors. */
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

/** The Chromium of this machine, else the one that comes from npm, without the arguments that loosen its rules. */
export async function launch(): Promise<Browser> {
  const own = ["chromium", "chromium-browser", "google-chrome"].flatMap(onPath)[0];
  const executablePath = own ?? (await sparticuz.executablePath());
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"], headless: true });
}

const onPath = (program: string): string[] =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .filter((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
