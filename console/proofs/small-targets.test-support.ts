import type { Page } from 'playwright-core';

/** What can be pressed or typed into. A box to check is as large as its label; what stands inside a field is part of it. */
const controls = `button, input, select, textarea, a[href], [role=option], [role=tab], [role=menuitem],
  .mantine-SegmentedControl-label`;

/**
 * The visible controls of the page that are too small for a finger, with their size: below 44 px in height, or in width. Those of
 * dialogs and the frame around the screen count too.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll(\`${controls}\`)].flatMap((it) => {
    const own = it.getBoundingClientRect();
    if (!it.checkVisibility({ visibilityProperty: true }) || own.width <= 1 || own.height <= 1 || own.bottom <= 0) return [];
    if (it.closest('.mantine-Input-section, .unseen')) return [];
    const target = it.closest('.mantine-Checkbox-body, .mantine-Radio-body, .mantine-Switch-body, .mantine-Input-wrapper');
    const { width, height } = (target ?? it).getBoundingClientRect();
    const name = it.ariaLabel || it.textContent || it.placeholder || it.outerHTML;
    return width < 43.9 || height < 43.9 ? [name.slice(0, 60) + ': ' + width + ' × ' + height] : [];
  })`);
}
