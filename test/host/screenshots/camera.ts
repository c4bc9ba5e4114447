import type { Workbench } from '../workbench/workbench';

/** The size of the window, in pixels. */
export const viewport = { width: 1280, height: 800 };

/** A part of the window, as one walk saw it. */
export interface Shot {
  readonly state: string;
  readonly theme: string;
  readonly width: number;
  readonly png: Buffer;
}

/** Takes pictures during the walk. */
export class Camera {
  readonly shots: Shot[] = [];

  constructor(
    private readonly workbench: Workbench,
    private readonly theme: string,
  ) {}

  /** The side bar at each width. */
  async sideBar(state: string): Promise<void> {
    for (const width of [200, 300, 480]) {
      await this.workbench.setSideBarWidth(width);
      await this.workbench.page.mouse.move(viewport.width - 200, viewport.height - 100);
      await this.capture(state, width, await this.workbench.sideBar.boundingBox());
    }
  }

  /** The upper part of the window, where boxes and lists open. */
  picker(state: string): Promise<void> {
    const { width } = viewport;
    return this.capture(state, width, { x: 300, y: 0, width: 680, height: 400 });
  }

  /** The lower right corner, where messages are. */
  toast(state: string): Promise<void> {
    const { width, height } = viewport;
    return this.capture(state, width, { x: width - 520, y: height - 260, width: 520, height: 260 });
  }

  /** The whole window. */
  window(state: string): Promise<void> {
    return this.capture(state, viewport.width, { x: 0, y: 0, ...viewport });
  }

  /** The editor in windows of several widths, without the side bar. */
  async editor(state: string): Promise<void> {
    const { page } = this.workbench;
    await this.workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    for (const width of [430, 800, 1280]) {
      await page.setViewportSize({ ...viewport, width });
      await page.mouse.move(width - 60, viewport.height - 8);
      await this.capture(state, width, { x: 0, y: 0, width, height: viewport.height });
    }
    await page.setViewportSize(viewport);
    await this.workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  }

  private async capture(
    state: string,
    width: number,
    clip: { x: number; y: number; width: number; height: number } | null,
  ): Promise<void> {
    const png = await this.workbench.page.screenshot({
      animations: 'disabled',
      caret: 'hide',
      ...(clip && { clip }),
    });
    this.shots.push({ state, theme: this.theme, width, png });
  }
}
