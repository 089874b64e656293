import type { Locator, Page } from 'playwright-core';

/** What a person did on the way of one journey. */
export interface Effort {
  readonly clicks: number;
  /** Fields that were typed into. */
  readonly typed: number;
  /** Codes that had to be brought from elsewhere: addresses, handles and ids. */
  readonly pasted: number;
}

/** Somebody who uses the pages by the keyboard alone, or by touch alone, and counts what it takes. */
export interface Hands {
  press(what: Locator): Promise<void>;
  /** A box that is ticked counts as a click. */
  tick(what: Locator): Promise<void>;
  type(label: string | Locator, text: string): Promise<void>;
  paste(label: string | Locator, code: string): Promise<void>;
  choose(label: string, value: string): Promise<void>;
  /** What was done since it was asked last. */
  effort(): Effort;
}

export function handsOn(page: Page, by: 'keyboard' | 'touch'): Hands {
  let done = { clicks: 0, typed: 0, pasted: 0 };
  const field = (label: string | Locator) =>
    typeof label === 'string' ? page.getByLabel(label).last() : label;
  const fill = async (label: string | Locator, text: string) => {
    const place = field(label);
    await (by === 'touch' ? place.tap() : place.focus());
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };
  return {
    async press(what) {
      done.clicks++;
      await what.waitFor();
      if (by === 'touch') return await what.tap();
      await what.focus();
      await page.keyboard.press('Enter');
    },
    async tick(what) {
      done.clicks++;
      await what.waitFor();
      if (by === 'touch') return await what.tap();
      await what.focus();
      await page.keyboard.press('Space');
    },
    async type(label, text) {
      done.typed++;
      await fill(label, text);
    },
    async paste(label, code) {
      done.pasted++;
      await fill(label, code);
    },
    async choose(label, value) {
      done.clicks++;
      await field(label).selectOption(value);
    },
    effort() {
      const so = done;
      done = { clicks: 0, typed: 0, pasted: 0 };
      return so;
    },
  };
}
