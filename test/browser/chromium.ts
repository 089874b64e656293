import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Where Chromium is installed; undefined where it is not. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (p) => existsSync(p),
);
if (CHROMIUM === undefined)
  process.stdout.write('browser tests: no Chromium here (apt-get install chromium), they did not run\n');

/** Seconds on a quiet machine, and however long it takes on one that is not: only what hangs is given up. */
const PATIENCE_MS = 150_000;

export function launchChromium(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath: CHROMIUM!, args, timeout: PATIENCE_MS });
}

export function patient(page: Page): Page {
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}
